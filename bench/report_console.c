#include "reporter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct console_report {
    FILE *to;
    bool color;
    struct result *rows; /* of the workload in progress */
    size_t count, room;
};

struct console_report *report_console_make(FILE *to, bool color)
{
    struct console_report *report = calloc(1, sizeof *report);
    if (report) {
        report->to = to;
        report->color = color;
    }
    return report;
}

/* 4 significant digits in the unit that leaves 1 to 4 digits before the point. */
static const char *scaled(double value, const char *const units[], double step, size_t count, char *text, size_t size)
{
    size_t unit = 0;
    while (unit + 1 < count && fabs(value) >= 0.99995 * step) {
        value /= step;
        unit++;
    }
    int decimals = fabs(value) < 9.9995 ? 3 : fabs(value) < 99.995 ? 2 : 1;
    snprintf(text, size, "%.*f %s", decimals, value, units[unit]);
    return text;
}

static const char *time_text(double seconds, char *text, size_t size)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    return scaled(seconds * 1e9, units, 1000, 4, text, size);
}

static const char *amount_text(double amount, const char *const units[4], char *text, size_t size)
{
    return scaled(amount, units, 1000, 4, text, size);
}

static const char *number_text(double value, char *text, size_t size)
{
    if (isnan(value))
        return "-";
    snprintf(text, size, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    return text;
}

/* Half the confidence interval of the median, in per cent of it. */
static const char *spread_text(const struct statistics *s, char *text, size_t size)
{
    if (isnan(s->ci_high))
        return "?";
    snprintf(text, size, "%.1f%%", 50 * (s->ci_high - s->ci_low) / s->median);
    return text;
}

/* Speed-ups compare with another row in the mode that the row's own speed-up does. */
static const char *comparable_mode(const struct result *row)
{
    return strcmp(row->mode, "cold") == 0 ? "cold" : "hot";
}

static bool is_ok_in(const struct result *row, const char *mode)
{
    return row->status == STATUS_OK && strcmp(row->mode, mode) == 0 && !isnan(row->statistics.median);
}

/* The fastest of the rows on the CPU in that mode, or NULL. */
static const struct result *best_cpu(const struct console_report *report, const char *mode)
{
    const struct result *best = NULL;
    for (size_t i = 0; i < report->count; i++) {
        const struct result *row = &report->rows[i];
        if (is_ok_in(row, mode) && row->is_host && (!best || row->statistics.median < best->statistics.median))
            best = row;
    }
    return best;
}

static bool is_best(const struct console_report *report, const struct result *row)
{
    if (row->is_unfair || !is_ok_in(row, row->mode))
        return false;
    for (size_t i = 0; i < report->count; i++) {
        const struct result *other = &report->rows[i];
        if (!other->is_unfair && is_ok_in(other, row->mode) && other->statistics.median < row->statistics.median)
            return false;
    }
    return true;
}

static void print_heading(const struct console_report *report)
{
    const struct result *first = &report->rows[0];
    char bytes[32], flops[32];
    static const char *const byte_units[4] = {"B", "kB", "MB", "GB"}, *const flop_units[4] = {"flop", "kflop", "Mflop",
                                                                                              "Gflop"};
    fprintf(report->to, "\n%s%s/%s%s  %s", report->color ? "\033[1m" : "", first->op, first->workload,
            report->color ? "\033[0m" : "", first->shape);
    if (first->bytes > 0)
        fprintf(report->to, ", %s", amount_text(first->bytes, byte_units, bytes, sizeof bytes));
    if (first->flops > 0)
        fprintf(report->to, ", %s", amount_text(first->flops, flop_units, flops, sizeof flops));
    if (first->input[0])
        fprintf(report->to, ", input: %s", first->input);
    fputc('\n', report->to);
}

static const char *baseline_of(const struct console_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->rows[i].baseline && report->rows[i].baseline[0])
            return report->rows[i].baseline;
    return NULL;
}

static void print_measured(const struct console_report *report, const struct result *row)
{
    char time[32], spread[32], gflops[32], bandwidth[32], speedup[32], over_best[32];
    const struct result *best = best_cpu(report, comparable_mode(row));
    bool marked = is_best(report, row);
    fprintf(
        report->to, "%s%c %-16s %-5s %11s %7s %9s %8s %10s %10s%s%s%s\n", marked && report->color ? "\033[32m" : "",
        marked ? '*' : ' ', row->variant, row->mode, time_text(row->statistics.median, time, sizeof time),
        spread_text(&row->statistics, spread, sizeof spread), number_text(result_gflops(row), gflops, sizeof gflops),
        number_text(result_bandwidth_gbs(row), bandwidth, sizeof bandwidth),
        number_text(row->speedup, speedup, sizeof speedup),
        number_text(best ? best->statistics.median / row->statistics.median : (double)NAN, over_best, sizeof over_best),
        row->is_unfair ? "  " : "", row->is_unfair ? row->precision : "", row->launch_bound ? "  launch-bound" : "");
    if (marked && report->color)
        fputs("\033[0m", report->to);
}

static void print_verified(const struct console_report *report, const struct result *row)
{
    fprintf(report->to, "  %-16s %-6s right", row->variant, row->mode);
    if (!isnan(row->err_bound) && row->err_bound > 0)
        fprintf(report->to, "; largest error %.3g, bound there %.3g", row->max_abs_err, row->err_bound);
    if (!isnan(row->rms_err))
        fprintf(report->to, "; RMS %.2f units of roundoff", row->rms_err);
    fputc('\n', report->to);
}

static void print_failed(const struct console_report *report, const struct result *row)
{
    fprintf(report->to, "%s  %-16s %-5s failed: %s%s\n", report->color ? "\033[31m" : "", row->variant, row->mode,
            row->reason, report->color ? "\033[0m" : "");
}

/* All that was skipped for the reason of row `first` on one line, unless an earlier row has said it already. */
static void print_skipped(const struct console_report *report, size_t first)
{
    const char *reason = report->rows[first].reason, *last_variant = "";
    for (size_t i = 0; i < first; i++)
        if (report->rows[i].status == STATUS_SKIPPED && strcmp(report->rows[i].reason, reason) == 0)
            return;
    fputs("  skipped", report->to);
    for (size_t i = first; i < report->count; i++) {
        const struct result *row = &report->rows[i];
        if (row->status != STATUS_SKIPPED || strcmp(row->reason, reason) != 0)
            continue;
        if (strcmp(row->variant, last_variant) != 0)
            fprintf(report->to, "%s %s", i == first ? "" : ",", row->variant);
        last_variant = row->variant;
    }
    fprintf(report->to, ": %s\n", reason);
}

static void print_row(const struct console_report *report, size_t i)
{
    const struct result *row = &report->rows[i];
    if (row->status == STATUS_FAILED)
        print_failed(report, row);
    else if (row->status == STATUS_SKIPPED)
        print_skipped(report, i);
    else if (row->statistics.count > 0)
        print_measured(report, row);
    else
        print_verified(report, row);
}

static bool print_block(struct console_report *report, struct error *error)
{
    if (report->count == 0)
        return true;
    print_heading(report);
    bool any_measured = false;
    for (size_t i = 0; i < report->count; i++)
        any_measured = any_measured || report->rows[i].statistics.count > 0;
    if (any_measured) {
        const char *baseline = baseline_of(report);
        char over[24];
        snprintf(over, sizeof over, "x %s", baseline ? baseline : "baseline");
        fprintf(report->to, "  %-16s %-5s %11s %7s %9s %8s %10s %10s\n", "variant", "mode", "median", "+-", "GFLOP/s",
                "GB/s", baseline ? over : "speed-up", "x best CPU");
    }
    for (size_t i = 0; i < report->count; i++)
        print_row(report, i);
    report->count = 0;
    if (fflush(report->to) != 0)
        return error_set(error, "stdout: the table cannot be written");
    return true;
}

static bool same_block(const struct result *a, const struct result *b)
{
    return strcmp(a->op, b->op) == 0 && strcmp(a->workload, b->workload) == 0;
}

bool report_console_result(struct console_report *report, const struct result *result, struct error *error)
{
    if (report->count > 0 && !same_block(&report->rows[0], result) && !print_block(report, error))
        return false;
    if (report->count == report->room) {
        size_t room = report->room ? 2 * report->room : 32;
        struct result *rows = realloc(report->rows, room * sizeof *rows);
        if (!rows)
            return error_set(error, "stdout: no memory for the table");
        report->rows = rows;
        report->room = room;
    }
    report->rows[report->count++] = *result;
    return true;
}

bool report_console_end(struct console_report *report, struct error *error)
{
    bool ok = print_block(report, error);
    free(report->rows);
    free(report);
    return ok;
}
