/* A comparison: two recordings row by row, with the verdict and the evidence of each row. */
#pragma once

#include "bench/base/error.h"
#include "exceptions.h"
#include "gate_options.h"
#include "recording.h"
#include "rule.h"

enum { BASE, NEW };

/* What the digests of the machine code say about both sides. */
enum code_match { CODE_UNKNOWN, CODE_CHANGED, CODE_SAME };

struct compared_row {
    const char *name;
    enum verdict verdict;
    bool has_evidence; /* both sides were timed; otherwise the verdict follows from the statuses */
    bool is_decided;   /* the verdict is final */
    bool confirmed;    /* by the confirmation, in rounds of its own after the screen */
    bool slowed;       /* the new side was slowed by --slowdown */
    bool foreign;      /* of another tool, which does not say all of machine and code */
    bool on_host;      /* timed by the host's clock, or on its CPUs */
    enum code_match code;
    const char *reason; /* why it failed or was skipped; may be empty */
    char remark[160];   /* what else is to be known of its rounds; may be empty */
    struct evidence evidence;
    struct row_rounds rounds[2]; /* all that both sides have of it */
    char *why;                   /* lines that say why it is slower or faster; NULL: nobody knows */
    double *times_s[2]; /* of the rounds that the evidence is of: base_rounds and new_rounds of them, in order */
};

struct comparison {
    const struct gate_options *options;
    const struct exceptions *exceptions;
    double level;              /* significance at which rows are decided together */
    struct compared_row *rows; /* sorted by name */
    size_t count;
    size_t alone[2]; /* rows that only the base, or only the new side has: with --common they are none of these */
    bool paired;     /* the files are of the same sittings: rounds are compared in pairs */
    const char *base_revision, *new_revision;
    const char *device; /* of the first row that names one; may be empty */
};

/* Collects the evidence of all rows, and decides those that statuses decide. What it is given must outlive it. False:
 * the recordings cannot be compared; the error says why, and nothing stays allocated. */
bool comparison_make(const struct recording *base, const struct recording *other, const struct gate_options *options,
                     const struct exceptions *exceptions, struct comparison *comparison, struct error *error);

void comparison_free(struct comparison *comparison);

size_t comparison_count(const struct comparison *comparison, enum verdict verdict);

/* The same: all timed rounds of both sides have one digest of code, and the same libraries. */
enum code_match code_match_of(const struct row_rounds sides[2]);

/* Whether its code is the same on both sides, and nothing was added to its time. Code that has not changed cannot have
 * become slower. */
bool row_is_unchanged(const struct compared_row *row);

/* Decides all undecided rows, those that may have changed together. An unchanged row is
 * VERDICT_LAYOUT where it would be slower or faster, and VERDICT_SAME_CODE where it would be inconclusive. With
 * --other-device a slower row is only suspected, and there are neither of these: the device may be the cause. A CPU row
 * of another run is only suspected too: what else its cores did, no clock shows; and so is a row of another run of
 * another tool, as its device and clocks are unknown. */
void comparison_decide(struct comparison *comparison);

/* Makes accepted what the exceptions accept, and not gated what they ignore; reasons point into them. */
void comparison_except(struct comparison *comparison);
