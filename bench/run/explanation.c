#include "explanation.h"

#include "bench/base/interrupt.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/report/explain.h"
#include "bench/report/merge_rounds.h"
#include "bench/report/report_text.h"
#include "counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 1 << BOUND_MEMORY, FMA = 1 << BOUND_FMA, TENSOR = 1 << BOUND_TENSOR_CORES };

static const char dram_read[] = "dram__bytes_read.sum", dram_written[] = "dram__bytes_write.sum";

/* What is counted for rows with these bounds. Without a sentence of its own: there is a common one. */
static const struct metric {
    unsigned bounds;
    const char *name, *sentence;
} metrics[] = {
    {MEMORY | FMA | TENSOR, counted_duration, NULL},
    {MEMORY, dram_read, NULL},
    {MEMORY, dram_written, NULL},
    {MEMORY, "lts__t_sector_hit_rate.pct", "The L2 cache had %s %% of what it was asked for. "},
    {FMA, "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
     "The units for multiply-adds were busy to %s %%. "},
    {TENSOR, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "The tensor cores were busy to %s %%. "},
    {FMA | TENSOR, "smsp__issue_active.avg.pct_of_peak_sustained_active",
     "An instruction was issued in %s %% of the cycles. "},
    {FMA, "smsp__inst_executed.sum", "%s instructions were executed. "},
    {MEMORY | FMA | TENSOR, "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
     "For each that was issued, %s warps waited for global memory. "},
    {FMA, "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
     "For each that was issued, %s warps waited for shared memory. "},
    {FMA, "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
     "For each that was issued, %s warps waited for their turn at shared memory. "},
    {FMA | TENSOR, "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
     "For each that was issued, %s warps waited at a barrier. "},
    {MEMORY | FMA, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
     "A load of a warp from global memory touched %s sectors of 32 bytes. "},
    {FMA, "smsp__inst_executed_op_shared_ld.sum", "Warps loaded from shared memory %s times. "},
    {FMA, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "These loads took %s turns (wavefronts). "},
    {FMA, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
     "Loads from shared memory had %s bank conflicts. "},
    {MEMORY | TENSOR, "sm__warps_active.avg.pct_of_peak_sustained_active", "The occupancy was %s %% in fact. "},
};
enum { METRICS = sizeof metrics / sizeof metrics[0] };

static bool is_for(const struct metric *metric, const struct result *row)
{
    return (metric->bounds & 1U << explain_bound(row)) != 0;
}

static double sum_of(const struct csv_table *table, const char *metric)
{
    double sum = 0;
    for (size_t i = FIRST_KERNEL; i < table->rows; i++)
        sum += counters_value(table, i, metric);
    return sum;
}

static void say_kernel(const struct csv_table *table, size_t kernel, FILE *to)
{
    const char *name = csv_cell(table, kernel, csv_column(table, "Kernel Name"));
    if (table->rows > FIRST_KERNEL + 1)
        fprintf(
            to, "Of %zu kernels %.*s took the longest, %s %% of the time of all. ", table->rows - FIRST_KERNEL,
            (int)strcspn(name, "("), name,
            percent_text(100 * counters_value(table, kernel, counted_duration) / sum_of(table, counted_duration)).text);
}

/* Of all kernels, since the bytes that must move are those of the call. */
static bool say_traffic(const struct csv_table *table, const struct result *row, FILE *to)
{
    double moved = sum_of(table, dram_read) + sum_of(table, dram_written);
    if (isnan(moved) || !(row->bytes > 0))
        return false;
    fprintf(to, "DRAM moved %s, %s times what must move. ", bytes_text(moved).text,
            number_text(moved / row->bytes).text);
    return true;
}

/* Bytes and time of all kernels, the rest of the longest. */
static void keep_metrics(const struct csv_table *table, size_t kernel, struct result *row)
{
    row->counters[0] = '\0';
    for (size_t i = 0; i < METRICS; i++) {
        double value =
            metrics[i].sentence ? counters_value(table, kernel, metrics[i].name) : sum_of(table, metrics[i].name);
        if (is_for(&metrics[i], row) && isfinite(value))
            text_append(row->counters, sizeof row->counters, "%s%s=%.9g", row->counters[0] ? "," : "", metrics[i].name,
                        value);
    }
}

static bool say_metrics(const struct csv_table *table, struct result *row, FILE *to)
{
    size_t kernel = counters_longest(table);
    keep_metrics(table, kernel, row);
    say_kernel(table, kernel, to);
    bool any = say_traffic(table, row, to);
    for (size_t i = 0; i < METRICS; i++) {
        double value = counters_value(table, kernel, metrics[i].name);
        if (!metrics[i].sentence || !is_for(&metrics[i], row) || isnan(value))
            continue;
        fprintf(to, metrics[i].sentence,
                strstr(metrics[i].name, "pct") ? percent_text(value).text : number_text(value).text);
        any = true;
    }
    return any;
}

static void list_metrics(const struct result *row, char *list, size_t size)
{
    list[0] = '\0';
    for (size_t i = 0; i < METRICS; i++)
        if (is_for(&metrics[i], row))
            snprintf(list + strlen(list), size - strlen(list), "%s%s", list[0] ? "," : "", metrics[i].name);
}

/* Prints the sentences of one launch, with a space behind each. False, with the reason: what was printed is worth
 * nothing. */
static bool profile(const struct counters *counters, struct result *row, FILE *to, struct error *error)
{
    char list[1024];
    struct csv_table table;
    list_metrics(row, list, sizeof list);
    if (!counters_take(counters, row->name, list, &table, error))
        return false;
    const bool ok = say_metrics(&table, row, to);
    csv_free(&table);
    return ok || error_set(error, "it counted none of what was asked for");
}

static bool has_launches(const struct result *row)
{
    return explain_can(row) && explain_is_of_kernel(row) && !row->is_host;
}

/* Whether ncu runs the same launch for both. */
static bool has_launches_of(const struct result *row, const struct result *other)
{
    return has_launches(row) && result_same_workload(row, other) && strcmp(row->variant, other->variant) == 0;
}

static void put_counts(const struct counters *counters, struct result *row, FILE *explanation)
{
    struct error error;
    char *text;
    size_t bytes;
    FILE *to = memory_stream(&text, &bytes);
    bool ok = profile(counters, row, to, &error);
    memory_stream_end(to);
    wrap_print(explanation, 2, 2, "%s %s",
               ok ? "In one launch ncu counted:" : "ncu counts nothing here:", ok ? text : error.text);
    free(text);
}

/* To all rounds and modes of that launch. */
static void share_counters(const struct result *counted, struct result_list *results)
{
    for (struct result *row = results->items; row < results->items + results->count; row++)
        if (has_launches_of(row, counted))
            memcpy(row->counters, counted->counters, sizeof row->counters);
}

static void put_reasons(const struct result *row, FILE *explanation)
{
    char *text;
    size_t bytes;
    FILE *to = memory_stream(&text, &bytes);
    explain_row(row, to);
    memory_stream_end(to);
    fprintf(explanation, "\n%s\n", row->name);
    wrap_print(explanation, 2, 2, "%s", text);
    (void)fflush(explanation); /* ncu takes seconds */
    free(text);
}

bool explanation_print(struct result_list *results, char *const *flags, FILE *to, struct error *error)
{
    char program[PATH_MAX];
    struct counters counters = {.program = program, .flags = flags};
    struct result_list merged = {0};
    size_t untimed = 0;
    bool has_ncu = realpath("/proc/self/exe", program) && counters_find(&counters), /* which of ncu is ncu */
        misses_ncu = false;
    merge_rounds(results, &merged);
    for (struct result *row = merged.items; row < merged.items + merged.count && !interrupt_ends_run(); row++) {
        bool is_explained = explain_can(row),
             counts = has_launches(row) && result_is_first(&merged, row, has_launches_of);
        untimed += row->status == STATUS_OK && !is_explained;
        misses_ncu = misses_ncu || (counts && !has_ncu);
        if (is_explained)
            put_reasons(row, to);
        if (counts && has_ncu) {
            put_counts(&counters, row, to);
            share_counters(row, results);
        }
    }
    if (untimed > 0)
        fprintf(to, "\n%zu row%s nothing to explain: verified only.\n", untimed, untimed == 1 ? " has" : "s have");
    if (misses_ncu)
        fprintf(to, "\nThere is no ncu on %s to count what a launch does.\n", ncu_places);
    result_list_free(&merged);
    return fflush(to) == 0 || error_set(error, "stdout: the explanation cannot be written");
}
