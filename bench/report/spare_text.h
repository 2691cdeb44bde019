/* Text on stdout for people, in a run whose results also go to a file: where it cannot be written, the run goes on. */
#pragma once

#include "reporter.h"

/* A reporter that stands for this one and owns it. It fails only when it ends, and not at all if whoever read the text
 * has gone (`| head`). Its `self` is NULL: no memory. */
struct reporter spare_text_make(const struct reporter *text);
