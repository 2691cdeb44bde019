#include "reporter.h"
#include "result_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the table says of a row that may prove wrong. */
struct shown_row {
    enum status status;
    bool is_over_ceiling;
};

struct console_report {
    FILE *to;
    bool color;
    struct result_list rows; /* of the workload in progress */
    int mode_width;
    struct shown_row *shown; /* in the order of results */
    size_t shown_count, shown_room, revised_count;
};

static const char bold[] = "\033[1m", green[] = "\033[32m", red[] = "\033[31m", plain[] = "\033[0m";

struct console_report *report_console_make(FILE *to, bool color)
{
    struct console_report *report = calloc(1, sizeof *report);
    if (report) {
        report->to = to;
        report->color = color;
    }
    return report;
}

static const char *color(const struct console_report *report, const char *code)
{
    return report->color ? code : "";
}

/* 4 significant digits in the unit that leaves 1 to 4 digits before the point. */
static const char *scaled(double value, const char *const units[], size_t count, char *text, size_t size)
{
    size_t unit = 0;
    while (unit + 1 < count && value >= 999.95) {
        value /= 1000;
        unit++;
    }
    int decimals = value < 9.9995 ? 3 : value < 99.995 ? 2 : 1;
    snprintf(text, size, "%.*f %s", decimals, value, units[unit]);
    return text;
}

static const char *time_text(double seconds, char *text, size_t size)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    return scaled(seconds * 1e9, units, 4, text, size);
}

enum { AMOUNT_UNITS = 7 };

static const char *amount_text(double amount, const char *const units[AMOUNT_UNITS], char *text, size_t size)
{
    return scaled(amount, units, AMOUNT_UNITS, text, size);
}

/* At least 2 significant digits, and no more than 3 unless they stand before the point. */
static const char *number_text(double value, char *text, size_t size)
{
    if (isnan(value))
        return "-";
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    if (value < 0.0995)
        snprintf(text, size, "%.2g", value);
    else
        snprintf(text, size, "%.*f", decimals, value);
    return text;
}

static const char *percent_text(double percent, char *text, size_t size)
{
    if (isnan(percent))
        return "-";
    snprintf(text, size, percent < 9.95 ? "%.1f" : "%.0f", percent);
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

static void print_heading(const struct console_report *report)
{
    const struct result *first = &report->rows.items[0];
    char bytes[32], flops[32];
    static const char *const byte_units[AMOUNT_UNITS] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    static const char *const flop_units[AMOUNT_UNITS] = {"flop", "kflop", "Mflop", "Gflop", "Tflop", "Pflop", "Eflop"};
    fprintf(report->to, "\n%s%s/%s%s  %s", color(report, bold), first->op, first->workload, color(report, plain),
            first->shape);
    if (first->bytes > 0)
        fprintf(report->to, ", %s", amount_text(first->bytes, byte_units, bytes, sizeof bytes));
    if (first->flops > 0)
        fprintf(report->to, ", %s", amount_text(first->flops, flop_units, flops, sizeof flops));
    if (first->input[0])
        fprintf(report->to, ", input: %s", first->input);
    if (first->round_count > 1)
        fprintf(report->to, ", median of %d rounds", first->round_count);
    fputc('\n', report->to);
}

static const char *baseline_of(const struct console_report *report)
{
    for (size_t i = 0; i < report->rows.count; i++)
        if (report->rows.items[i].baseline[0])
            return report->rows.items[i].baseline;
    return NULL;
}

static void print_columns(const struct console_report *report)
{
    const char *baseline = baseline_of(report);
    char over[72];
    snprintf(over, sizeof over, "%s%s", baseline ? "x " : "", baseline ? baseline : "speed-up");
    fprintf(report->to, "  %-16s %-*s %11s %7s %9s %8s %5s %12s %10s\n", "variant", report->mode_width, "mode",
            "median", "+-", "GFLOP/s", "GB/s", "ceil%", over, "x best CPU");
}

/* "= cuda_skinny": it ran that rung's kernel. */
static void print_runs_as(const struct console_report *report, const struct result *row)
{
    if (row->runs_as[0])
        fprintf(report->to, "  = %s", row->runs_as);
}

static void print_measured(const struct console_report *report, const struct result *row)
{
    char time[32], spread[32], gflops[32], bandwidth[32], ceiling[32], speedup[32], over_best[32];
    const struct result *best = result_list_best(&report->rows, row, row->mode, SIDE_ANY);
    const struct result *best_cpu = result_list_best(&report->rows, row, row->baseline_mode, SIDE_HOST);
    double gain =
        best_cpu && isnan(row->slowdown_pct) ? best_cpu->statistics.median / row->statistics.median : (double)NAN;
    bool marked = result_is_fair(row) && row->statistics.median <= best->statistics.median;
    const char *notes[] = {row->unfair, row->launch_bound ? "launch-bound" : "", row->conditions.marks};
    fprintf(report->to, "%s%c %-16s %-*s %11s %7s %9s %8s %5s %12s %10s", marked ? color(report, green) : "",
            marked ? '*' : ' ', row->variant, report->mode_width, row->mode,
            time_text(row->statistics.median, time, sizeof time), spread_text(&row->statistics, spread, sizeof spread),
            number_text(row->gflops, gflops, sizeof gflops),
            number_text(row->bandwidth_gbs, bandwidth, sizeof bandwidth),
            percent_text(row->ceiling_pct, ceiling, sizeof ceiling), number_text(row->speedup, speedup, sizeof speedup),
            number_text(gain, over_best, sizeof over_best));
    print_runs_as(report, row);
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        if (notes[i][0])
            fprintf(report->to, "  %s", notes[i]);
    fprintf(report->to, "%s\n", marked ? color(report, plain) : "");
}

static void print_verified(const struct console_report *report, const struct result *row)
{
    fprintf(report->to, "  %-16s %-*s correct", row->variant, report->mode_width, row->mode);
    print_runs_as(report, row);
    if (!isnan(row->err_bound) && row->err_bound > 0)
        fprintf(report->to, "; largest error %.3g, bound there %.3g", row->max_abs_err, row->err_bound);
    if (!isnan(row->rms_err))
        fprintf(report->to, "; RMS %.2f units of roundoff", row->rms_err);
    fputc('\n', report->to);
}

static void print_failed(const struct console_report *report, const struct result *row)
{
    fprintf(report->to, "%s  %-16s %-*s failed: %s%s\n", color(report, red), row->variant, report->mode_width,
            row->mode, row->reason, color(report, plain));
}

/* One line for all rows skipped for the reason of row `first`, unless an earlier row has printed it. */
static void print_skipped(const struct console_report *report, size_t first)
{
    const char *reason = report->rows.items[first].reason, *last_variant = "";
    for (size_t i = 0; i < first; i++)
        if (report->rows.items[i].status == STATUS_SKIPPED && strcmp(report->rows.items[i].reason, reason) == 0)
            return;
    fputs("  skipped", report->to);
    for (size_t i = first; i < report->rows.count; i++) {
        const struct result *row = &report->rows.items[i];
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
    const struct result *row = &report->rows.items[i];
    if (row->status == STATUS_FAILED)
        print_failed(report, row);
    else if (row->status == STATUS_SKIPPED)
        print_skipped(report, i);
    else if (row->statistics.count > 0)
        print_measured(report, row);
    else
        print_verified(report, row);
}

static int width_of_modes(const struct console_report *report)
{
    size_t width = strlen("mode ");
    for (size_t i = 0; i < report->rows.count; i++) {
        size_t length = strlen(report->rows.items[i].mode);
        width = length > width ? length : width;
    }
    return (int)width;
}

static bool print_block(struct console_report *report, struct error *error)
{
    if (report->rows.count == 0)
        return true;
    bool any_measured = false;
    for (size_t i = 0; i < report->rows.count; i++)
        any_measured = any_measured || report->rows.items[i].statistics.count > 0;
    report->mode_width = width_of_modes(report);
    print_heading(report);
    if (any_measured)
        print_columns(report);
    for (size_t i = 0; i < report->rows.count; i++)
        print_row(report, i);
    report->rows.count = 0;
    if (fflush(report->to) != 0)
        return error_set(error, "stdout: the table cannot be written");
    return true;
}

static bool is_over_ceiling(const struct result *result)
{
    return strstr(result->conditions.marks, "over-ceiling") != NULL;
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
    report->shown[report->shown_count++] = (struct shown_row){result->status, is_over_ceiling(result)};
    return true;
}

static void print_revision(const struct console_report *report, const struct shown_row *shown,
                           const struct result *result)
{
    static const char by[] = "by the best ceilings of the whole run";
    bool is_over = is_over_ceiling(result);
    if (shown->status != result->status)
        fprintf(report->to, "%s is %s after all, %s%s%s\n", result->name, status_name(result->status), by,
                result->reason[0] ? ": " : "", result->reason);
    else if (shown->is_over_ceiling != is_over)
        fprintf(report->to, "%s is %s its ceiling after all, %s\n", result->name, is_over ? "over" : "below", by);
}

bool report_console_revise(void *self, const struct result *result, struct error *error)
{
    struct console_report *report = self;
    if (!print_block(report, error))
        return false;
    if (report->revised_count < report->shown_count)
        print_revision(report, &report->shown[report->revised_count++], result);
    return true;
}

bool report_console_result(void *self, const struct result *result, struct error *error)
{
    struct console_report *report = self;
    if (!remember(report, result, error))
        return false;
    if (report->rows.count > 0 && !result_same_workload(&report->rows.items[0], result) && !print_block(report, error))
        return false;
    return result_list_add(&report->rows, result, error);
}

bool report_console_end(void *self, struct error *error)
{
    struct console_report *report = self;
    bool ok = print_block(report, error);
    if (ok && fflush(report->to) != 0)
        ok = error_set(error, "stdout: the table cannot be written");
    result_list_free(&report->rows);
    free(report->shown);
    free(report);
    return ok;
}
