/* A prepared workload placed on a backend: its buffers there, and if need be its host memory pinned for it. */
#ifndef RUNGBENCH_DEVICE_PROBLEM_H
#define RUNGBENCH_DEVICE_PROBLEM_H

#include "buffers.h"
#include "host_problem.h"

struct device_problem {
    const struct backend *backend; /* NULL: nowhere */
    const struct host_problem *host_problem;
    struct buffers buffers;
    bool pinned;
};

/* Moves it to the backend, unless it is there. NULL, or what went wrong; then it is nowhere. */
const char *device_problem_move(struct device_problem *device_problem, const struct host_problem *host_problem,
                                const struct backend *backend);

/* Pins the workload's host memory, or lets it be pageable again. NULL, or what went wrong; then it is pageable. */
const char *device_problem_pin(struct device_problem *device_problem, bool pinned);

void device_problem_leave(struct device_problem *device_problem);

#endif
