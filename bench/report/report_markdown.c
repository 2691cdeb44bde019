#include "bench/base/plain_text.h"
#include "report_text.h"
#include "reporter.h"
#include "standing.h"

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
    fprintf(to, " %s |", time_text(row->statistics.median, text));
    fprintf(to, " %s |", spread_text(&row->statistics, text));
    fprintf(to, " %s |", number_text(row->gflops, text));
    fprintf(to, " %s |", number_text(row->bandwidth_gbs, text));
    fprintf(to, " %s |", percent_text(row->ceiling_pct, text));
    fprintf(to, " %s |", ratio_text(&standing->speedup, text));
    fprintf(to, " %s |", ratio_text(&standing->over_library, text));
    fprintf(to, " %s |", ratio_text(&standing->over_best_cpu, text));
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

static void print_row(FILE *to, const struct result_list *rows, const struct result *row)
{
    struct standing standing = standing_of(rows, row);
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

void report_markdown(const struct result_list *rows, FILE *to)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (i == 0 || !result_same_workload(&rows->items[i - 1], &rows->items[i]))
            print_heading(to, &rows->items[i]);
        print_row(to, rows, &rows->items[i]);
    }
}
