/* All files that a command line of the gate names, and those that it means: what is kept, and the summary of a job. */
#pragma once

#include "gate_options.h"

/* False: two of them are the same file, and one of them is to be written. Frees the options' list of them. */
bool gate_named_files_are_apart(struct gate_options *options, struct error *error);
