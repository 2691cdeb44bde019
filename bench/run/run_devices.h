/* --devices: the options of a run on each device, and what they say beside each other. */
#pragma once

#include "bench/select/options.h"

/* Calls `run` in a process for each device, with options and arguments that name it; `arguments` are the options'
 * `shared`, with room for one more. Prints the table, and writes --out. Returns an exit status; errors have been said
 * on stderr. */
int run_devices(struct options *options, const struct registry *registry, char **arguments, char **argv,
                int (*run)(struct options *options, char **argv));
