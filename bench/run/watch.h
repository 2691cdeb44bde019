/* --watch: runs this program anew whenever the file of a kernel changes, and prints a line per row. */
#pragma once

#include "bench/select/options.h"

struct watch {
    const char *program;
    const struct options *options;
    const struct registry *registry; /* with the kernels of the user's own */
    double (*now)(void);             /* seconds */
    int (*interrupted)(void);        /* the signal that came, or 0 */
};

/* Until a signal comes, or stdout cannot be written. Returns an exit status. */
int watch_run(const struct watch *watch);
