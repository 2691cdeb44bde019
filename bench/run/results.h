/* The results of a run. Each is judged twice: as it comes, and when the run ends, then all by the same ceilings, the
 * best of the run. */
#pragma once

#include "bench/measure/ceilings.h"
#include "bench/report/reporter.h"
#include "bench/report/result.h"
#include "bench/table/registry.h"

struct results {
    const struct registry *registry;
    const struct reporter *reporters; /* which get the judged results */
    size_t reporter_count;
    struct ceilings ceilings; /* measured meanwhile */
    /* Its own: */
    struct result_list list;     /* as they came */
    struct seen_device *devices; /* that results came from */
    bool has_stopped;            /* a reporter could not write a row */
};

/* Takes a result, of which what it points to may go, but for run and samples. False, with the reason: a reporter could
 * not write it. */
bool results_take(struct results *results, const struct result *result, struct error *error);

/* A copy of the device, which stays as long as the results; NULL where memory ran out. */
const struct device_info *results_keep_device(struct results *results, const struct device_info *info);

/* How many rows came to what. */
struct outcomes {
    size_t ok, skipped, failed;
};

/* Passes the last word on all results to the reporters, in the order in which they came. False, with the first reason:
 * one could not write. */
bool results_end(struct results *results, struct outcomes *outcomes, struct error *error);

/* The exit status that follows from it. */
int outcomes_status(const struct outcomes *outcomes);

/* A row of the rung, if all of them were skipped; NULL: one was measured or verified, or has failed. */
const struct result *results_find_unseen(const struct results *results, const struct rung *rung);

/* When the reporters have ended. */
void results_free(struct results *results);
