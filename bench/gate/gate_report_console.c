#include "gate_format.h"
#include "gate_report.h"

#include <stdlib.h>

static void print_row(const struct compared_row *row, FILE *to)
{
    struct gate_figures figures;
    gate_format(row, &figures);
    fprintf(to, "  %-13s %7s  %-16s %10s %10s  %s%s%s%s\n", verdict_name(row->verdict), figures.ratio, figures.interval,
            figures.base, figures.other, row->name, figures.note[0] ? " (" : "", figures.note,
            figures.note[0] ? ")" : "");
}

bool gate_write_console(const struct gate_report *report, FILE *to)
{
    const struct compared_row **order = gate_report_order(report->comparison);
    if (!order)
        return false;
    fprintf(to, "\nbase %s%s%s\nnew  %s%s%s\n%s%s%s, %s\n\n", report->base_name,
            report->comparison->base_revision[0] ? ", revision " : "", report->comparison->base_revision,
            report->new_name, report->comparison->new_revision[0] ? ", revision " : "",
            report->comparison->new_revision, report->comparison->device, report->comparison->device[0] ? ": " : "",
            report->method, "ratio is new time over base time");
    fprintf(to, "  %-13s %7s  %-16s %10s %10s  %s\n", "verdict", "ratio", "95 % interval", "base", "new", "row");
    for (size_t i = 0; i < report->comparison->count; i++)
        print_row(order[i], to);
    fprintf(to, "\ngate %s: %s\n", gate_status_words(report->status), report->headline);
    if (report->advice[0])
        fprintf(to, "%s\n", report->advice);
    free(order);
    return true;
}
