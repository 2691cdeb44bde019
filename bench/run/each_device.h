/* --devices: a run for each of several devices, in a process of its own, one after the other or together. */
#pragma once

#include "bench/select/options.h"

#include <limits.h>

struct each_device {
    const int *devices; /* -1: whichever it finds */
    size_t count;
    bool together;
    /* Called in the process of device `index`: writes results to `file`, and returns its exit status. */
    int (*run)(void *self, size_t index, const char *file);
    void *self;
    int (*interrupted)(void); /* the signal that has come, and is passed on; 0: none. Then no run is started */
    /* Its own: */
    char folder[PATH_MAX];
    char files[OPTIONS_DEVICES_MAX][PATH_MAX];
    const char *paths[OPTIONS_DEVICES_MAX + 1]; /* of the files that have results, ended by a NULL */
};

/* Runs them all. `status` becomes the worst exit status: 2, 1, 0, 77. A process that a signal ends is named on stderr,
 * and counts as 1; what it has written is kept. False: none was started. each_device_end() if it is true. */
bool each_device_begin(struct each_device *each, int *status, struct error *error);

/* The worse of two exit statuses: 2, 1, 0, 77. */
int each_device_worse(int a, int b);

/* Says on stderr where the files are, if there are any, before a handler of a signal ends the process. */
void each_device_rescue(void);

/* Removes the files; or, where something has failed that was to be made of them, says on stderr where they are. */
void each_device_end(struct each_device *each, bool has_failed);
