/* The interface of what becomes of results. A reporter never measures. */
#ifndef RUNGBENCH_REPORTER_H
#define RUNGBENCH_REPORTER_H

#include "bench/base/error.h"
#include "bench/base/output.h"
#include "result.h"

#include <stdbool.h>
#include <stdio.h>

struct reporter {
    void *self;
    /* False, with the reason, when nothing more can be written. */
    bool (*result)(void *self, const struct result *result, struct error *error);
    bool (*end)(void *self, struct error *error);
};

/* Hands the result to one reporter after the other, up to the first that cannot write. */
bool reporters_result(const struct reporter *reporters, size_t count, const struct result *result, struct error *error);

/* Ends all of them. False: one could not write, and the error is that of the first such. */
bool reporters_end(const struct reporter *reporters, size_t count, struct error *error);

/* The functions below fit the interface: `self` is what stands in the comment. */

/* The CSV of the whole result, one record a row, onto an open output, which is `self`. RFC 4180: commas, quotes and
 * line breaks are quoted. */
bool report_csv_begin(struct output *output, struct error *error);
bool report_csv_result(void *self, const struct result *result, struct error *error);

/* The CSV of every sample, one record for all samples of a result, onto an open output, which is `self`. */
bool report_samples_begin(struct output *output, struct error *error);
bool report_samples_result(void *self, const struct result *result, struct error *error);

/* Google Benchmark's JSON, for its compare.py and whatever else reads that. `self` is the report. The document needs
 * all rounds, so that it is written at the end; without any result all of it is preamble. */
struct json_report;
struct json_report *report_json_make(struct output *output, const char *executable); /* NULL: no memory */
bool report_json_result(void *self, const struct result *result, struct error *error);
bool report_json_end(void *self, struct error *error); /* frees it too */

/* The table for people: a block a workload, printed when the workload is done. `self` is the report. Rows of several
 * rounds go through round_summary first. */
struct console_report;
struct console_report *report_console_make(FILE *to, bool color); /* NULL: no memory */
bool report_console_result(void *self, const struct result *result, struct error *error);
bool report_console_end(void *self, struct error *error); /* frees it too */

/* What is wrong with a failed row, and the command that shows it again, on stderr. `self` is the program's argv. */
bool report_failure_result(void *self, const struct result *result, struct error *error);

/* When a device is not faster: for each operation, the size at which its best rung overtakes the host's best one, with
 * transfers and without. `self` is the report. Rows of several rounds go through round_summary first. */
struct crossover;
struct crossover *crossover_make(FILE *to); /* NULL: no memory */
bool crossover_result(void *self, const struct result *result, struct error *error);
bool crossover_end(void *self, struct error *error); /* frees it too */

#endif
