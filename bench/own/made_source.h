/* What is compiled: the user's text under its own name and with its own lines, and a function that calls its kernel. */
#pragma once

#include "own_kernel.h"

extern const char made_function[];       /* the function's name; of several, "_" and a number follow */
extern const char made_source_of_call[]; /* the name of the file that it seems to be in */

char *made_source(const struct own_kernel *kernel); /* free() it */
