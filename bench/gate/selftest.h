/* The self-test's findings: what the gate says of one build against itself, and of slowdowns of known size. */
#ifndef RUNGBENCH_SELFTEST_H
#define RUNGBENCH_SELFTEST_H

#include "bench/base/error.h"
#include "recording.h"

#include <stdint.h>
#include <stdio.h>

struct selftest {
    const struct recording *base, *other; /* the same build on both sides */
    const struct recording *slowed;       /* and the new side once more, slowed by real work */
    size_t slowed_count;
    double threshold; /* relative; NAN: the rule's own */
    size_t turns;     /* processes that made a round */
    size_t runs;      /* to draw for each rate */
    uint64_t seed;
};

/* Prints the rates of false alarms, of inconclusive runs and of detections with their intervals. False: the rounds are
 * too few or do not fit each other; the error says why. */
bool selftest_print(const struct selftest *selftest, FILE *to, struct error *error);

#endif
