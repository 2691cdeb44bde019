/* A prepared workload placed on a backend: its buffers there, and if need be its host memory pinned for it. */
#ifndef RUNGBENCH_PLACED_H
#define RUNGBENCH_PLACED_H

#include "buffers.h"
#include "host_problem.h"

struct placed {
    const struct backend *backend; /* NULL: nowhere */
    const struct prepared *prepared;
    struct buffers buffers;
    bool pinned;
};

/* Moves it to the backend, unless it is there. NULL, or what went wrong; then it is nowhere. */
const char *placed_move(struct placed *placed, const struct prepared *prepared, const struct backend *backend);

/* Pins the workload's host memory, or lets it be pageable again. NULL, or what went wrong; then it is pageable. */
const char *placed_pin(struct placed *placed, bool pinned);

void placed_leave(struct placed *placed);

#endif
