#include "why.h"

#include "bench/base/files.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/base/statistics.h"
#include "bench/run/counters.h"
#include "causes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMMITS_BYTES_MAX = 64 << 20 };

/* And what more of it means; empty: that depends. */
static const struct {
    const char *metric, *name, *more;
} counts[COUNTS] = {
    [SECTORS] = {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "sectors per global load",
                 "the lanes of a warp read further apart, or more each"},
    [CONFLICTS] = {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "bank conflicts of shared loads",
                   "the lanes of a warp meet in the same banks"},
    [WAVEFRONTS] = {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "wavefronts of shared loads", ""},
    [DURATION] = {"gpu__time_duration.sum", "duration under ncu", ""},
    [STORE_CONFLICTS] = {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "bank conflicts of shared stores",
                         "the lanes of a warp meet in the same banks"},
    [STORE_SECTORS] = {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
                       "sectors per global store", "the lanes of a warp write further apart, or more each"},
    [L2_READS] = {"lts__t_sectors_op_read.sum", "L2 reads", "more is read, or less is found in L1"},
    [L2_WRITES] = {"lts__t_sectors_op_write.sum", "L2 writes", "more is written, or in smaller parts"},
    [DRAM_READS] = {"dram__bytes_read.sum", "DRAM reads", "more is read, or less is found in L2"},
    [DRAM_WRITES] = {"dram__bytes_write.sum", "DRAM writes", ""},
    [EXECUTED] = {"smsp__inst_executed.sum", "instructions executed", ""},
    [ACTIVE] = {"sm__warps_active.avg.pct_of_peak_sustained_active", "occupancy in fact", ""},
    [WAITS_MEMORY] = {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
                      "warps that wait for global or local memory", ""},
    [WAITS_SHARED] = {"smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
                      "warps that wait for their turn at shared memory", ""},
    [WAITS_BARRIER] = {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
                       "warps that wait at barriers", ""},
};
static const double moved = 0.1; /* relative: what is worth a word */

/* Of the first round that says more than nothing or "no". */
static const char *word_of(const struct row_rounds *rounds, enum column_id column)
{
    const char *word = "";
    for (size_t i = 0; i < rounds->count && (word[0] == '\0' || strcmp(word, "no") == 0); i++)
        word = rounds->items[i].status == STATUS_OK ? rounds->items[i].text[column] : word;
    return word;
}

static double number_of(const struct row_rounds *rounds, enum column_id column)
{
    double *values = memory_get(2 * rounds->count + 1, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < rounds->count; i++)
        if (rounds->items[i].status == STATUS_OK && rounds->items[i].text[column][0] != '\0')
            values[count++] = strtod(rounds->items[i].text[column], NULL);
    double median = count > 0 ? statistics_median(values, count, values + rounds->count) : (double)NAN;
    free(values);
    return median;
}

static void say_code(const struct clues *is, FILE *to)
{
    fprintf(to, "\nThe machine code %s.",
            is->same_code                   ? "is the same"
            : is->row->code == CODE_UNKNOWN ? "may be another: it has no digest"
                                            : "is another");
}

static void say_differences(const struct clues *is, FILE *to)
{
    struct line line = {"\nDifferent: ", "; ", to, false};
    for (enum fact fact = 0; fact < FACTS; fact++)
        if (!clues_differ(is, fact))
            continue;
        else if (fact < NUMBERS)
            fprintf(next_part(&line), "%s %.6g, now %.6g", facts[fact].name, is->number[BASE][fact],
                    is->number[NEW][fact]);
        else
            fprintf(next_part(&line), "%s '%s', now '%s'", facts[fact].name, is->text[BASE][fact], is->text[NEW][fact]);
    end_line(&line);
}

static void say_likeness(const struct clues *is, FILE *to)
{
    struct line line = {"\nThe same: ", "; ", to, false};
    for (enum fact fact = 0; fact < NUMBERS; fact++)
        if (!clues_differ(is, fact) && !isnan(is->number[BASE][fact]) && !isnan(is->number[NEW][fact]))
            fprintf(next_part(&line), "%s %.6g", facts[fact].name, is->number[NEW][fact]);
    if (is->text[NEW][THROTTLED][0] != '\0' && !clues_differ(is, THROTTLED))
        fprintf(next_part(&line), "%s '%s'", facts[THROTTLED].name, is->text[NEW][THROTTLED]);
    end_line(&line);
}

static void say_mix(const struct clues *is, FILE *to)
{
    struct line line = {"\nIn the code: ", "; ", to, false};
    for (enum instruction what = 0; what < INSTRUCTIONS; what++)
        if (is->mix[BASE].all[what] != is->mix[NEW].all[what])
            fprintf(next_part(&line), "%s %zu, now %zu", instruction_names[what], is->mix[BASE].all[what],
                    is->mix[NEW].all[what]);
    if (!line.is_begun)
        fputs("as many instructions of each kind", next_part(&line));
    end_line(&line);
}

/* Reads the machine code of both programs where it differs; says why not. */
static void find_mix(struct clues *is, const struct why *why, FILE *to)
{
    struct error error;
    const char *const kernels[] = {is->text[BASE][KERNEL], is->text[NEW][KERNEL]};
    if (!why->programs[BASE] || is->same_code || kernels[BASE][0] == '\0' || kernels[NEW][0] == '\0')
        return;
    is->has_mix = true;
    for (int side = BASE; side <= NEW && is->has_mix; side++)
        is->has_mix = mix_of_kernel(why->programs[side], kernels[side], &why->clock, &is->mix[side], &error);
    if (!is->has_mix)
        fprintf(to, "\nThe mix of instructions is left out: %s.", error.text);
}

static bool count_launches(struct clues *is, const struct why *why, struct error *error)
{
    char list[2048] = "";
    struct csv_table table;
    struct counters counters = {.flags = why->flags};
    if (!counters_find(&counters))
        return error_set(error, "there is none on %s", ncu_places);
    for (int i = 0; i < COUNTS; i++)
        text_append(list, sizeof list, "%s%s", i > 0 ? "," : "", counts[i].metric);
    for (int side = BASE; side <= NEW; side++) {
        counters.program = why->programs[side];
        if (!counters_take(&counters, is->row->name, list, &table, error))
            return false;
        for (int i = 0; i < COUNTS; i++)
            is->count[side][i] = counters_value(&table, counters_longest(&table), counts[i].metric);
        csv_free(&table);
    }
    return true;
}

static void find_counts(struct clues *is, const struct why *why, FILE *to)
{
    struct error error;
    for (int i = 0; i < COUNTS; i++)
        is->count[BASE][i] = is->count[NEW][i] = (double)NAN;
    if (why->flags && why->programs[BASE] && !is->row->on_host && !count_launches(is, why, &error))
        fprintf(to, "\nncu counts nothing here: %s.", error.text);
}

/* "ncu: L2 reads +31 %, 1000, now 1310: data are fetched again, ..." */
static void say_counts(const struct clues *is, FILE *to)
{
    for (int i = 0; i < COUNTS; i++) {
        double was = is->count[BASE][i], now = is->count[NEW][i];
        if (!(fabs(now - was) > moved * fabs(was)))
            continue;
        fprintf(to, "\nncu: %s", counts[i].name);
        if (was > 0)
            fprintf(to, " %+.0f %%", 100 * (now - was) / was);
        fprintf(to, ", %.6g, now %.6g%s%s.", was, now, now > was && counts[i].more[0] ? ": " : "",
                now > was ? counts[i].more : "");
    }
}

/* The lines of the file that begin with the rung of the row: "matmul/mnist/cuda_tiled/cold" is of matmul/cuda_tiled. */
static void say_commits(const struct clues *is, const char *commits, FILE *to)
{
    const char *name = is->row->name, *workload = strchr(name, '/'),
               *variant = workload ? strchr(workload + 1, '/') : NULL;
    bool any = false;
    if (!variant)
        return;
    char *rung =
        memory_print("%.*s%.*s\t", (int)(workload - name), name, (int)(1 + strcspn(variant + 1, "/")), variant);
    for (const char *line = commits; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, rung, strlen(rung)) == 0) {
            fprintf(to, "\nCommit %.*s", (int)(strcspn(line, "\n") - strlen(rung)), line + strlen(rung));
            any = true;
        }
    fputs(any ? "" : "\nNo commit between the two touched a file of this rung.", to);
    free(rung);
}

static char *explain(const struct compared_row *row, const struct why *why, const char *commits)
{
    struct clues is = {.row = row};
    char *text, *left_out;
    size_t bytes;
    const char *code = word_of(&row->rounds[BASE], COLUMN_code);
    is.same_code = code[0] != '\0' && strcmp(code, word_of(&row->rounds[NEW], COLUMN_code)) == 0;
    for (int side = BASE; side <= NEW; side++) {
        for (enum fact fact = 0; fact < NUMBERS; fact++)
            is.number[side][fact] = number_of(&row->rounds[side], facts[fact].column);
        for (enum fact fact = NUMBERS; fact < FACTS; fact++)
            is.text[side][fact] = word_of(&row->rounds[side], facts[fact].column);
    }
    FILE *to = memory_stream(&left_out, &bytes);
    find_mix(&is, why, to);
    find_counts(&is, why, to);
    memory_stream_end(to);
    to = memory_stream(&text, &bytes);
    cause_put(to, &is);
    say_code(&is, to);
    say_differences(&is, to);
    if (is.has_mix)
        say_mix(&is, to);
    say_counts(&is, to);
    fputs(left_out, to);
    say_likeness(&is, to);
    if (commits && !is.same_code)
        say_commits(&is, commits, to);
    memory_stream_end(to);
    free(left_out);
    return text;
}

/* Whether it is one of ours that is slower or faster. */
static bool is_asked(const struct compared_row *row)
{
    static const enum verdict asked[] = {VERDICT_SLOWER, VERDICT_FASTER, VERDICT_SUSPECTED, VERDICT_LAYOUT,
                                         VERDICT_ACCEPTED};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        if (row->verdict == asked[i])
            return row->has_evidence && !row->foreign;
    return false;
}

void why_find(struct comparison *comparison, const struct why *why)
{
    struct error error;
    char *commits = why->commits ? regular_file_read_text(why->commits, why->commits, COMMITS_BYTES_MAX, &error) : NULL;
    for (size_t i = 0; i < comparison->count && !why->clock.interrupted(); i++)
        if (is_asked(&comparison->rows[i]))
            comparison->rows[i].why = explain(&comparison->rows[i], why, commits);
    free(commits);
}
