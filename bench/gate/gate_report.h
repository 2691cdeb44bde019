/* The gate's report. Each format is a file of its own behind one interface. */
#pragma once

#include "bench/base/error.h"
#include "comparison.h"

#include <stdio.h>

enum gate_status {
    GATE_CLEARED = 0,      /* every row is cleared, faster, accepted, or of the same code */
    GATE_SLOWER = 1,       /* a row became slower, failed, is missing or is newly skipped */
    GATE_BAD_INPUT = 2,    /* bad input, or nothing to compare */
    GATE_INCONCLUSIVE = 3, /* neither slower nor cleared */
    GATE_ALL_SKIPPED = 77, /* all rows are skipped on both sides */
};

/* A decided comparison and the texts of its report. */
struct gate_report {
    const struct comparison *comparison;
    enum gate_status status;
    const char *base_name, *new_name; /* files, programs, or what --base-name and --new-name say */
    char headline[200];               /* "24 rows: 23 cleared, 1 slower" */
    char method[240];                 /* "8 pairs of rounds in one session, then 12 pairs of 1 row" */
    char advice[240];                 /* what to do about an inconclusive run; empty if not inconclusive */
    const char *error;                /* why nothing could be compared; NULL: it was compared */
};

/* The status that follows from the verdicts; with `other_device` never worse than inconclusive, unless a row is wrong.
 */
enum gate_status gate_status_of(const struct comparison *comparison, bool other_device);

/* The status in words: "passed", "failed", ... */
const char *gate_status_words(enum gate_status status);

/* Sets the headline, which counts the verdicts of the comparison. */
void gate_report_count(struct gate_report *report);

/* Makes it the report of a comparison that could not be made, with the reason: no rows. The text is not copied. */
void gate_report_refuse(struct gate_report *report, enum gate_status status, const char *error);

/* Sets the advice: more rounds, if they are too few for significance `level`, or else a quieter machine. */
void gate_report_advise(struct gate_report *report, double level);

/* Writes the row's note, without a full stop: slowed on purpose or of the same code, and the reason of its verdict. May
 * be empty. */
void gate_row_note(const struct compared_row *row, char *text, size_t size);

/* The rows with the most important first: by verdict in the order of enum verdict, then by name. free() it. NULL: out
 * of memory. */
const struct compared_row **gate_report_order(const struct comparison *comparison);

/* Writes the whole report; the caller checks the stream for errors. False: out of memory. */
typedef bool gate_writer(const struct gate_report *report, FILE *to);

gate_writer gate_write_console, gate_write_markdown, gate_write_junit, gate_write_json, gate_write_csv;
