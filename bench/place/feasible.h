/* What can be run here at all: decided before any memory is taken. The reason for a no ends in the rows. */
#ifndef RUNGBENCH_FEASIBLE_H
#define RUNGBENCH_FEASIBLE_H

#include "bench/base/error.h"
#include "bench/table/registry.h"
#include "devices.h"

/* Above this many operations a workload is skipped by rungs that are RUNG_SLOW. */
#define FEASIBLE_SLOW_FLOP_LIMIT 2e10

/* Above so many operations and bytes together, it is skipped by rungs that are simulated. */
#define FEASIBLE_SIMULATED_LIMIT 2e7

/* Whether the rung can run on the workload. */
bool feasible_rung(const struct devices *devices, const struct rung *rung, const struct workload *workload,
                   struct error *reason);

/* Whether input and reference of the workload can be made in the time that is left; `on_host`: with room beside them
 * for the buffers of rungs that run in the host's memory. */
bool feasible_workload(const struct devices *devices, const struct op *op, const struct workload *workload,
                       bool on_host, double seconds_left, struct error *reason);

#endif
