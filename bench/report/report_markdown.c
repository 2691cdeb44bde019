#include "bench/base/plain_text.h"
#include "report_text.h"
#include "reporter.h"
#include "standing.h"

#include <stdlib.h>

struct markdown_report {
    FILE *to;
    struct result_list rows;
};

struct markdown_report *report_markdown_make(FILE *to)
{
    struct markdown_report *report = calloc(1, sizeof *report);
    if (report)
        report->to = to;
    return report;
}

bool report_markdown_result(void *self, const struct result *result, struct error *error)
{
    struct markdown_report *report = self;
    return result_list_add(&report->rows, result, error);
}

static void print_heading(FILE *to, const struct result *first)
{
    fputs("\n### ", to);
    markdown_put_text(to, first->op);
    fputc('/', to);
    markdown_put_text(to, first->workload);
    fprintf(to, "\n\n%s, input: ", first->shape);
    markdown_put_text(to, first->input[0] ? first->input : "unknown");
    fputs("\n\n| rung | mode | median | ± | GFLOP/s | GB/s | ceiling % | × baseline | × library | × best CPU | |\n"
          "|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|:--|\n",
          to);
}

static void print_figures(FILE *to, const struct result *row, const struct standing *standing)
{
    char text[FIGURE_MAX];
    const double values[] = {row->gflops, row->bandwidth_gbs};
    const struct ratio ratios[] = {standing->speedup, standing->over_library, standing->over_best_cpu};
    fprintf(to, " %s |", time_text(row->statistics.median, text));
    fprintf(to, " %s |", spread_text(&row->statistics, text));
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        fprintf(to, " %s |", number_text(values[i], text));
    fprintf(to, " %s |", percent_text(row->ceiling_pct, text));
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++)
        fprintf(to, " %s |", ratio_text(&ratios[i], text));
}

static void print_note(FILE *to, const struct result *row, const struct standing *standing)
{
    if (row->status != STATUS_OK) {
        fputs(result_is_wrong(row) ? " **WRONG**: " : row->status == STATUS_FAILED ? " failed: " : " skipped: ", to);
        markdown_put_text(to, row->reason);
        return;
    }
    fputs(standing->is_best ? " **best**" : standing->is_tied ? " tied with the best" : "", to);
    const char *notes[] = {row->unfair, row->launch_bound ? "launch-bound" : "",
                           row->statistics.count == 0 || result_has_interval(row) ? "" : "no-interval", row->runs_as,
                           row->conditions.marks};
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (!notes[i][0])
            continue;
        fputs(notes[i] == row->runs_as ? " runs " : " ", to);
        markdown_put_text(to, notes[i]);
    }
}

static void print_row(FILE *to, const struct standings *standings, const struct result *row)
{
    struct standing standing = standing_of(standings, row);
    fputs("| ", to);
    markdown_put_text(to, row->variant);
    fprintf(to, " | %s |", row->mode);
    if (row->statistics.count > 0)
        print_figures(to, row, &standing);
    else
        fputs(" | | | | | | | |", to);
    print_note(to, row, &standing);
    fputs(" |\n", to);
}

bool report_markdown_end(void *self, struct error *error)
{
    struct markdown_report *report = self;
    const struct result_list *rows = &report->rows;
    struct standings standings;
    bool ok = standings_make(rows, &standings, error);
    for (size_t i = 0; i < rows->count && ok; i++) {
        if (i == 0 || !result_same_workload(&rows->items[i - 1], &rows->items[i]))
            print_heading(report->to, &rows->items[i]);
        print_row(report->to, &standings, &rows->items[i]);
    }
    if (ok)
        standings_free(&standings);
    if (ok && (fflush(report->to) != 0 || ferror(report->to)))
        ok = error_set(error, "stdout: the table cannot be written");
    result_list_free(&report->rows);
    free(report);
    return ok;
}
