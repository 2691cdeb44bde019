/* --devices: a run for each of several devices, in a process of its own, one after the other or together; and what they
 * say beside each other. */
#pragma once

#include "bench/select/options.h"

#include <limits.h>

struct device_runs {
    struct options *options;                          /* their `devices` have a run each; -1: whichever it finds */
    char **arguments, **argv;                         /* the options' `shared`, with room for one more; and all */
    int (*run)(struct options *options, char **argv); /* called in the run's process; returns its exit status */
    int (*interrupted)(void); /* the signal that has come, and is passed on; 0: none. Then no run is started */
    /* Its own: */
    char folder[PATH_MAX];
    char files[OPTIONS_DEVICES_MAX][PATH_MAX];
    const char *paths[OPTIONS_DEVICES_MAX + 1]; /* of the files that have results, ended by a NULL */
};

/* Runs them all. `status` becomes the worst exit status: 2, 1, 0, 77. A process that a signal ends is named on stderr,
 * and counts as 1; what it has written is kept. False: none was started. device_runs_end() if it is true. */
bool device_runs_begin(struct device_runs *runs, int *status, struct error *error);

/* The worse of two exit statuses: 2, 1, 0, 77. */
int device_runs_worse(int a, int b);

/* Says on stderr where the files are, if there are any, before a handler of a signal ends the process. */
void device_runs_rescue(void);

/* Removes the files; or, where something has failed that was to be made of them, says on stderr where they are. */
void device_runs_end(struct device_runs *runs, bool has_failed);

/* Runs them, prints the table, and writes --out. Returns an exit status; errors have been said on stderr. */
int run_devices(struct device_runs *runs);

/* How many devices there are; asks the driver in a process of its own, so that others can be forked. -1: one of those
 * that the options name is not there, and stderr says so. */
int run_devices_count(const struct options *options);
