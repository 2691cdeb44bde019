#include "gate_format.h"

#include "gate_report.h"

#include <math.h>
#include <stdio.h>

static void format_time(double seconds, char *text, size_t size)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}};
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof units[0] && seconds >= 999.5 * units[i].scale)
        i++;
    snprintf(text, size, "%.4g %s", seconds / units[i].scale, units[i].unit);
}

struct interval gate_known_ends(struct interval ratio)
{
    return (struct interval){ratio.low > 0 ? ratio.low : (double)NAN, isfinite(ratio.high) ? ratio.high : (double)NAN};
}

static void format_interval(struct interval ratio, char *text, size_t size)
{
    struct interval ends = gate_known_ends(ratio);
    if (isnan(ends.low) && isnan(ends.high))
        snprintf(text, size, "unknown");
    else if (isnan(ends.high))
        snprintf(text, size, "%.3f or more", ends.low);
    else if (isnan(ends.low))
        snprintf(text, size, "%.3f or less", ends.high);
    else
        snprintf(text, size, "%.3f to %.3f", ends.low, ends.high);
}

void gate_format(const struct compared_row *row, struct gate_figures *figures)
{
    *figures = (struct gate_figures){.ratio = "-", .interval = "-", .base = "-", .other = "-"};
    gate_row_note(row, figures->note, sizeof figures->note);
    if (!row->has_evidence)
        return;
    snprintf(figures->ratio, sizeof figures->ratio, "%.4f", row->evidence.ratio);
    format_interval(row->evidence.interval, figures->interval, sizeof figures->interval);
    format_time(row->evidence.base_s, figures->base, sizeof figures->base);
    format_time(row->evidence.new_s, figures->other, sizeof figures->other);
}
