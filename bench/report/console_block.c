#include "console_block.h"

#include "console_wrap.h"
#include "report_text.h"

#include <math.h>
#include <string.h>

enum { NAME = 18, MODE = 8 };

static const char bold[] = "\033[1m", green[] = "\033[32m", red[] = "\033[31m", plain[] = "\033[0m";

static const char *color(const struct console_style *style, const char *code)
{
    return style->color ? code : "";
}

static struct wrap begin_line(const struct console_style *style)
{
    fputs("  ", style->to);
    return (struct wrap){style->to, 2, 4, false};
}

static void print_wrapped(const struct console_style *style, const char *text, int indent)
{
    struct wrap wrap = {style->to, indent, indent, false};
    fprintf(style->to, "%*s", indent, "");
    wrap_words(&wrap, text);
    fputc('\n', style->to);
}

void console_heading(const struct console_style *style, const struct result *first)
{
    char amount[FIGURE_MAX], text[sizeof first->input + 64];
    fprintf(style->to, "\n%s%s/%s%s  %s", color(style, bold), first->op, first->workload, color(style, plain),
            first->shape);
    if (first->bytes > 0)
        fprintf(style->to, ", %s", bytes_text(first->bytes, amount));
    if (first->flops > 0)
        fprintf(style->to, ", %s", flops_text(first->flops, amount));
    fputc('\n', style->to);
    snprintf(text, sizeof text, "%s%s", first->input[0] ? "input: " : "", first->input);
    if (first->round_count > 1)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%smedian of %d rounds", first->input[0] ? ", " : "",
                 first->round_count);
    if (text[0])
        print_wrapped(style, text, 2);
}

static bool is_measured(const struct result *row)
{
    return row->status == STATUS_OK && row->statistics.count > 0;
}

static const char *baseline_of(const struct result_list *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].baseline[0])
            return rows->items[i].baseline;
    return NULL;
}

/* "this or that" */
static void list_libraries(const struct result_list *rows, char *names, size_t size)
{
    const char *last = "";
    names[0] = '\0';
    for (size_t i = 0; i < rows->count; i++) {
        const struct result *row = &rows->items[i];
        if (!row->is_library || !result_is_fair(row) || strcmp(row->variant, last) == 0)
            continue;
        last = row->variant;
        snprintf(names + strlen(names), size - strlen(names), "%s%s", names[0] ? " or " : "", last);
    }
}

void console_columns(const struct console_style *style, const struct result_list *rows)
{
    char text[512], libraries[256];
    const char *baseline = baseline_of(rows);
    bool has_flops = rows->items[0].flops > 0;
    list_libraries(rows, libraries, sizeof libraries);
    snprintf(text, sizeof text, "times faster than base: %s, lib: %s, CPU: the best CPU rung",
             baseline ? baseline : "none", libraries[0] ? libraries : "none");
    print_wrapped(style, text, 2);
    fprintf(style->to, "  %-*s %-*s %8s %6s %7s %5s %6s %6s %6s\n", NAME, "variant", MODE, "mode", "median", "+-",
            has_flops ? "GFLOP/s" : "GB/s", "ceil%", "x base", "x lib", "x CPU");
}

/* A name that is too long ends in ~. */
static void print_cut(FILE *to, const char *name, int width)
{
    if (strlen(name) <= (size_t)width)
        fprintf(to, "%-*s", width, name);
    else
        fprintf(to, "%.*s~", width - 1, name);
}

static void print_name(const struct console_style *style, const struct result *row)
{
    fputs("  ", style->to);
    print_cut(style->to, row->variant, NAME);
    fputc(' ', style->to);
    print_cut(style->to, row->mode, MODE);
}

static void print_measured(const struct console_style *style, const struct standings *standings,
                           const struct result *row)
{
    char time[FIGURE_MAX], spread[FIGURE_MAX], rate[FIGURE_MAX], ceiling[FIGURE_MAX], base[FIGURE_MAX],
        library[FIGURE_MAX], cpu[FIGURE_MAX];
    struct standing standing = standing_of(standings, row);
    print_name(style, row);
    fprintf(style->to, " %8s %6s %7s %5s %6s %6s %6s\n", time_text(row->statistics.median, time),
            spread_text(&row->statistics, spread),
            number_text(standings->rows->items[0].flops > 0 ? row->gflops : row->bandwidth_gbs, rate),
            percent_text(row->ceiling_pct, ceiling), ratio_text(&standing.speedup, base),
            ratio_text(&standing.over_library, library), ratio_text(&standing.over_best_cpu, cpu));
}

static void print_verified(const struct console_style *style, const struct result *row)
{
    char text[256] = "correct";
    if (row->runs_as[0])
        snprintf(text, sizeof text, "correct = %s", row->runs_as);
    print_name(style, row);
    if (!isnan(row->err_bound) && row->err_bound > 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), "; error %.3g, bound %.3g", row->max_abs_err,
                 row->err_bound);
    if (!isnan(row->rms_err))
        snprintf(text + strlen(text), sizeof text - strlen(text), "; RMS %.2f u", row->rms_err);
    fprintf(style->to, " %s\n", text);
}

static void print_failed(const struct console_style *style, const struct result *row)
{
    const char *what = result_is_wrong(row) ? "WRONG:" : "failed:";
    fputs(color(style, red), style->to);
    print_name(style, row);
    fprintf(style->to, " %s%s\n", what, color(style, plain));
    print_wrapped(style, row->reason, 6);
}

void console_row(const struct console_style *style, const struct standings *standings, const struct result *row)
{
    if (row->status == STATUS_FAILED)
        print_failed(style, row);
    else if (is_measured(row))
        print_measured(style, standings, row);
    else
        print_verified(style, row);
}

static bool is_first_of_reason(const struct result_list *rows, size_t i)
{
    for (size_t earlier = 0; earlier < i; earlier++)
        if (rows->items[earlier].status == STATUS_SKIPPED &&
            strcmp(rows->items[earlier].reason, rows->items[i].reason) == 0)
            return false;
    return true;
}

static void print_skipped(const struct console_style *style, const struct result_list *rows, size_t first)
{
    const char *reason = rows->items[first].reason, *last = "";
    struct wrap wrap = begin_line(style);
    wrap_words(&wrap, "skipped");
    for (size_t i = first; i < rows->count; i++) {
        const struct result *row = &rows->items[i];
        if (row->status != STATUS_SKIPPED || strcmp(row->reason, reason) != 0 || strcmp(row->variant, last) == 0)
            continue;
        if (last[0])
            wrap_glue(&wrap, ',');
        wrap_words(&wrap, row->variant);
        last = row->variant;
    }
    wrap_glue(&wrap, ':');
    wrap_words(&wrap, reason);
    fputc('\n', style->to);
}

void console_skipped(const struct console_style *style, const struct result_list *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].status == STATUS_SKIPPED && is_first_of_reason(rows, i))
            print_skipped(style, rows, i);
}

/* ", 1.66 x that" */
static void add_ratio(struct wrap *wrap, struct ratio ratio, const struct result *over)
{
    char number[FIGURE_MAX], text[FIGURE_MAX + sizeof over->variant + 4];
    if (!over || isnan(ratio.value))
        return;
    snprintf(text, sizeof text, "%s x %s", ratio_text(&ratio, number), over->variant);
    wrap_glue(wrap, ',');
    wrap_words(wrap, text);
}

static struct wrap begin_standing(const struct console_style *style, const char *mark, const struct result *row)
{
    struct wrap wrap = {style->to, 2, 4, false};
    fprintf(style->to, "%s%s%s ", color(style, green), mark, color(style, plain));
    wrap_words(&wrap, row->mode);
    wrap_glue(&wrap, ':');
    return wrap;
}

static void print_best(const struct console_style *style, const struct standings *standings, const struct result *best)
{
    struct standing standing = standing_of(standings, best);
    struct wrap wrap = begin_standing(style, "*", best);
    wrap_words(&wrap, best->variant);
    if (standing.library != best)
        add_ratio(&wrap, standing.over_library, standing.library);
    if (standing.best_cpu != best)
        add_ratio(&wrap, standing.over_best_cpu, standing.best_cpu);
    fputc('\n', style->to);
}

static bool is_tied(const struct standings *standings, const struct result *row, const char *mode)
{
    return strcmp(row->mode, mode) == 0 && standing_of(standings, row).is_tied;
}

static void print_ties(const struct console_style *style, const struct standings *standings, const struct result *best)
{
    const struct result_list *rows = standings->rows;
    struct wrap wrap;
    size_t ties = 0;
    for (size_t i = 0; i < rows->count; i++) {
        if (!is_tied(standings, &rows->items[i], best->mode))
            continue;
        if (ties++ == 0) {
            wrap = begin_standing(style, "=", best);
            wrap_words(&wrap, "as fast, as far as can be told:");
        } else {
            wrap_glue(&wrap, ',');
        }
        wrap_words(&wrap, rows->items[i].variant);
    }
    if (ties > 0)
        fputc('\n', style->to);
}

void console_best(const struct console_style *style, const struct standings *standings)
{
    for (size_t i = 0; i < standings->rows->count; i++) {
        const struct result *row = &standings->rows->items[i];
        if (!standing_of(standings, row).is_best)
            continue;
        print_best(style, standings, row);
        print_ties(style, standings, row);
    }
}

/* The marks of a row, separated by spaces; what it ran instead of its own kernel is one word. */
static void marks_of(const struct result *row, char *words, size_t size)
{
    words[0] = '\0';
    if (!is_measured(row))
        return;
    snprintf(words, size, "%s %s %s %s%s %s", result_unfair(row), row->launch_bound ? "launch-bound" : "",
             result_has_interval(row) ? "" : "no-interval", row->runs_as[0] ? "runs_as=" : "", row->runs_as,
             row->conditions.marks);
}

enum { MARKS_MAX = 1024 };

static bool has_mark(const struct result *row, const char *mark)
{
    char words[MARKS_MAX], *rest;
    marks_of(row, words, sizeof words);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        if (strcmp(word, mark) == 0)
            return true;
    return false;
}

static bool was_printed(const struct result_list *rows, size_t first, const char *mark)
{
    for (size_t i = 0; i < first; i++)
        if (has_mark(&rows->items[i], mark))
            return true;
    return false;
}

/* Which rows have it, from the first one on. */
static void print_mark(const struct console_style *style, const struct result_list *rows, size_t first,
                       const char *mark)
{
    const char *last = "";
    struct wrap wrap = begin_line(style);
    wrap_words(&wrap, mark);
    wrap_glue(&wrap, ':');
    for (size_t i = first; i < rows->count; i++) {
        const struct result *row = &rows->items[i];
        if (!has_mark(row, mark))
            continue;
        if (strcmp(row->variant, last) != 0) {
            if (last[0])
                wrap_glue(&wrap, ',');
            wrap_words(&wrap, row->variant);
        }
        wrap_words(&wrap, row->mode);
        last = row->variant;
    }
    fputc('\n', style->to);
}

void console_marks(const struct console_style *style, const struct result_list *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        char words[MARKS_MAX], *rest;
        marks_of(&rows->items[i], words, sizeof words);
        for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            if (!was_printed(rows, i, word))
                print_mark(style, rows, i, word);
    }
}
