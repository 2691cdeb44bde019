#include "console_block.h"
#include "console_wrap.h"
#include "reporter.h"

#include <stdlib.h>
#include <string.h>

struct console_report {
    struct console_style style;
    struct result_list rows;
    bool has_failed; /* what is not whole is not written */
};

struct console_report *report_console_make(FILE *to, bool color)
{
    struct console_report *report = calloc(1, sizeof *report);
    if (report)
        report->style = (struct console_style){to, color};
    return report;
}

bool report_console_result(void *self, const struct result *result, struct error *error)
{
    struct console_report *report = self;
    report->has_failed = report->has_failed || !result_list_add(&report->rows, result, error);
    return !report->has_failed;
}

static bool is_measured(const struct result *row)
{
    return row->status == STATUS_OK && row->statistics.count > 0;
}

/* Libraries, which are measured first, close the block as they close the ladder. Skipped rows share a line. */
static void print_rows(const struct console_style *style, const struct standings *standings, bool libraries)
{
    const struct result_list *block = standings->rows;
    for (size_t i = 0; i < block->count; i++)
        if (block->items[i].is_library == libraries && block->items[i].status != STATUS_SKIPPED)
            console_row(style, standings, &block->items[i]);
}

static void print_block(const struct console_style *style, const struct standings *standings)
{
    const struct result_list *block = standings->rows;
    bool has_times = false;
    for (size_t i = 0; i < block->count; i++)
        has_times = has_times || is_measured(&block->items[i]);
    console_heading(style, &block->items[0]);
    if (has_times)
        console_columns(style, block);
    print_rows(style, standings, false);
    print_rows(style, standings, true);
    console_best(style, standings);
    console_marks(style, block);
    console_skipped(style, block);
}

/* False: no memory. */
static bool print_blocks(const struct console_report *report)
{
    const struct result_list *rows = &report->rows;
    for (size_t first = 0, end = 0; first < rows->count; first = end) {
        while (end < rows->count && result_same_workload(&rows->items[first], &rows->items[end]))
            end++;
        const struct result_list block = {.items = rows->items + first, .count = end - first};
        struct standings standings;
        struct error ignored;
        if (!standings_make(&block, &standings, &ignored))
            return false;
        print_block(&report->style, &standings);
        standings_free(&standings);
    }
    return true;
}

static void add_count(FILE *to, size_t count, const char *what)
{
    if (count > 0)
        fprintf(to, " %zu %s,", count, what);
}

/* "264 rows: 260 measured and verified, 4 skipped, 0 wrong" */
static void print_totals(FILE *to, const struct result_list *rows)
{
    size_t measured = 0, verified = 0, wrong = 0, failed = 0, skipped = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct result *row = &rows->items[i];
        measured += is_measured(row);
        verified += row->status == STATUS_OK && !is_measured(row);
        wrong += result_is_wrong(row);
        failed += row->status == STATUS_FAILED && !result_is_wrong(row);
        skipped += row->status == STATUS_SKIPPED;
    }
    fprintf(to, "\n%zu row%s:", rows->count, rows->count == 1 ? "" : "s");
    add_count(to, measured, "measured and verified");
    add_count(to, verified, "verified");
    add_count(to, failed, "failed");
    add_count(to, skipped, "skipped");
    fprintf(to, " %zu wrong\n", wrong);
}

static void print_skipped(FILE *to, const struct skip_reason *reason)
{
    char count[32];
    struct wrap wrap = {to, 2, 4, false};
    snprintf(count, sizeof count, "%zu skipped:", reason->count);
    fputs("  ", to);
    wrap_words(&wrap, count);
    wrap_words(&wrap, reason->text);
    fputc('\n', to);
}

static bool print_all(const struct console_report *report)
{
    size_t count;
    struct skip_reason *reasons = result_list_skip_reasons(&report->rows, &count);
    if (!reasons)
        return false;
    bool ok = print_blocks(report);
    if (ok && report->rows.count > 0)
        print_totals(report->style.to, &report->rows);
    for (size_t i = 0; i < count && ok; i++)
        print_skipped(report->style.to, &reasons[i]);
    free(reasons);
    return ok;
}

bool report_console_end(void *self, struct error *error)
{
    struct console_report *report = self;
    bool ok = report->has_failed || print_all(report) || error_set(error, "no memory for the table");
    if ((fflush(report->style.to) != 0 || ferror(report->style.to)) && ok)
        ok = error_set(error, "stdout: the table cannot be written");
    result_list_free(&report->rows);
    free(report);
    return ok;
}
