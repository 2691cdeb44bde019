/* Rounds in pairs as a table of times, for looking at the gate itself: rows by pairs, without a gap. */
#ifndef RUNGBENCH_PAIR_TABLE_H
#define RUNGBENCH_PAIR_TABLE_H

#include "bench/base/error.h"
#include "recording.h"
#include "rule.h"

struct paired_row {
    const char *name;
    struct limits limits;
    double tick_s;
    double *base_s, *new_s; /* a time for each pair */
};

struct pair_table {
    struct paired_row *rows;
    size_t count;
    size_t left_out; /* rows that were not timed in each round of both sides */
    size_t pairs;
    size_t *session; /* of each pair: numbers that change where another session begins */
    const char *device, *uuid;
};

/* The pairs are the rounds of `other`; `base` may have more. `threshold` is relative, NAN the rule's own. Texts point
 * into the recordings. False: no row was timed in all of these rounds on both sides, or the sides are of different work
 * or machines; the error says why. */
bool pair_table_make(const struct recording *base, const struct recording *other, double threshold,
                     struct pair_table *table, struct error *error);

void pair_table_free(struct pair_table *table);

#endif
