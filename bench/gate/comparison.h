/* A comparison: two recordings row by row, and what the statuses and times of each say. */
#ifndef RUNGBENCH_COMPARISON_H
#define RUNGBENCH_COMPARISON_H

#include "bench/base/error.h"
#include "recording.h"
#include "rule.h"

struct compared_row {
    const char *name;
    enum verdict verdict;
    bool has_evidence;  /* both sides were timed; else the verdict is the statuses' alone */
    bool is_decided;    /* the verdict stands */
    bool confirmed;     /* in rounds of its own, after the screen */
    bool slowed;        /* the new side, on purpose */
    const char *reason; /* why it failed or was skipped; empty: none */
    struct evidence evidence;
};

struct comparison {
    struct compared_row *rows; /* by name */
    size_t count;
    bool paired; /* the files share their sessions, and are compared round by round */
    const char *base_revision, *new_revision;
    const char *device; /* of the first row that has one; empty: none */
};

struct comparison_settings {
    double threshold;  /* relative; NAN: the rule's own */
    bool other_device; /* compare different machines */
    uint64_t seed;     /* of rearrangements drawn at random */
};

/* Gathers the evidence; nothing is decided but what statuses alone decide. Texts point into the recordings. False:
 * the recordings cannot be compared, the error says why, and nothing is kept. */
bool comparison_make(const struct recording *base, const struct recording *other,
                     const struct comparison_settings *settings, struct comparison *comparison, struct error *error);

void comparison_free(struct comparison *comparison);

/* Decides all undecided rows at once at `level`; what is slower on another device is suspected alone. False: no memory.
 */
bool comparison_decide(struct comparison *comparison, double level, bool other_device);

/* How many rows have that verdict. */
size_t comparison_count(const struct comparison *comparison, enum verdict verdict);

#endif
