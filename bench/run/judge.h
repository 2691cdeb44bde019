/* Collects the results of a run and the ceilings that were measured meanwhile, and judges each result twice: as it
 * comes, and when the run ends, then all by the same ceilings, the best of the run. */
#pragma once

#include "bench/measure/ceiling_table.h"
#include "bench/report/reporter.h"
#include "bench/report/result.h"
#include "bench/table/registry.h"
#include "outcome.h"
#include "seen_devices.h"

struct judge {
    const struct registry *registry;
    const struct reporter *reporters; /* which get the judged results */
    size_t reporter_count;
    /* Its own: */
    struct ceiling_table ceilings;
    struct result_list results; /* as they came */
    struct seen_device *devices;
    bool has_stopped; /* a reporter could not write a row */
};

/* Takes a result, of which what it points to may go, but for run and samples. `self` is the judge; fits a reporter's
 * early().
 */
bool judge_early(void *self, const struct result *result, struct error *error);

/* Takes a measured ceiling. `self` is the judge. */
void judge_ceiling(void *self, const struct ceiling *measured);

/* Passes the last word on all results to the reporters, in the order in which they came. False, with the first reason:
 * one could not write. */
bool judge_end(struct judge *judge, struct run_outcome *outcome, struct error *error);

/* A row of the rung, if all of them were skipped; NULL: one was measured or verified, or has failed. */
const struct result *judge_find_unseen(const struct judge *judge, const struct rung *rung);

/* When the reporters have ended. */
void judge_free(struct judge *judge);
