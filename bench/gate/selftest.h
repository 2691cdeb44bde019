/* The results of the self-test: the gate's verdicts on a build against itself, and on slowdowns of known size. */
#pragma once

#include "gate_options.h"
#include "recording.h"

#include <stdio.h>

struct selftest {
    struct recording sides[GATE_SIDES_MAX]; /* the same build twice, then the new side again, slowed by real work */
    size_t count;
    double threshold; /* relative; NAN: the rule's default */
    size_t turns;     /* processes per round */
    size_t runs;      /* resampled runs per rate */
    uint64_t seed;
};

/* Reads the sides from folders in which --keep saved them, each of which must have base.csv and new.csv. Unfinished
 * rounds are dropped. False: a folder cannot be read or has rows that do not fit. */
bool selftest_read(struct selftest *selftest, const char *const *folders, size_t count, struct error *error);

/* Prints the rates of false alarms, of inconclusive runs and of detections, with their intervals. False: there are too
 * few rounds, or they do not pair; the error says why. */
bool selftest_print(const struct selftest *selftest, FILE *to, struct error *error);
