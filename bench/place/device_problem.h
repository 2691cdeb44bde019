/* A problem on a backend: its buffers there, and whether its host memory is pinned. */
#pragma once

#include "buffers.h"
#include "host_problem.h"

struct device_problem {
    const struct backend *backend; /* NULL: on no backend */
    const struct host_problem *host_problem;
    struct buffers buffers;
    bool pinned;
};

/* Moves the problem to the backend unless it is there already. NULL, or an error message; then it is on no backend. */
const char *device_problem_move(struct device_problem *device_problem, const struct host_problem *host_problem,
                                const struct backend *backend);

/* Pins the problem's host memory, or makes it pageable again. NULL, or an error message; then it is pageable. */
const char *device_problem_pin(struct device_problem *device_problem, bool pinned);

/* Frees its buffers and unpins its host memory. */
void device_problem_leave(struct device_problem *device_problem);
