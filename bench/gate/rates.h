/* Error rates of the gate: its verdicts on many runs that are built from saved rounds.
 *
 * A run is what scripts/gate.sh does: a screen, then confirmations of the rows that are not decided yet. Disjoint runs
 * share no rounds, so their rates are true rates, but there are few such runs. Resampled runs are drawn at random. They
 * share rounds, so their rates are estimates. They consist of blocks of adjacent pairs, which preserves drift (H. R.
 * Kuensch, "The jackknife and the bootstrap for general stationary observations", Annals of Statistics 17, 1989). */
#pragma once

#include "interval.h"
#include "pair_table.h"

#include <stdint.h>

enum { RATES_BLOCK = 4, RATES_RUN_PAIRS = RULE_RUN_PAIRS };

/* Whether the table has at least one block. The functions below that draw runs need one. */
bool rates_can_draw(const struct pair_table *table);

/* An alarm is a run with at least one slower row. Other runs with at least one inconclusive row are inconclusive. */
struct run_counts {
    size_t runs, alarms, inconclusive;
};

/* Counts all disjoint runs of adjacent pairs of one session, each of which leaves to the next what it did not need.
 * False, here and below: out of memory. */
bool rates_disjoint(const struct pair_table *table, struct run_counts *counts);

/* In how many of these runs the row is called slower if only its new times are scaled by 1 + size. */
bool rates_disjoint_detection(const struct pair_table *table, size_t row, double size, size_t *found, size_t *runs);

/* Counts `runs` resampled runs. */
bool rates_resampled(const struct pair_table *table, size_t runs, uint64_t seed, struct run_counts *counts);

/* 95 % intervals of the shares of alarms and of inconclusive runs, by a block bootstrap over rounds. */
struct rate_intervals {
    struct interval alarms, inconclusive;
};
bool rates_bootstrap(const struct pair_table *table, size_t replicas, size_t runs, uint64_t seed,
                     struct rate_intervals *intervals);

/* In how many of `runs` resampled runs the row is called slower if only its new times are scaled by 1 + size. */
bool rates_detection(const struct pair_table *table, size_t row, double size, size_t runs, uint64_t seed,
                     size_t *found);

/* The smallest size that is found in 80 % of `runs` resampled runs, with an accuracy of 1 % of itself; INFINITY: none
 * up to 10. */
bool rates_size_found(const struct pair_table *table, size_t row, size_t runs, uint64_t seed, double *size);

/* How often each row, with its times as they are, is called slower in resampled runs. `found` has one entry per row. */
bool rates_rows_found(const struct pair_table *table, size_t runs, uint64_t seed, size_t *found);
