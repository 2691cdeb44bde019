/* A comparison: two recordings row by row, with the verdict or evidence of each row. */
#pragma once

#include "bench/base/error.h"
#include "compared_row.h"
#include "exceptions.h"
#include "recording.h"

struct comparison {
    struct compared_row *rows; /* sorted by name */
    size_t count;
    bool paired; /* the files are of the same sessions: rounds are compared in pairs */
    const char *base_revision, *new_revision;
    const char *device; /* of the first row that names one; may be empty */
};

struct comparison_settings {
    double threshold;                    /* relative; NAN: the rule's default */
    bool other_device;                   /* allow different machines */
    uint64_t seed;                       /* for random rearrangements */
    const struct exceptions *exceptions; /* not NULL */
};

/* Collects the evidence of all rows, and decides those that statuses alone decide. Texts point into the recordings.
 * False: the recordings cannot be compared; the error says why, and nothing stays allocated. */
bool comparison_make(const struct recording *base, const struct recording *other,
                     const struct comparison_settings *settings, struct comparison *comparison, struct error *error);

void comparison_free(struct comparison *comparison);

/* The number of rows with this verdict. */
size_t comparison_count(const struct comparison *comparison, enum verdict verdict);
