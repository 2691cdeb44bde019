/* All files that a command line of the gate names, and those that it means: what is kept, and the summary of a job. */
#pragma once

#include "gate_options.h"

/* False: two of them are the same file, and one of them is to be written. */
bool gate_named_files_are_apart(const struct gate_options *options, struct error *error);
