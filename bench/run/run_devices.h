/* --devices: the options of a run on each device, and what they say beside each other. */
#pragma once

#include "bench/select/options.h"

/* Calls `run` in a process for each device, with options and arguments that name it; `arguments` are the options'
 * `shared`, with room for one more. Prints the table, and writes --out. Returns an exit status; errors have been said
 * on stderr. */
int run_devices(struct options *options, const struct registry *registry, char **arguments, char **argv,
                int (*run)(struct options *options, char **argv));

/* For such a process: what becomes of the options and arguments of the run on a device; -1: whichever it finds. Its
 * table goes nowhere. */
void run_devices_tell(struct options *options, char **arguments, int device, const char *file, bool is_first,
                      bool has_progress);

/* How many devices there are; asks the driver in a process of its own, so that others can be forked. -1: one of those
 * that the options name is not there, and stderr says so. */
int run_devices_count(const struct options *options, const struct registry *registry);
