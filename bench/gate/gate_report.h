/* The gate's report: what the verdicts come to, and the outputs that say it. */
#pragma once

#include "bench/base/error.h"
#include "bench/base/output.h"
#include "comparison.h"
#include "gate_options.h"

enum gate_status {
    GATE_CLEARED = 0,      /* every row is cleared, faster, accepted, or of the same code */
    GATE_SLOWER = 1,       /* a row became slower, failed, is missing or is newly skipped */
    GATE_BAD_INPUT = 2,    /* bad input, or nothing to compare */
    GATE_INCONCLUSIVE = 3, /* neither slower nor cleared */
    GATE_ALL_SKIPPED = 77, /* all rows are skipped on both sides */
};

/* Writes the whole of a struct gate_report; the caller checks the stream for errors. */
typedef void gate_writer(FILE *to, const void *report);

gate_writer gate_write_console, gate_write_markdown, gate_write_junit, gate_write_json, gate_write_csv;

enum { GATE_FILES = 4 };

struct gate_report {
    const struct comparison *comparison; /* decided */
    enum gate_status status;
    const char *base_name, *new_name; /* files, programs, or what --base-name and --new-name say */
    char headline[200];               /* "24 rows: 23 cleared, 1 slower" */
    char method[240];                 /* "8 pairs of rounds in one sitting, then 12 pairs of 1 row" */
    char advice[240];                 /* what to do about an inconclusive run; empty if not inconclusive */
    const char *error;                /* why nothing could be compared; NULL: it was compared */
    struct output files[GATE_FILES];
    gate_writer *writers[GATE_FILES];
    size_t file_count;
};

/* An empty report. Opens its files, before anything is measured. False: one cannot be written, and none stays open. */
bool gate_report_open(struct gate_report *report, const struct gate_options *options, struct error *error);

/* The status that follows from the verdicts; with --other-device never worse than inconclusive, unless a row is wrong.
 */
enum gate_status gate_status_of(const struct comparison *comparison);

/* The status in words: "passed", "failed", ... */
const char *gate_status_words(enum gate_status status);

/* Sets what a comparison comes to, of which all rows are decided. */
void gate_report_conclude(struct gate_report *report, const struct comparison *comparison, enum gate_status status);

/* Makes it the report of a comparison that could not be made, with the reason: no rows. The text is not copied. */
void gate_report_refuse(struct gate_report *report, enum gate_status status, const char *error);

/* Writes the report to stdout, if there was a comparison, and to the files, and closes them. Appends it to the file
 * named by $GITHUB_STEP_SUMMARY if that is set and not empty. */
bool gate_report_write(struct gate_report *report, struct error *error);

/* Closes the files without a report; files that existed before stay as they were. */
void gate_report_discard(struct gate_report *report);
