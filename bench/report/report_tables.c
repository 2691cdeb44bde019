/* The tables for people: on the console a block per workload, none wider than 80 columns, and how many rows are what;
 * and the same as Markdown. */
#include "bench/base/json_text.h"
#include "bench/base/plain_text.h"
#include "legend.h"
#include "report_text.h"
#include "reporter.h"
#include "standing.h"

#include <math.h>
#include <string.h>

struct style {
    FILE *to;
    bool color;
};

enum { NAME = 18, MODE = 8, WORDS_MAX = 8192 };

static const char bold[] = "\033[1m", green[] = "\033[32m", red[] = "\033[31m", plain[] = "\033[0m";

static const char *color(const struct style *style, const char *code)
{
    return style->color ? code : "";
}

static void print_heading(const struct style *style, const struct result *first)
{
    char rounds[48] = "";
    fprintf(style->to, "\n%s%s/%s%s  %s", color(style, bold), first->op, first->workload, color(style, plain),
            first->shape);
    if (first->bytes > 0)
        fprintf(style->to, ", %s", bytes_text(first->bytes).text);
    if (first->flops > 0)
        fprintf(style->to, ", %s", flops_text(first->flops).text);
    fputc('\n', style->to);
    if (first->round_count > 1)
        snprintf(rounds, sizeof rounds, "%smedian of %d rounds", first->input[0] ? ", " : "", first->round_count);
    if (first->input[0] || rounds[0])
        wrap_print(style->to, 2, 2, "%s%s%s", first->input[0] ? "input: " : "", first->input, rounds);
}

/* The fastest of each backend: "this or that" */
static void list_libraries(const struct result_list *rows, char *names, size_t size)
{
    const char *last = "";
    names[0] = '\0';
    for (size_t i = 0; i < rows->count; i++) {
        const struct result *row = &rows->items[i];
        if (strcmp(row->variant, last) == 0 || standing_fastest(rows, row, row->mode, AMONG_LIBRARIES) != row)
            continue;
        last = row->variant;
        text_append(names, size, "%s%s", names[0] ? " or " : "", last);
    }
}

/* What says most of such rows. */
static const char *unit_of(const struct result *like)
{
    return like->message_bytes > 0 ? "busGB/s" : like->flops > 0 ? "GFLOP/s" : "GB/s";
}

static double rate_of(const struct result *like, const struct result *row)
{
    return like->message_bytes > 0 ? row->bus_gbs : like->flops > 0 ? row->gflops : row->bandwidth_gbs;
}

static void print_columns(const struct style *style, const struct result_list *rows)
{
    char libraries[256];
    const char *baseline = "";
    for (size_t i = 0; i < rows->count && !baseline[0]; i++)
        baseline = rows->items[i].baseline;
    list_libraries(rows, libraries, sizeof libraries);
    wrap_print(style->to, 2, 2, "times faster than base: %s, lib: %s, CPU: the best CPU rung",
               baseline[0] ? baseline : "none", libraries[0] ? libraries : "none");
    fprintf(style->to, "  %-*s %-*s %8s %6s %7s %5s %6s %6s %6s\n", NAME, "variant", MODE, "mode", "median", "+-",
            unit_of(rows->items), "ceil%", "x base", "x lib", "x CPU");
}

static void print_measured(FILE *to, const struct result_list *block, const struct result *row)
{
    struct standing standing = standing_of(block, row);
    fprintf(to, " %8s %6s %7s %5s %6s %6s %6s\n", time_text(row->statistics.median).text,
            spread_text(&row->statistics).text, number_text(rate_of(block->items, row)).text,
            percent_text(row->ceiling_pct).text, ratio_text(standing.speedup).text,
            ratio_text(standing.over_library).text, ratio_text(standing.over_best_cpu).text);
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
    fprintf(style->to, "%s  %-*.*s %-*.*s", has_failed ? color(style, red) : "", NAME, NAME, row->variant, MODE, MODE,
            row->mode);
    if (has_failed) {
        fprintf(style->to, " %s%s\n", result_is_wrong(row) ? "WRONG:" : "failed:", color(style, plain));
        wrap_print(style->to, 6, 6, "%s", row->reason);
    } else if (result_is_measured(row)) {
        print_measured(style->to, block, row);
    } else {
        print_verified(style->to, row);
    }
}

static void print_standing(const struct style *style, const char *mark, const char *mode, const char *words)
{
    fprintf(style->to, "%s%s%s", color(style, green), mark, color(style, plain));
    wrap_print(style->to, 1, 4, "%s: %s", mode, words);
}

/* ", 1.66 x that" */
static void add_ratio(char words[WORDS_MAX], struct ratio ratio, const struct result *over)
{
    if (over && !isnan(ratio.value))
        text_append(words, WORDS_MAX, ", %s x %s", ratio_text(ratio).text, over->variant);
}

static void print_best(const struct style *style, const struct result *best, const struct standing *standing)
{
    char words[WORDS_MAX];
    snprintf(words, sizeof words, "%s", best->variant);
    if (standing->library != best)
        add_ratio(words, standing->over_library, standing->library);
    if (standing->best_cpu != best)
        add_ratio(words, standing->over_best_cpu, standing->best_cpu);
    print_standing(style, "*", best->mode, words);
}

/* Those that cannot be told from the best row of their mode. */
static void print_ties(const struct style *style, const struct result_list *block, const struct result *best)
{
    char words[WORDS_MAX] = "";
    for (const struct result *row = block->items; row < block->items + block->count; row++)
        if (strcmp(row->mode, best->mode) == 0 && standing_of(block, row).is_tied)
            text_append(words, sizeof words, "%s %s", words[0] ? "," : "as fast, as far as can be told:", row->variant);
    if (words[0])
        print_standing(style, "=", best->mode, words);
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

/* The marks of a row, separated by spaces; what it ran instead of its own kernel is one word. */
static void marks_of(const struct result *row, char words[WORDS_MAX])
{
    snprintf(words, WORDS_MAX, "%s %s %s %s%s %s", row->unfair, row->launch_bound ? "launch-bound" : "",
             result_is_approximate(row) ? "no-interval" : "", row->runs_as[0] ? "runs_as=" : "", row->runs_as,
             row->conditions.marks);
}

static bool has_mark(const struct result *row, const char *mark)
{
    char words[WORDS_MAX];
    marks_of(row, words);
    return words_have(words, mark, ' ');
}

/* All that have the mark, "a hot, b cold hot". */
static void list_rows(char words[WORDS_MAX], const struct result_list *rows, const char *mark)
{
    const char *last = "";
    words[0] = '\0';
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        if (!has_mark(row, mark))
            continue;
        if (strcmp(row->variant, last) != 0)
            text_append(words, WORDS_MAX, "%s%s", last[0] ? ", " : "", row->variant);
        text_append(words, WORDS_MAX, " %s", row->mode);
        last = row->variant;
    }
}

static void collect_marks(const struct result_list *rows, char all[WORDS_MAX])
{
    char words[WORDS_MAX];
    all[0] = '\0';
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        marks_of(row, words);
        words_join(all, WORDS_MAX, words);
    }
}

static void print_marks(const struct style *style, const struct result_list *rows)
{
    char words[WORDS_MAX], all[WORDS_MAX], *rest;
    collect_marks(rows, all);
    for (char *mark = strtok_r(all, " ", &rest); mark; mark = strtok_r(NULL, " ", &rest)) {
        list_rows(words, rows, mark);
        wrap_print(style->to, 2, 4, "%s: %s", mark, words);
    }
}

static void print_block(const struct style *style, const struct result_list *block)
{
    print_heading(style, &block->items[0]);
    if (result_list_counts(block).measured > 0)
        print_columns(style, block);
    for (size_t i = 0; i < block->count; i++)
        if (block->items[i].status != STATUS_SKIPPED) /* these share a line */
            print_row(style, block, &block->items[i]);
    print_standings(style, block);
    print_marks(style, block);
}

static bool is_skipped_as(const struct result *row, const struct result *other)
{
    return row->status == STATUS_SKIPPED && strcmp(row->reason, other->reason) == 0;
}

enum { NAMED = 8 };

/* "  skipped a, b (12 rows of 3 workloads): no GPU", "  skipped a on matmul/large: too slow" */
static void print_skipped_as(const struct style *style, const struct result_list *rows, const struct result *first)
{
    char rungs[WORDS_MAX] = "", listed[WORDS_MAX] = "", *rest;
    const struct result *last = NULL;
    size_t count = 0, workloads = 0, names = 0;
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        if (!is_skipped_as(row, first))
            continue;
        words_join(rungs, sizeof rungs, row->variant);
        workloads += !last || !result_same_workload(last, row);
        last = row;
        count++;
    }
    for (char *rung = strtok_r(rungs, " ", &rest); rung; rung = strtok_r(NULL, " ", &rest))
        if (names++ < NAMED)
            text_append(listed, sizeof listed, "%s%s", listed[0] ? ", " : "", rung);
    if (names > NAMED)
        text_append(listed, sizeof listed, " and %zu more", names - NAMED);
    if (workloads == 1)
        wrap_print(style->to, 2, 4, "skipped %s on %s/%s: %s", listed, last->op, last->workload, first->reason);
    else
        wrap_print(style->to, 2, 4, "skipped %s (%zu rows of %zu workloads): %s", listed, count, workloads,
                   first->reason);
}

static void print_skipped(const struct style *style, const struct result_list *rows)
{
    bool is_any = false;
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        if (row->status != STATUS_SKIPPED || !result_is_first(rows, row, is_skipped_as))
            continue;
        if (!is_any)
            fputc('\n', style->to);
        is_any = true;
        print_skipped_as(style, rows, row);
    }
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

/* Both of one kernel of the user's own. */
static bool is_of_kernel(const struct result *row, const struct result *other)
{
    return row->general[0] && strcmp(row->variant, other->variant) == 0 && strcmp(row->op, other->op) == 0;
}

/* A kernel of the user's own in two sentences: is it right at the sizes that were asked for, and at others? */
static void print_verdict(FILE *to, const struct result_list *rows, const struct result *first)
{
    char right[160] = "", wrong[160] = "";
    bool is_timed = false;
    for (const struct result *row = first; row < rows->items + rows->count; row++) {
        if (!is_of_kernel(row, first))
            continue;
        const bool is_right = row->status != STATUS_FAILED || strncmp(row->reason, "not general", 11) == 0;
        const char *start = is_right ? "correct at " : "wrong at ";
        char *sizes = is_right ? right : wrong;
        is_timed = is_timed || row->statistics.count > 0;
        if (!words_have(sizes, row->shape, ' '))
            text_append(sizes, sizeof right, "%s%s", sizes[0] ? " " : start, row->shape);
    }
    const bool is_general = strcmp(first->general, "yes") == 0, is_some = strcmp(first->general, "no") != 0;
    const char *between = wrong[0] == '\0' ? (is_timed ? ", where it was timed" : "") : right[0] ? ", " : "";
    wrap_print(to, 2, 4, "%s: %s%s%s. %s general kernel%s%s%s%s.", first->variant, right, between, wrong,
               is_general ? "A" : "Not a", is_general ? "" : ": ", first->not_general,
               is_general || !is_some ? "" : "; it seems to want ", is_general || !is_some ? "" : first->general);
}

static void print_verdicts(FILE *to, const struct result_list *rows)
{
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++)
        if (row->general[0] && result_is_first(rows, row, is_of_kernel))
            print_verdict(to, rows, row);
}

void report_console(const struct result_list *rows, FILE *to, bool has_color)
{
    const struct style style = {to, has_color};
    struct result_list block;
    char marks[WORDS_MAX];
    for (size_t first = 0; first < rows->count; first += block.count) {
        block = result_list_around(rows, &rows->items[first]);
        if (result_list_counts(&block).skipped < block.count)
            print_block(&style, &block);
    }
    collect_marks(rows, marks);
    legend_print(rows, marks, to);
    print_skipped(&style, rows);
    if (rows->count > 0) {
        print_counts(to, rows);
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

static void put_markdown_note(FILE *to, const struct result *row, const struct standing *standing)
{
    char marks[WORDS_MAX], words[WORDS_MAX] = "";
    if (row->status != STATUS_OK) {
        fputs(result_is_wrong(row) ? " **WRONG**: " : row->status == STATUS_FAILED ? " failed: " : " skipped: ", to);
        markdown_put_text(to, row->reason);
        return;
    }
    marks_of(row, marks);
    words_join(words, sizeof words, marks);
    fputs(standing->is_best ? " **best**" : standing->is_tied ? " tied with the best" : "", to);
    if (words[0])
        fputc(' ', to);
    markdown_put_text(to, words);
}

static void put_markdown_row(FILE *to, const struct result_list *rows, const struct result *row)
{
    struct standing standing = standing_of(rows, row);
    fputs("| ", to);
    markdown_put_text(to, row->variant);
    fprintf(to, " | %s |", row->mode);
    if (row->statistics.count > 0)
        fprintf(to, " %s | %s | %s | %s | %s | %s | %s | %s |", time_text(row->statistics.median).text,
                spread_text(&row->statistics).text, number_text(row->gflops).text, number_text(row->bandwidth_gbs).text,
                percent_text(row->ceiling_pct).text, ratio_text(standing.speedup).text,
                ratio_text(standing.over_library).text, ratio_text(standing.over_best_cpu).text);
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
