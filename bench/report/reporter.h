/* The interface of reporters, which write results somewhere. A reporter never measures. */
#pragma once

#include "bench/base/error.h"
#include "bench/base/output.h"
#include "result.h"

#include <stdbool.h>
#include <stdio.h>

/* A result comes twice: as soon as it is measured, and when the run has ended and all its ceilings are known, which may
 * change the verdict on it. All functions may be NULL, and return false, with the reason, when nothing more can be
 * written. */
struct reporter {
    void *self;
    bool (*early)(void *self, const struct result *result, struct error *error);
    bool (*begin_again)(void *self, struct error *error);                         /* forgets what early() has written */
    bool (*result)(void *self, const struct result *result, struct error *error); /* the last word */
    bool (*end)(void *self, struct error *error);
};

/* Pass the result to each reporter, up to the first that cannot write. */
bool reporters_early(const struct reporter *reporters, size_t count, const struct result *result, struct error *error);
bool reporters_result(const struct reporter *reporters, size_t count, const struct result *result, struct error *error);

/* Ends all of them. False: one could not write, and the error is that of the first such. */
bool reporters_end(const struct reporter *reporters, size_t count, struct error *error);

/* The functions below fit the interface; the comment says what `self` is. */

/* CSV, one record per result. `self` is an open output. RFC 4180: commas, quotes and line breaks are quoted. */
bool report_csv_begin(struct output *output, struct error *error);
bool report_csv_begin_again(void *self, struct error *error);
bool report_csv_result(void *self, const struct result *result, struct error *error);

/* The header and one record, as text. */
const char *report_csv_header(void);
void report_csv_print(FILE *to, const struct result *result);

/* CSV of every sample. `self` is an open output; all samples of a result are written at once. */
bool report_samples_begin(struct output *output, struct error *error);
bool report_samples_result(void *self, const struct result *result, struct error *error);

/* Google Benchmark's JSON, for its compare.py and other readers. `self` is the report. The document is written at the
 * end, since it needs all rounds; without a result all of it is preamble. */
struct json_report;
struct json_about {
    const char *executable;
    const char *const *context; /* "KEY=VALUE,KEY=VALUE", ended by a NULL */
    bool aggregates_only;       /* of rows of several rounds */
    int time_unit;              /* ns, us, ms or s, from 0 */
};
struct json_report *report_json_make(struct output *output, const struct json_about *about); /* NULL: no memory */
bool report_json_result(void *self, const struct result *result, struct error *error);
bool report_json_end(void *self, struct error *error); /* frees it too */

/* The table on the console: one block per workload, and how many rows were measured, verified, skipped and wrong.
 * Written at the end, by the last word on each row: what it says is what files say. `self` is the report. With rounds,
 * results come through round_summary. */
struct console_report;
struct console_report *report_console_make(FILE *to, bool color); /* NULL: no memory */
bool report_console_result(void *self, const struct result *result, struct error *error);
bool report_console_end(void *self, struct error *error); /* frees it too */

/* The same as Markdown tables, written at the end. `self` is the report. With rounds, results come through
 * round_summary. */
struct markdown_report;
struct markdown_report *report_markdown_make(FILE *to); /* NULL: no memory */
bool report_markdown_result(void *self, const struct result *result, struct error *error);
bool report_markdown_end(void *self, struct error *error); /* frees it too */

/* Why a row failed, and the command that reproduces it, on stderr. `self` is the report. The flags, ended by a NULL,
 * are those that write no file: that would replace the results. */
struct failure_report {
    const char *program;
    char *const *flags;
};
bool report_failure_result(void *self, const struct result *result, struct error *error);

/* Per operation, the size from which the device's best rung is faster than the host's, with transfers and without.
 * `self` is the report. With rounds, results come through round_summary. */
struct crossover_report;
struct crossover_report *report_crossover_make(FILE *to); /* NULL: no memory */
bool report_crossover_result(void *self, const struct result *result, struct error *error);
bool report_crossover_end(void *self, struct error *error); /* frees it too */
