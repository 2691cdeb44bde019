/* The results of a run, and what is said of each: how near it comes to the device's limit, or that its time is
 * impossible; how many times faster than the baseline it is; that its answer is not the same in every round. Each is
 * judged twice: as it comes, and when the run ends, then all by the same ceilings, the best of the run. */
#pragma once

#include "bench/base/error.h"
#include "bench/measure/ceilings.h"
#include "bench/report/result.h"
#include "bench/table/registry.h"

struct results {
    const struct registry *registry;
    /* Who gets what is said first of a result; NULL: nobody. False, with the reason: it cannot be written. */
    bool (*early)(void *self, const struct result *result, struct error *error);
    void *self;
    struct ceilings ceilings; /* measured meanwhile */
    struct result_list list;  /* as they came, and after results_end() with the last word on each */
    /* Its own: */
    struct seen_device *devices; /* that results came from */
    bool has_stopped;            /* a row could not be written */
};

/* Measures, once, what a result's row will be judged by. */
void results_prepare_ceilings(struct ceilings *ceilings, struct result *result);

/* Measures the empty kernel and the ceilings of a timed row: those that are not known yet, and again while the row is
 * faster than they allow; where its time seems impossible, those of fewer bytes too, which a cache may hold. The row is
 * not judged; but where its time stays impossible, it has no samples. */
void results_measure_ceilings(struct ceilings *ceilings, struct result *result);

/* Compares a row's time with its floor, and derives the columns that follow from both. A row that is faster is marked;
 * one with an impossible time gets none and fails. A row that is not timed stays as it is. */
void results_judge(const struct ceiling_table *table, struct result *result);

/* Takes a result, of which the samples may go. False, with the reason: it could not be written. */
bool results_take(struct results *results, const struct result *result, struct error *error);

/* A copy of the device, which stays as long as the results. */
const struct device_info *results_keep_device(struct results *results, const struct device_info *info);

/* Has the last word on all results. */
void results_end(struct results *results);

/* The exit status that follows from it. */
int results_status(const struct results *results);

/* A row of the rung, if all of them were skipped; NULL: one was measured or verified, or has failed. */
const struct result *results_find_unseen(const struct results *results, const struct rung *rung);

void results_free(struct results *results);
