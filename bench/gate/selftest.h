/* The results of the self-test: the gate's verdicts on a build against itself, and on slowdowns of known size. */
#pragma once

#include "bench/base/error.h"
#include "recording.h"

#include <stdint.h>
#include <stdio.h>

struct selftest {
    const struct recording *base, *other; /* the same build on both sides */
    const struct recording *slowed;       /* the new side again, slowed by real work */
    size_t slowed_count;
    double threshold; /* relative; NAN: the rule's default */
    size_t turns;     /* processes per round */
    size_t runs;      /* resampled runs per rate */
    uint64_t seed;
};

/* Prints the rates of false alarms, of inconclusive runs and of detections, with their intervals. False: there are too
 * few rounds, or they do not pair; the error says why. */
bool selftest_print(const struct selftest *selftest, FILE *to, struct error *error);
