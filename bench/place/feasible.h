/* Which rungs and workloads can run on this machine, decided before any memory is allocated. The reason why one cannot
 * is written to its rows. */
#pragma once

#include "bench/base/error.h"
#include "bench/table/registry.h"
#include "devices.h"

/* RUNG_SLOW rungs skip workloads with more floating-point operations than this. */
#define FEASIBLE_SLOW_FLOP_LIMIT 5e9

/* Simulated rungs skip workloads with more operations plus bytes than this. */
#define FEASIBLE_SIMULATED_LIMIT 2e7

/* Whether the rung can run on the workload. */
bool feasible_rung(const struct devices *devices, const struct rung *rung, const struct workload *workload,
                   struct error *reason);
