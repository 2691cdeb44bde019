/* What the gate tells people and machines. Each format is a file of its own behind one interface. */
#ifndef RUNGBENCH_GATE_REPORT_H
#define RUNGBENCH_GATE_REPORT_H

#include "bench/base/error.h"
#include "comparison.h"

#include <stdio.h>

enum gate_status {
    GATE_CLEARED = 0,      /* every row is cleared or faster */
    GATE_SLOWER = 1,       /* a row got slower, failed, vanished, or is newly skipped */
    GATE_BAD_INPUT = 2,    /* or nothing to compare */
    GATE_INCONCLUSIVE = 3, /* neither slower nor cleared */
    GATE_ALL_SKIPPED = 77, /* on both sides */
};

/* A decided comparison, ready to be told. */
struct gate_report {
    const struct comparison *comparison;
    enum gate_status status;
    const char *base_name, *new_name; /* files, or programs */
    char headline[160];               /* "24 rows: 23 cleared, 1 slower" */
    char method[240];                 /* "8 pairs of rounds in one session, then 12 pairs of 1 row" */
    char advice[240];                 /* what to do about an inconclusive run; empty: nothing */
};

/* The status that follows from the verdicts; with other_device at worst inconclusive. */
enum gate_status gate_status_of(const struct comparison *comparison, bool other_device);

/* "passed", "failed", ...: the status in words. */
const char *gate_status_words(enum gate_status status);

/* Writes the headline from the comparison. */
void gate_report_count(struct gate_report *report);

/* Writes the advice: whether rows are inconclusive for want of rounds, at that significance level, or of quiet. */
void gate_report_advise(struct gate_report *report, double level);

/* A sentence, without a full stop, on what a row's verdict rests on; empty: nothing but its numbers. */
void gate_row_note(const struct compared_row *row, char *text, size_t size);

/* Rows for people to read first come first: by verdict in the order of enum verdict, then by name. Free it. NULL: no
 * memory. */
const struct compared_row **gate_report_order(const struct comparison *comparison);

/* Each writes the whole report; the caller looks for errors of the stream. False: no memory. */
typedef bool gate_writer(const struct gate_report *report, FILE *to);

gate_writer gate_write_console, gate_write_markdown, gate_write_junit, gate_write_json, gate_write_csv;

#endif
