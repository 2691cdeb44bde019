/* How often the gate is wrong: what it would have said of many runs made from rounds that were kept.
 *
 * A run is what scripts/gate.sh does: a screen of 8 pairs of rounds, and a confirmation of the rows that it did not
 * clear. Disjoint runs share no round, so their rates are rates; there are few of them. Resampled runs are drawn, in
 * blocks of adjacent pairs so that what drifts stays together (H. R. Kuensch, "The jackknife and the bootstrap for
 * general stationary observations", Annals of Statistics 17, 1989); they share rounds, so theirs are estimates. */
#ifndef RUNGBENCH_RATES_H
#define RUNGBENCH_RATES_H

#include "interval.h"
#include "pair_table.h"

#include <stdint.h>

enum { RATES_BLOCK = 4, RATES_RUN_PAIRS = RULE_SCREEN_PAIRS + RULE_CONFIRM_PAIRS };

/* Whether there is a block to draw: what the functions below that draw runs need. */
bool rates_can_draw(const struct pair_table *table);

/* Of `runs` runs. */
struct run_counts {
    size_t runs, alarms, inconclusive; /* an alarm: at least one row is called slower; else, at least one is open */
};

/* Of all runs of 20 adjacent pairs of one session that share none. False, here and below: no memory. */
bool rates_disjoint(const struct pair_table *table, struct run_counts *counts);

/* In how many of these the row is called slower if its new times alone are (1 + size) as long. */
bool rates_disjoint_detection(const struct pair_table *table, size_t row, double size, size_t *found, size_t *runs);

/* Of `runs` drawn ones. */
bool rates_resampled(const struct pair_table *table, size_t runs, uint64_t seed, struct run_counts *counts);

/* 95 % bootstrap intervals, over rounds in blocks, of the shares of alarms and of inconclusive runs. */
struct rate_intervals {
    struct interval alarms, inconclusive;
};
bool rates_bootstrap(const struct pair_table *table, size_t replicas, size_t runs, uint64_t seed,
                     struct rate_intervals *intervals);

/* In how many of so many drawn runs the row is called slower if its new times alone are (1 + size) as long. */
bool rates_detection(const struct pair_table *table, size_t row, double size, size_t runs, uint64_t seed,
                     size_t *found);

/* The smallest size, to a hundredth of itself, that is found in 80 % of so many drawn runs; INFINITY: none up to 10. */
bool rates_size_found(const struct pair_table *table, size_t row, size_t runs, uint64_t seed, double *size);

/* How often each row is called slower in drawn runs, as it is: `found` has room for all rows. */
bool rates_rows_found(const struct pair_table *table, size_t runs, uint64_t seed, size_t *found);

#endif
