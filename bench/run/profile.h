/* --profile: one launch that ncu or nsys sees alone, in this process. */
#pragma once

#include "bench/select/selection.h"
#include "run.h"

/* Verifies and warms up the row's rung, then launches it once between cudaProfilerStart and cudaProfilerStop, with cold
 * caches if the row's mode has them. `name` is a row's name, with or without the mode. Returns an exit status after a
 * line on stderr. */
int profile_row(const struct run *run, const struct selection *selection, const char *name);
