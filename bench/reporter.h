/* The interface of what becomes of results. A reporter never measures. */
#ifndef RUNGBENCH_REPORTER_H
#define RUNGBENCH_REPORTER_H

#include "error.h"
#include "output.h"
#include "result.h"

#include <stdbool.h>
#include <stdio.h>

struct reporter {
    void *self;
    /* False, with the reason, when nothing more can be written. */
    bool (*result)(void *self, const struct result *result, struct error *error);
    bool (*end)(void *self, struct error *error);
};

/* The CSV of the whole result, one record a row, onto an open output. RFC 4180: commas, quotes and line breaks are
 * quoted. */
bool report_csv_begin(struct output *output, struct error *error);
bool report_csv_result(struct output *output, const struct result *result, struct error *error);

/* The table for people: a block a workload, printed when the workload is done. */
struct console_report;
struct console_report *report_console_make(FILE *to, bool color);
bool report_console_result(struct console_report *report, const struct result *result, struct error *error);
bool report_console_end(struct console_report *report, struct error *error); /* frees it too */

#endif
