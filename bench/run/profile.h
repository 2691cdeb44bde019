/* One launch for a profiler: ncu or nsys see that launch alone. */
#ifndef RUNGBENCH_PROFILE_H
#define RUNGBENCH_PROFILE_H

#include "run.h"

/* Verifies the row's rung, warms it up, and launches it exactly once between the marks that a profiler listens for,
 * with the caches emptied before if the row's mode does so. `name` is a row's name, with or without its mode. Returns
 * an exit status after a line on stderr. */
int profile_row(const struct run *run, const struct selection *selection, const char *name,
                const struct devices *devices);

#endif
