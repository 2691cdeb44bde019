/* Paired rounds as a table of times without gaps, rows by pairs, for the self-test of the gate. */
#pragma once

#include "bench/base/error.h"
#include "recording.h"
#include "rule.h"

struct paired_row {
    const char *name;
    struct limits limits;
    double tick_s;
    double *base_s, *new_s; /* one time per pair */
};

struct pair_table {
    struct paired_row *rows;
    size_t count;
    size_t left_out; /* rows left out because they were not timed in all rounds of both sides */
    size_t pairs;
    size_t *session; /* session number of each pair */
    const char *device, *uuid;
};

/* The pairs are the rounds of `other`; `base` may have more. `threshold` is relative; NAN: the rule's default. Texts
 * point into the recordings. False: no row was timed in all of these rounds on both sides, or the sides differ in work
 * or machine; the error says why. */
bool pair_table_make(const struct recording *base, const struct recording *other, double threshold,
                     struct pair_table *table, struct error *error);

void pair_table_free(struct pair_table *table);
