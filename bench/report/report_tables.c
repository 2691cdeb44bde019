/* The tables for people: on the console a block per workload, none wider than 80 columns, and how many rows are what;
 * and the same as Markdown. */
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "report_text.h"
#include "reporter.h"
#include "standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct style {
    FILE *to;
    bool color;
};

enum { NAME = 18, MODE = 8 };

static const char bold[] = "\033[1m", green[] = "\033[32m", red[] = "\033[31m", plain[] = "\033[0m";

static const char *color(const struct style *style, const char *code)
{
    return style->color ? code : "";
}

static void print_heading(const struct style *style, const struct result *first)
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
        text_append(text, sizeof text, "%smedian of %d rounds", text[0] ? ", " : "", first->round_count);
    if (text[0])
        wrap_print(style->to, 2, text);
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
        text_append(names, size, "%s%s", names[0] ? " or " : "", last);
    }
}

/* What the speed-ups are over, and the headings of the columns. */
static void print_columns(const struct style *style, const struct result_list *rows)
{
    char text[512], libraries[256];
    const char *baseline = "";
    for (size_t i = 0; i < rows->count && !baseline[0]; i++)
        baseline = rows->items[i].baseline;
    list_libraries(rows, libraries, sizeof libraries);
    snprintf(text, sizeof text, "times faster than base: %s, lib: %s, CPU: the best CPU rung",
             baseline[0] ? baseline : "none", libraries[0] ? libraries : "none");
    wrap_print(style->to, 2, text);
    fprintf(style->to, "  %-*s %-*s %8s %6s %7s %5s %6s %6s %6s\n", NAME, "variant", MODE, "mode", "median", "+-",
            rows->items[0].flops > 0 ? "GFLOP/s" : "GB/s", "ceil%", "x base", "x lib", "x CPU");
}

/* A name that is too long ends in ~. */
static void print_cut(FILE *to, const char *name, int width)
{
    if (strlen(name) <= (size_t)width)
        fprintf(to, "%-*s", width, name);
    else
        fprintf(to, "%.*s~", width - 1, name);
}

static void print_measured(FILE *to, const struct result_list *block, const struct result *row)
{
    char time[FIGURE_MAX], spread[FIGURE_MAX], rate[FIGURE_MAX], ceiling[FIGURE_MAX], base[FIGURE_MAX],
        library[FIGURE_MAX], cpu[FIGURE_MAX];
    struct standing standing = standing_of(block, row);
    fprintf(to, " %8s %6s %7s %5s %6s %6s %6s\n", time_text(row->statistics.median, time),
            spread_text(&row->statistics, spread),
            number_text(block->items[0].flops > 0 ? row->gflops : row->bandwidth_gbs, rate),
            percent_text(row->ceiling_pct, ceiling), ratio_text(&standing.speedup, base),
            ratio_text(&standing.over_library, library), ratio_text(&standing.over_best_cpu, cpu));
}

static void print_verified(FILE *to, const struct result *row)
{
    fprintf(to, " correct%s%s", row->runs_as[0] ? " = " : "", row->runs_as);
    if (row->err_bound > 0)
        fprintf(to, "; error %.3g, bound %.3g", row->max_abs_err, row->err_bound);
    if (!isnan(row->rms_err))
        fprintf(to, "; RMS %.2f u", row->rms_err);
    fputc('\n', to);
}

static void print_row(const struct style *style, const struct result_list *block, const struct result *row)
{
    bool has_failed = row->status == STATUS_FAILED;
    fprintf(style->to, "%s  ", has_failed ? color(style, red) : "");
    print_cut(style->to, row->variant, NAME);
    fputc(' ', style->to);
    print_cut(style->to, row->mode, MODE);
    if (has_failed) {
        fprintf(style->to, " %s%s\n", result_is_wrong(row) ? "WRONG:" : "failed:", color(style, plain));
        wrap_print(style->to, 6, row->reason);
    } else if (result_is_measured(row)) {
        print_measured(style->to, block, row);
    } else {
        print_verified(style->to, row);
    }
}

/* Libraries, which are measured first, close the block as they close the ladder. Skipped rows share a line. */
static void print_rows(const struct style *style, const struct result_list *block, bool libraries)
{
    for (size_t i = 0; i < block->count; i++)
        if (block->items[i].is_library == libraries && block->items[i].status != STATUS_SKIPPED)
            print_row(style, block, &block->items[i]);
}

static struct wrap begin_standing(const struct style *style, const char *mark, const struct result *row)
{
    struct wrap wrap = {style->to, 2, 4, false};
    fprintf(style->to, "%s%s%s ", color(style, green), mark, color(style, plain));
    wrap_words(&wrap, row->mode);
    wrap_glue(&wrap, ':');
    return wrap;
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

static void print_best(const struct style *style, const struct result *best, const struct standing *standing)
{
    struct wrap wrap = begin_standing(style, "*", best);
    wrap_words(&wrap, best->variant);
    if (standing->library != best)
        add_ratio(&wrap, standing->over_library, standing->library);
    if (standing->best_cpu != best)
        add_ratio(&wrap, standing->over_best_cpu, standing->best_cpu);
    fputc('\n', style->to);
}

/* Those that cannot be told from the best row of their mode. */
static void print_ties(const struct style *style, const struct result_list *block, const struct result *best)
{
    struct wrap wrap;
    size_t ties = 0;
    for (size_t i = 0; i < block->count; i++) {
        if (strcmp(block->items[i].mode, best->mode) != 0 || !standing_of(block, &block->items[i]).is_tied)
            continue;
        if (ties++ == 0) {
            wrap = begin_standing(style, "=", best);
            wrap_words(&wrap, "as fast, as far as can be told:");
        } else {
            wrap_glue(&wrap, ',');
        }
        wrap_words(&wrap, block->items[i].variant);
    }
    if (ties > 0)
        fputc('\n', style->to);
}

static void print_standings(const struct style *style, const struct result_list *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct result *row = &block->items[i];
        struct standing standing = standing_of(block, row);
        if (!standing.is_best)
            continue;
        print_best(style, row, &standing);
        print_ties(style, block, row);
    }
}

enum { MARKS_MAX = 1024, BLOCK_MARKS_MAX = 16384 };

/* The marks of a row, separated by spaces; what it ran instead of its own kernel is one word. */
static void marks_of(const struct result *row, char words[MARKS_MAX])
{
    words[0] = '\0';
    if (result_is_measured(row))
        snprintf(words, MARKS_MAX, "%s %s %s %s%s %s", row->unfair, row->launch_bound ? "launch-bound" : "",
                 result_has_interval(row) ? "" : "no-interval", row->runs_as[0] ? "runs_as=" : "", row->runs_as,
                 row->conditions.marks);
}

static bool has_mark(const struct result *row, const char *mark)
{
    char words[MARKS_MAX];
    marks_of(row, words);
    return words_have(words, mark, ' ');
}

static bool is_skipped_for(const struct result *row, const char *reason)
{
    return row->status == STATUS_SKIPPED && strcmp(row->reason, reason) == 0;
}

/* All of which it is true, "a hot, b cold hot", or without their modes "a, b". */
static void wrap_rows(struct wrap *wrap, const struct result_list *rows,
                      bool (*is_true)(const struct result *row, const char *what), const char *what, bool has_modes)
{
    const char *last = "";
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        if (!is_true(row, what))
            continue;
        if (strcmp(row->variant, last) != 0) {
            if (last[0])
                wrap_glue(wrap, ',');
            wrap_words(wrap, row->variant);
        }
        if (has_modes)
            wrap_words(wrap, row->mode);
        last = row->variant;
    }
}

static struct wrap begin_line(FILE *to, const char *words)
{
    struct wrap wrap = {to, 2, 4, false};
    fputs("  ", to);
    wrap_words(&wrap, words);
    return wrap;
}

/* A line for each warning that rows carry. */
static void print_marks(const struct style *style, const struct result_list *rows)
{
    char words[MARKS_MAX], all[BLOCK_MARKS_MAX] = "", *rest;
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        marks_of(row, words);
        words_join(all, sizeof all, words);
    }
    for (char *mark = strtok_r(all, " ", &rest); mark; mark = strtok_r(NULL, " ", &rest)) {
        struct wrap wrap = begin_line(style->to, mark);
        wrap_glue(&wrap, ':');
        wrap_rows(&wrap, rows, has_mark, mark, true);
        fputc('\n', style->to);
    }
}

/* A line for each reason for which rows were skipped. */
static void print_skipped(const struct style *style, const struct result_list *rows)
{
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        const struct result *first = rows->items;
        while (!is_skipped_for(first, row->reason) && first < row)
            first++;
        if (row->status != STATUS_SKIPPED || first != row)
            continue;
        struct wrap wrap = begin_line(style->to, "skipped");
        wrap_rows(&wrap, rows, is_skipped_for, row->reason, false);
        wrap_glue(&wrap, ':');
        wrap_words(&wrap, row->reason);
        fputc('\n', style->to);
    }
}

static void print_block(const struct style *style, const struct result_list *block)
{
    print_heading(style, &block->items[0]);
    if (result_list_counts(block).measured > 0)
        print_columns(style, block);
    print_rows(style, block, false);
    print_rows(style, block, true);
    print_standings(style, block);
    print_marks(style, block);
    print_skipped(style, block);
}

static void add_count(FILE *to, size_t count, const char *what)
{
    if (count > 0)
        fprintf(to, " %zu %s,", count, what);
}

/* "264 rows: 260 measured and verified, 4 skipped, 0 wrong" */
static void print_counts(FILE *to, const struct result_list *rows)
{
    struct result_counts counts = result_list_counts(rows);
    fprintf(to, "\n%zu row%s:", rows->count, rows->count == 1 ? "" : "s");
    add_count(to, counts.measured, "measured and verified");
    add_count(to, counts.verified, "verified");
    add_count(to, counts.failed - counts.wrong, "failed");
    add_count(to, counts.skipped, "skipped");
    fprintf(to, " %zu wrong\n", counts.wrong);
}

struct reason {
    const char *text;
    size_t count;
};

/* The most frequent first. */
static int by_count(const void *left, const void *right)
{
    const struct reason *a = left, *b = right;
    return a->count != b->count ? (a->count < b->count) - (a->count > b->count) : strcmp(a->text, b->text);
}

/* Why rows were skipped, and how many. */
static void print_reasons(FILE *to, const struct result_list *rows)
{
    struct reason *reasons = memory_get(rows->count, sizeof *reasons);
    size_t count = 0;
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        size_t i = 0;
        if (row->status != STATUS_SKIPPED)
            continue;
        while (i < count && strcmp(reasons[i].text, row->reason) != 0)
            i++;
        reasons[i] = (struct reason){row->reason, i < count ? reasons[i].count + 1 : 1};
        count += i == count;
    }
    qsort(reasons, count, sizeof *reasons, by_count);
    for (size_t i = 0; i < count; i++) {
        char text[sizeof rows->items->reason + 32];
        snprintf(text, sizeof text, "%zu skipped: %s", reasons[i].count, reasons[i].text);
        begin_line(to, text);
        fputc('\n', to);
    }
    free(reasons);
}

/* A kernel of the user's own in two sentences: is it right at the sizes that were asked for, and at others? */
static void print_verdict(FILE *to, const struct result_list *rows, const struct result *first)
{
    char text[sizeof first->not_general + 320], sizes[160] = "";
    bool is_right = true, is_timed = false;
    for (const struct result *row = first; row < rows->items + rows->count; row++) {
        if (strcmp(row->variant, first->variant) != 0 || strcmp(row->op, first->op) != 0 || !row->general[0])
            continue;
        is_right = is_right && (row->status != STATUS_FAILED || strncmp(row->reason, "not general", 11) == 0);
        is_timed = is_timed || row->statistics.count > 0;
        if (!words_have(sizes, row->shape, ' '))
            text_append(sizes, sizeof sizes, "%s%s", sizes[0] ? " " : "", row->shape);
    }
    const bool is_general = strcmp(first->general, "yes") == 0, is_some = strcmp(first->general, "no") != 0;
    snprintf(text, sizeof text, "%s: %s at %s%s. %s general kernel%s%s%s%s.", first->variant,
             is_right ? "correct" : "wrong", sizes, is_right && is_timed ? ", where it was timed" : "",
             is_general ? "A" : "Not a", is_general ? "" : ": ", first->not_general,
             is_general || !is_some ? "" : "; it seems to want ", is_general || !is_some ? "" : first->general);
    (void)begin_line(to, text);
    fputc('\n', to);
}

static void print_verdicts(FILE *to, const struct result_list *rows)
{
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        const struct result *first = rows->items;
        while (first < row && (!first->general[0] || strcmp(first->variant, row->variant) != 0))
            first++;
        if (row->general[0] && first == row)
            print_verdict(to, rows, row);
    }
}

void report_console(const struct result_list *rows, FILE *to, bool has_color)
{
    const struct style style = {to, has_color};
    for (size_t first = 0; first < rows->count;) {
        struct result_list block = result_list_block(rows, first);
        print_block(&style, &block);
        first += block.count;
    }
    if (rows->count > 0) {
        print_counts(to, rows);
        print_reasons(to, rows);
        print_verdicts(to, rows);
    }
}

static void put_markdown_heading(FILE *to, const struct result *first)
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

static void put_markdown_figures(FILE *to, const struct result *row, const struct standing *standing)
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

static void put_markdown_note(FILE *to, const struct result *row, const struct standing *standing)
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

static void put_markdown_row(FILE *to, const struct result_list *rows, const struct result *row)
{
    struct standing standing = standing_of(rows, row);
    fputs("| ", to);
    markdown_put_text(to, row->variant);
    fprintf(to, " | %s |", row->mode);
    if (row->statistics.count > 0)
        put_markdown_figures(to, row, &standing);
    else
        fputs(" | | | | | | | |", to);
    put_markdown_note(to, row, &standing);
    fputs(" |\n", to);
}

void report_markdown(const struct result_list *rows, FILE *to)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (i == 0 || !result_same_workload(&rows->items[i - 1], &rows->items[i]))
            put_markdown_heading(to, &rows->items[i]);
        put_markdown_row(to, rows, &rows->items[i]);
    }
}
