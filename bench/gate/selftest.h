/* The self-test: how often the gate would be wrong. Its verdicts on many runs that are built from saved rounds, of a
 * build against itself and with slowdowns of known size.
 *
 * A run is what scripts/gate.sh does: a screen, then confirmations of the rows that are not decided yet. Disjoint runs
 * share no rounds, so their rates are true rates, but there are few such runs. Resampled runs are drawn at random. They
 * share rounds, so their rates are estimates. They consist of blocks of adjacent pairs, which preserves drift (H. R.
 * Kuensch, "The jackknife and the bootstrap for general stationary observations", Annals of Statistics 17, 1989). */
#pragma once

#include "gate_options.h"
#include "recording.h"
#include "rule.h"

enum { RATES_BLOCK = 4, RATES_RUN_PAIRS = RULE_RUN_PAIRS, RATES_NO_ROW = -1 };

struct paired_row {
    const char *name;
    struct limits limits;
    double tick_s;
    double *base_s, *new_s; /* one time per pair */
    double base_median_s;
};

/* The new times of `row`, or of none, are scaled by 1 + size. */
struct slowdown {
    int row;
    double size;
};

/* Paired rounds without gaps, rows by pairs, and a run that is built from them. */
struct rates {
    struct paired_row *rows;
    size_t count;
    size_t left_out; /* rows left out because they were not timed in all rounds of both sides */
    size_t pairs;
    size_t *sitting; /* sitting number of each pair */
    const char *device, *uuid;
    /* What rates_begin() adds: */
    size_t *starts, start_count; /* pairs at which a block within one sitting can start; to draw runs, one is needed */
    size_t run[RATES_RUN_PAIRS]; /* the pairs of the current run */
    struct slowdown slowdown;
    size_t used;                /* pairs of the current run */
    struct decision *decisions; /* of the current run */
};

/* rates_end() frees what it has added. */
void rates_begin(struct rates *rates);
void rates_end(struct rates *rates);

/* An alarm is a run with at least one slower row. Other runs with at least one inconclusive row are inconclusive. */
struct run_counts {
    size_t runs, alarms, inconclusive;
    size_t found; /* in which the row of the slowdown is slower */
};

/* Counts all disjoint runs of adjacent pairs of one sitting, each of which leaves to the next what it did not need. */
struct run_counts rates_disjoint(struct rates *rates, struct slowdown slowdown);

/* Counts `runs` resampled runs, which are the same for each slowdown: a larger one is not found less often because of
 * different draws. */
struct run_counts rates_resampled(struct rates *rates, struct slowdown slowdown, size_t runs, uint64_t seed);

/* 95 % intervals of the shares of alarms and of inconclusive runs, by a block bootstrap over rounds. */
struct rate_intervals {
    struct interval alarms, inconclusive;
};
struct rate_intervals rates_bootstrap(struct rates *rates, size_t replicas, size_t runs, uint64_t seed);

/* The smallest size that is found in 80 % of `runs` resampled runs, with an accuracy of 1 % of itself; INFINITY: none
 * up to 10. */
double rates_size_found(struct rates *rates, int row, size_t runs, uint64_t seed);

/* The 95 % interval of a probability from `hits` in `trials`, 1 or more (E. B. Wilson, "Probable inference, the law of
 * succession, and statistical inference", Journal of the American Statistical Association 22, 1927). */
struct interval wilson_interval(size_t hits, size_t trials);

struct selftest {
    struct recording sides[GATE_SIDES_MAX]; /* the same build twice, then the new side again, slowed by real work */
    size_t count;
    const struct gate_options *options;
};

/* Reads the sides from the folders that the options name, in which --keep saved them: each must have base.csv and
 * new.csv. Unfinished rounds are dropped. False: a folder cannot be read or has rows that do not fit. */
bool selftest_read(struct selftest *selftest, struct error *error);

/* Prints the rates of false alarms, of inconclusive runs and of detections, with their intervals. False: there are too
 * few rounds, or they do not pair; the error says why. */
bool selftest_print(const struct selftest *selftest, FILE *to, struct error *error);
