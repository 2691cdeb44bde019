#include "rates.h"

#include "bench/base/seeded.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { NO_ROW = -1, BLOCKS_A_RUN = RATES_RUN_PAIRS / RATES_BLOCK, REDRAWS = 100 };
static_assert(RATES_RUN_PAIRS % RATES_BLOCK == 0, "a run is whole blocks");

static const double largest_size = 10, size_steps = 0.01, wanted_share = 0.8;

/* Random numbers from 0 to below `limit`, one after the other. */
struct draws {
    uint64_t seed, count;
};

static size_t draw(struct draws *draws, size_t limit)
{
    return (size_t)(seeded_bits(draws->seed, draws->count++) % limit);
}

/* Places to work in, for all runs on a table. */
struct bench {
    const struct pair_table *table;
    size_t *starts, start_count; /* pairs that a block of one session may start at */
    size_t run[RATES_RUN_PAIRS]; /* the pairs of the run in hand */
    struct evidence *evidence;   /* by row */
    const struct evidence **open;
    size_t *open_rows;
    enum verdict *open_verdicts, *verdicts; /* the latter by row */
};

/* Whether a block of one session starts at that pair. */
static bool is_block(const struct pair_table *table, size_t start)
{
    return start + RATES_BLOCK <= table->pairs && table->session[start] == table->session[start + RATES_BLOCK - 1];
}

bool rates_can_draw(const struct pair_table *table)
{
    for (size_t i = 0; i < table->pairs; i++)
        if (is_block(table, i))
            return true;
    return false;
}

static void bench_free(struct bench *bench)
{
    free(bench->starts);
    free(bench->evidence);
    free(bench->open);
    free(bench->open_rows);
    free(bench->open_verdicts);
    free(bench->verdicts);
}

static bool bench_make(const struct pair_table *table, struct bench *bench)
{
    size_t rows = table->count;
    *bench = (struct bench){
        .table = table,
        .starts = malloc((table->pairs + 1) * sizeof(size_t)),
        .evidence = malloc(rows * sizeof *bench->evidence),
        .open = malloc(rows * sizeof(*bench->open)),
        .open_rows = malloc(rows * sizeof(size_t)),
        .open_verdicts = malloc(rows * sizeof *bench->open_verdicts),
        .verdicts = malloc(rows * sizeof *bench->verdicts),
    };
    bool ok =
        bench->starts && bench->evidence && bench->open && bench->open_rows && bench->open_verdicts && bench->verdicts;
    for (size_t i = 0; ok && i < table->pairs; i++)
        if (is_block(table, i))
            bench->starts[bench->start_count++] = i;
    if (!ok)
        bench_free(bench);
    return ok;
}

/* What `count` pairs of the run from `first` on say of a row, its new times `factor` times as long. */
static bool weigh(const struct bench *bench, size_t row, size_t first, size_t count, double factor,
                  struct evidence *evidence)
{
    const struct paired_row *times = &bench->table->rows[row];
    double base_s[RATES_RUN_PAIRS], new_s[RATES_RUN_PAIRS];
    for (size_t i = 0; i < count; i++) {
        base_s[i] = times->base_s[bench->run[first + i]];
        new_s[i] = times->new_s[bench->run[first + i]] * factor;
    }
    return evidence_of_pairs(base_s, new_s, count, times->tick_s, times->limits, 0, evidence);
}

/* The verdicts of the run in hand, with one row slowed or none (NO_ROW). */
static bool judge(struct bench *bench, int slowed, double size)
{
    size_t open = 0;
    for (size_t row = 0; row < bench->table->count; row++) {
        double factor = (int)row == slowed ? 1 + size : 1;
        struct evidence *evidence = &bench->evidence[row];
        if (!weigh(bench, row, 0, RULE_SCREEN_PAIRS, factor, evidence))
            return false;
        bench->verdicts[row] = VERDICT_CLEARED;
        if (!rule_needs_confirmation(evidence))
            continue;
        if (!weigh(bench, row, RULE_SCREEN_PAIRS, RULE_CONFIRM_PAIRS, factor, evidence))
            return false;
        bench->open_rows[open] = row;
        bench->open[open++] = evidence;
    }
    if (!rule_decide(bench->open, open, RULE_SESSION_LEVEL, bench->open_verdicts))
        return false;
    for (size_t i = 0; i < open; i++)
        bench->verdicts[bench->open_rows[i]] = bench->open_verdicts[i];
    return true;
}

static bool overlaps(const struct bench *bench, size_t blocks, size_t start)
{
    for (size_t block = 0; block < blocks; block++) {
        size_t other = bench->run[block * RATES_BLOCK];
        if (start < other + RATES_BLOCK && other < start + RATES_BLOCK)
            return true;
    }
    return false;
}

/* A true run has no round twice, so a block that shares rounds with one before it is drawn again; not for ever, since
 * there may be too few. */
static void draw_run(struct bench *bench, const size_t *starts, size_t start_count, struct draws *draws)
{
    for (size_t block = 0; block < BLOCKS_A_RUN; block++) {
        size_t start = starts[draw(draws, start_count)];
        for (int again = 0; again < REDRAWS && overlaps(bench, block, start); again++)
            start = starts[draw(draws, start_count)];
        for (size_t i = 0; i < RATES_BLOCK; i++)
            bench->run[block * RATES_BLOCK + i] = start + i;
    }
}

static bool has_verdict(const struct bench *bench, enum verdict verdict)
{
    for (size_t row = 0; row < bench->table->count; row++)
        if (bench->verdicts[row] == verdict)
            return true;
    return false;
}

static void count_run(const struct bench *bench, struct run_counts *counts)
{
    bool alarm = has_verdict(bench, VERDICT_SLOWER);
    counts->runs++;
    counts->alarms += alarm;
    counts->inconclusive += !alarm && has_verdict(bench, VERDICT_INCONCLUSIVE);
}

/* Puts the next run of 20 adjacent pairs of one session in hand, from `*first` on; false if there is none. */
static bool next_disjoint(struct bench *bench, size_t *first)
{
    const struct pair_table *table = bench->table;
    for (; *first + RATES_RUN_PAIRS <= table->pairs; ++*first)
        if (table->session[*first] == table->session[*first + RATES_RUN_PAIRS - 1]) {
            for (size_t i = 0; i < RATES_RUN_PAIRS; i++)
                bench->run[i] = *first + i;
            *first += RATES_RUN_PAIRS;
            return true;
        }
    return false;
}

/* Of all disjoint runs, with one row slowed or none (NO_ROW); `found`: how many call that row slower. */
static bool count_disjoint(const struct pair_table *table, int slowed, double size, struct run_counts *counts,
                           size_t *found)
{
    struct bench bench;
    size_t first = 0;
    *counts = (struct run_counts){0};
    *found = 0;
    if (!bench_make(table, &bench))
        return false;
    bool ok = true;
    while (ok && next_disjoint(&bench, &first)) {
        ok = judge(&bench, slowed, size);
        if (ok) {
            count_run(&bench, counts);
            *found += slowed != NO_ROW && bench.verdicts[slowed] == VERDICT_SLOWER;
        }
    }
    bench_free(&bench);
    return ok;
}

bool rates_disjoint(const struct pair_table *table, struct run_counts *counts)
{
    size_t found;
    return count_disjoint(table, NO_ROW, 0, counts, &found);
}

bool rates_disjoint_detection(const struct pair_table *table, size_t row, double size, size_t *found, size_t *runs)
{
    struct run_counts counts;
    bool ok = count_disjoint(table, (int)row, size, &counts, found);
    *runs = counts.runs;
    return ok;
}

static bool count_drawn(struct bench *bench, const size_t *starts, size_t start_count, size_t runs, struct draws *draws,
                        struct run_counts *counts)
{
    *counts = (struct run_counts){0};
    for (size_t run = 0; run < runs; run++) {
        draw_run(bench, starts, start_count, draws);
        if (!judge(bench, NO_ROW, 0))
            return false;
        count_run(bench, counts);
    }
    return true;
}

bool rates_resampled(const struct pair_table *table, size_t runs, uint64_t seed, struct run_counts *counts)
{
    struct bench bench;
    struct draws draws = {seed, 0};
    if (!bench_make(table, &bench))
        return false;
    bool ok = count_drawn(&bench, bench.starts, bench.start_count, runs, &draws, counts);
    bench_free(&bench);
    return ok;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The values that leave 2.5 % outside on each side. */
static struct interval middle(double *values, size_t count)
{
    size_t outside = (size_t)(0.025 * (double)count);
    qsort(values, count, sizeof *values, ascending);
    return (struct interval){values[outside], values[count - 1 - outside]};
}

bool rates_bootstrap(const struct pair_table *table, size_t replicas, size_t runs, uint64_t seed,
                     struct rate_intervals *intervals)
{
    struct bench bench;
    struct draws draws = {seed, 0};
    size_t blocks = table->pairs / RATES_BLOCK;
    if (!bench_make(table, &bench))
        return false;
    size_t *starts = malloc((blocks + 1) * sizeof *starts);
    double *alarms = malloc(replicas * sizeof *alarms), *inconclusive = malloc(replicas * sizeof *inconclusive);
    bool ok = starts && alarms && inconclusive;
    for (size_t replica = 0; replica < replicas && ok; replica++) {
        struct run_counts counts;
        for (size_t i = 0; i < blocks; i++)
            starts[i] = bench.starts[draw(&draws, bench.start_count)];
        ok = count_drawn(&bench, starts, blocks, runs, &draws, &counts);
        alarms[replica] = (double)counts.alarms / (double)runs;
        inconclusive[replica] = (double)counts.inconclusive / (double)runs;
    }
    if (ok)
        *intervals = (struct rate_intervals){middle(alarms, replicas), middle(inconclusive, replicas)};
    free(starts);
    free(alarms);
    free(inconclusive);
    bench_free(&bench);
    return ok;
}

/* The same runs for each size, so that more is never found less often but by chance of the rule. */
static bool detect(struct bench *bench, size_t row, double size, size_t runs, uint64_t seed, size_t *found)
{
    struct draws draws = {seed, 0};
    *found = 0;
    for (size_t run = 0; run < runs; run++) {
        draw_run(bench, bench->starts, bench->start_count, &draws);
        if (!judge(bench, (int)row, size))
            return false;
        *found += bench->verdicts[row] == VERDICT_SLOWER;
    }
    return true;
}

bool rates_detection(const struct pair_table *table, size_t row, double size, size_t runs, uint64_t seed, size_t *found)
{
    struct bench bench;
    if (!bench_make(table, &bench))
        return false;
    bool ok = detect(&bench, row, size, runs, seed, found);
    bench_free(&bench);
    return ok;
}

bool rates_size_found(const struct pair_table *table, size_t row, size_t runs, uint64_t seed, double *size)
{
    struct bench bench;
    double low = table->rows[row].limits.threshold / 4, high = largest_size;
    size_t found = 0;
    if (!bench_make(table, &bench))
        return false;
    bool ok = detect(&bench, row, high, runs, seed, &found);
    bool any = (double)found >= wanted_share * (double)runs;
    while (ok && any && high > (1 + size_steps) * low) {
        double between = sqrt(low * high);
        ok = detect(&bench, row, between, runs, seed, &found);
        if ((double)found >= wanted_share * (double)runs)
            high = between;
        else
            low = between;
    }
    *size = any ? high : INFINITY;
    bench_free(&bench);
    return ok;
}

bool rates_rows_found(const struct pair_table *table, size_t runs, uint64_t seed, size_t *found)
{
    struct bench bench;
    struct draws draws = {seed, 0};
    if (!bench_make(table, &bench))
        return false;
    bool ok = true;
    for (size_t row = 0; row < table->count; row++)
        found[row] = 0;
    for (size_t run = 0; run < runs && ok; run++) {
        draw_run(&bench, bench.starts, bench.start_count, &draws);
        ok = judge(&bench, NO_ROW, 0);
        for (size_t row = 0; row < table->count && ok; row++)
            found[row] += bench.verdicts[row] == VERDICT_SLOWER;
    }
    bench_free(&bench);
    return ok;
}
