/* --devices: the options of a run on each device, and what they say beside each other. */
#pragma once

#include "bench/select/options.h"

/* A run in a process of its own (each_device.h): `self` of device_run(), which tells options and arguments its device,
 * of those that the options name; -1: whichever it finds. */
struct device_run {
    struct options *options;
    char **arguments, **argv; /* the options' `shared`, with room for one more; and all */
    int (*run)(struct options *options, char **argv);
};
int device_run(void *self, size_t index, const char *file);

/* Calls `run` in a process for each device, Prints the table, and writes --out. Returns an exit status; errors have
 * been said on stderr. */
int run_devices(struct options *options, const struct registry *registry, char **arguments, char **argv,
                int (*run)(struct options *options, char **argv));

/* How many devices there are; asks the driver in a process of its own, so that others can be forked. -1: one of those
 * that the options name is not there, and stderr says so. */
int run_devices_count(const struct options *options, const struct registry *registry);
