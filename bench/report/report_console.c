#include "bench/base/plain_text.h"
#include "console_block.h"
#include "reporter.h"

#include <stdlib.h>
#include <string.h>

/* What the table says of a row that may prove wrong. */
struct shown_row {
    enum status status;
    bool is_measured, is_wrong, is_over_ceiling;
};

struct console_report {
    struct console_style style;
    struct result_list rows; /* of the workload in progress */
    bool *is_printed;        /* of them */
    size_t room;
    bool has_columns, has_failed; /* what has failed writes no more */
    struct shown_row *shown;      /* in the order of results */
    size_t shown_count, shown_room, revised_count;
};

struct console_report *report_console_make(FILE *to, bool color)
{
    struct console_report *report = calloc(1, sizeof *report);
    if (report)
        report->style = (struct console_style){to, color};
    return report;
}

static bool flush(const struct console_report *report, struct error *error)
{
    return fflush(report->style.to) == 0 || error_set(error, "stdout: the table cannot be written");
}

static bool is_measured(const struct result *row)
{
    return row->status == STATUS_OK && row->statistics.count > 0;
}

static void print_row(struct console_report *report, size_t i)
{
    const struct result *row = &report->rows.items[i];
    report->is_printed[i] = true;
    if (row->status == STATUS_SKIPPED)
        return; /* they share a line */
    if (is_measured(row) && !report->has_columns) {
        console_columns(&report->style, &report->rows);
        report->has_columns = true;
    }
    console_row(&report->style, &report->rows, row);
}

/* Rows of the host wait until all of them are there, since each is compared with the best of them: until a device's
 * come. Libraries, which are measured first, close the block as they close the ladder. */
static bool is_ready(const struct result *row, bool host_is_done)
{
    return !is_measured(row) || (!row->is_library && (!row->is_host || host_is_done));
}

static bool is_host_done(const struct result_list *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (!rows->items[i].is_host && !rows->items[i].is_library && rows->items[i].status != STATUS_SKIPPED)
            return true;
    return false;
}

static void print_ready(struct console_report *report)
{
    bool host_is_done = is_host_done(&report->rows);
    for (size_t i = 0; i < report->rows.count; i++)
        if (!report->is_printed[i] && is_ready(&report->rows.items[i], host_is_done))
            print_row(report, i);
}

static void print_rest(struct console_report *report, bool libraries)
{
    for (size_t i = 0; i < report->rows.count; i++)
        if (!report->is_printed[i] && report->rows.items[i].is_library == libraries)
            print_row(report, i);
}

static bool end_block(struct console_report *report, struct error *error)
{
    if (report->rows.count == 0)
        return true;
    print_rest(report, false);
    print_rest(report, true);
    console_best(&report->style, &report->rows);
    console_marks(&report->style, &report->rows);
    console_skipped(&report->style, &report->rows);
    report->rows.count = 0;
    report->has_columns = false;
    return flush(report, error);
}

static bool add(struct console_report *report, const struct result *result, struct error *error)
{
    if (!result_list_add(&report->rows, result, error))
        return false;
    if (report->rows.room > report->room) {
        bool *is_printed = realloc(report->is_printed, report->rows.room * sizeof *is_printed);
        if (!is_printed)
            return error_set(error, "no memory for the results");
        report->is_printed = is_printed;
        report->room = report->rows.room;
    }
    report->is_printed[report->rows.count - 1] = false;
    if (report->rows.count == 1)
        console_heading(&report->style, result);
    return true;
}

static bool is_over_ceiling(const struct result *result)
{
    return strstr(result->conditions.marks, "over-ceiling") != NULL;
}

static struct shown_row shown_row(const struct result *result)
{
    return (struct shown_row){result->status, is_measured(result), result_is_wrong(result), is_over_ceiling(result)};
}

static bool remember(struct console_report *report, const struct result *result, struct error *error)
{
    if (report->shown_count == report->shown_room) {
        size_t room = report->shown_room ? 2 * report->shown_room : 64;
        struct shown_row *shown = realloc(report->shown, room * sizeof *shown);
        if (!shown)
            return error_set(error, "no memory for the results");
        report->shown = shown;
        report->shown_room = room;
    }
    report->shown[report->shown_count++] = shown_row(result);
    return true;
}

static void print_revision(const struct console_report *report, const struct shown_row *shown,
                           const struct result *result)
{
    static const char by[] = "by the best ceilings of the whole run";
    bool is_over = is_over_ceiling(result);
    if (shown->status != result->status) {
        fprintf(report->style.to, "%s is %s after all, %s%s", result->name, status_name(result->status), by,
                result->reason[0] ? ": " : "");
        plain_text_put(report->style.to, result->reason);
        fputc('\n', report->style.to);
    } else if (shown->is_over_ceiling != is_over) {
        fprintf(report->style.to, "%s is %s its ceiling after all, %s\n", result->name, is_over ? "over" : "below", by);
    }
}

bool report_console_revise(void *self, const struct result *result, struct error *error)
{
    struct console_report *report = self;
    if (!end_block(report, error))
        return false;
    if (report->revised_count < report->shown_count) {
        struct shown_row *shown = &report->shown[report->revised_count++];
        print_revision(report, shown, result);
        *shown = shown_row(result);
    }
    return true;
}

static bool take(struct console_report *report, const struct result *result, struct error *error)
{
    if (!remember(report, result, error))
        return false;
    if (report->rows.count > 0 && !result_same_workload(&report->rows.items[0], result) && !end_block(report, error))
        return false;
    if (!add(report, result, error))
        return false;
    print_ready(report);
    return flush(report, error);
}

bool report_console_result(void *self, const struct result *result, struct error *error)
{
    struct console_report *report = self;
    report->has_failed = !take(report, result, error);
    return !report->has_failed;
}

static void add_count(FILE *to, size_t count, const char *what)
{
    if (count > 0)
        fprintf(to, " %zu %s,", count, what);
}

/* "264 rows: 260 measured and verified, 4 skipped, 0 wrong" */
static void print_totals(const struct console_report *report)
{
    size_t measured = 0, verified = 0, wrong = 0, failed = 0, skipped = 0;
    FILE *to = report->style.to;
    for (size_t i = 0; i < report->shown_count; i++) {
        const struct shown_row *shown = &report->shown[i];
        measured += shown->is_measured;
        verified += shown->status == STATUS_OK && !shown->is_measured;
        wrong += shown->is_wrong;
        failed += shown->status == STATUS_FAILED && !shown->is_wrong;
        skipped += shown->status == STATUS_SKIPPED;
    }
    fprintf(to, "\n%zu row%s:", report->shown_count, report->shown_count == 1 ? "" : "s");
    add_count(to, measured, "measured and verified");
    add_count(to, verified, "verified");
    add_count(to, failed, "failed");
    add_count(to, skipped, "skipped");
    fprintf(to, " %zu wrong\n", wrong);
}

bool report_console_end(void *self, struct error *error)
{
    struct console_report *report = self;
    bool ok = report->has_failed || end_block(report, error);
    if (ok && !report->has_failed && report->shown_count > 0) {
        print_totals(report);
        ok = flush(report, error);
    }
    result_list_free(&report->rows);
    free(report->is_printed);
    free(report->shown);
    free(report);
    return ok;
}
