#include "bench/base/plain_text.h"
#include "gate_format.h"
#include "gate_report.h"

#include <stdlib.h>

static void print_row(const struct compared_row *row, FILE *to)
{
    struct gate_figures figures;
    gate_format(row, &figures);
    fprintf(to, "  %-13s %7s  %-16s %10s %10s  ", verdict_name(row->verdict), figures.ratio, figures.interval,
            figures.base, figures.other);
    plain_text_put(to, row->name);
    fputs(figures.note[0] ? " (" : "", to);
    plain_text_put(to, figures.note);
    fputs(figures.note[0] ? ")\n" : "\n", to);
}

static void print_side(const char *label, const char *name, const char *revision, FILE *to)
{
    fputs(label, to);
    plain_text_put(to, name);
    fputs(revision[0] ? ", revision " : "", to);
    plain_text_put(to, revision);
    fputc('\n', to);
}

bool gate_write_console(const struct gate_report *report, FILE *to)
{
    const struct comparison *comparison = report->comparison;
    const struct compared_row **order = gate_report_order(comparison);
    if (!order)
        return false;
    print_side("\nbase ", report->base_name, comparison->base_revision, to);
    print_side("new  ", report->new_name, comparison->new_revision, to);
    plain_text_put(to, comparison->device);
    fprintf(to, "%s%s, %s\n\n", comparison->device[0] ? ": " : "", report->method, "ratio is new time over base time");
    fprintf(to, "  %-13s %7s  %-16s %10s %10s  %s\n", "verdict", "ratio", "95 % interval", "base", "new", "row");
    for (size_t i = 0; i < comparison->count; i++)
        print_row(order[i], to);
    fprintf(to, "\ngate %s: %s\n", gate_status_words(report->status), report->headline);
    if (report->advice[0])
        fprintf(to, "%s\n", report->advice);
    free(order);
    return true;
}
