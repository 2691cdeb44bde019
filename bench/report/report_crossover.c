#include "crossover.h"
#include "reporter.h"

#include <stdlib.h>

struct crossover_report {
    FILE *to;
    struct result_list rows; /* with a time that may be compared */
    bool has_heading;
};

struct crossover_report *report_crossover_make(FILE *to)
{
    struct crossover_report *report = calloc(1, sizeof *report);
    if (report)
        report->to = to;
    return report;
}

bool report_crossover_result(void *self, const struct result *result, struct error *error)
{
    struct crossover_report *report = self;
    return !result_is_fair(result) || result_list_add(&report->rows, result, error);
}

static bool print(void *self, const struct crossover *crossover)
{
    struct crossover_report *report = self;
    if (!report->has_heading)
        fputs("\nWhen is a device faster?\n", report->to);
    report->has_heading = true;
    fputs("  ", report->to);
    crossover_print(report->to, crossover);
    return true;
}

bool report_crossover_end(void *self, struct error *error)
{
    struct crossover_report *report = self;
    bool ok = crossover_each(&report->rows, print, report, error);
    if (ok && (fflush(report->to) != 0 || ferror(report->to)))
        ok = error_set(error, "stdout: the crossover cannot be written");
    result_list_free(&report->rows);
    free(report);
    return ok;
}
