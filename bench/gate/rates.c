#include "rates.h"

#include "bench/base/seeded.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { NO_ROW = -1, BLOCKS_PER_RUN = RATES_RUN_PAIRS / RATES_BLOCK, REDRAWS = 100 };
static_assert(RATES_RUN_PAIRS % RATES_BLOCK == 0, "a run is whole blocks");

static const double largest_size = 10, size_steps = 0.01, wanted_share = 0.8;

/* A sequence of random numbers. */
struct draws {
    uint64_t seed, count;
};

static size_t draw(struct draws *draws, size_t limit)
{
    return (size_t)(seeded_bits(draws->seed, draws->count++) % limit);
}

/* Memory that is shared by all runs on a table. */
struct workspace {
    const struct pair_table *table;
    size_t *starts, start_count; /* pairs at which a block within one session can start */
    size_t run[RATES_RUN_PAIRS]; /* the pairs of the current run */
    int slowed;                  /* a row, or NO_ROW */
    double factor;               /* its new times are so many times as long */
    size_t used;                 /* pairs of the current run */
    enum verdict *verdicts;      /* by row */
};

/* Whether the block that starts at this pair lies within one session. */
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

static void workspace_free(struct workspace *workspace)
{
    free(workspace->starts);
    free(workspace->verdicts);
}

static bool workspace_make(const struct pair_table *table, struct workspace *workspace)
{
    *workspace = (struct workspace){
        .table = table,
        .starts = malloc((table->pairs + 1) * sizeof(size_t)),
        .verdicts = malloc(table->count * sizeof *workspace->verdicts),
    };
    bool ok = workspace->starts && workspace->verdicts;
    for (size_t i = 0; ok && i < table->pairs; i++)
        if (is_block(table, i))
            workspace->starts[workspace->start_count++] = i;
    if (!ok)
        workspace_free(workspace);
    return ok;
}

static bool evidence_for(void *self, size_t row, size_t first, size_t count, struct evidence *evidence)
{
    struct workspace *workspace = self;
    const struct paired_row *times = &workspace->table->rows[row];
    double base_s[RATES_RUN_PAIRS], new_s[RATES_RUN_PAIRS],
        factor = (int)row == workspace->slowed ? workspace->factor : 1;
    if (workspace->used < first + count)
        workspace->used = first + count;
    for (size_t i = 0; i < count; i++) {
        base_s[i] = times->base_s[workspace->run[first + i]];
        new_s[i] = times->new_s[workspace->run[first + i]] * factor;
    }
    return evidence_of_pairs(base_s, new_s, count, times->tick_s, times->limits, 0, evidence);
}

/* Decides the current run, with the new times of row `slowed` scaled by 1 + size (NO_ROW: of none). */
static bool decide_run(struct workspace *workspace, int slowed, double size)
{
    workspace->slowed = slowed;
    workspace->factor = 1 + size;
    workspace->used = 0;
    return rule_decide_run(evidence_for, workspace, workspace->table->count, workspace->verdicts);
}

static bool overlaps(const struct workspace *workspace, size_t blocks, size_t start)
{
    for (size_t block = 0; block < blocks; block++) {
        size_t other = workspace->run[block * RATES_BLOCK];
        if (start < other + RATES_BLOCK && other < start + RATES_BLOCK)
            return true;
    }
    return false;
}

/* A real run has no round twice, so a block that overlaps an earlier one is drawn again, REDRAWS times at most, since
 * there may be too few rounds. */
static void draw_run(struct workspace *workspace, const size_t *starts, size_t start_count, struct draws *draws)
{
    for (size_t block = 0; block < BLOCKS_PER_RUN; block++) {
        size_t start = starts[draw(draws, start_count)];
        for (int again = 0; again < REDRAWS && overlaps(workspace, block, start); again++)
            start = starts[draw(draws, start_count)];
        for (size_t i = 0; i < RATES_BLOCK; i++)
            workspace->run[block * RATES_BLOCK + i] = start + i;
    }
}

static bool has_verdict(const struct workspace *workspace, enum verdict verdict)
{
    for (size_t row = 0; row < workspace->table->count; row++)
        if (workspace->verdicts[row] == verdict)
            return true;
    return false;
}

static void count_run(const struct workspace *workspace, struct run_counts *counts)
{
    bool alarm = has_verdict(workspace, VERDICT_SLOWER);
    counts->runs++;
    counts->alarms += alarm;
    counts->inconclusive += !alarm && has_verdict(workspace, VERDICT_INCONCLUSIVE);
}

/* Makes the next adjacent pairs of one session, from `*first` on, the current run; false if there are none. */
static bool next_disjoint(struct workspace *workspace, size_t *first)
{
    const struct pair_table *table = workspace->table;
    for (; *first + RATES_RUN_PAIRS <= table->pairs; ++*first)
        if (table->session[*first] == table->session[*first + RATES_RUN_PAIRS - 1]) {
            for (size_t i = 0; i < RATES_RUN_PAIRS; i++)
                workspace->run[i] = *first + i;
            return true;
        }
    return false;
}

/* Counts all disjoint runs, with one row slowed or none (NO_ROW). `found`: how many of them call that row slower. */
static bool count_disjoint(const struct pair_table *table, int slowed, double size, struct run_counts *counts,
                           size_t *found)
{
    struct workspace workspace;
    size_t first = 0;
    *counts = (struct run_counts){0};
    *found = 0;
    if (!workspace_make(table, &workspace))
        return false;
    bool ok = true;
    while (ok && next_disjoint(&workspace, &first)) {
        ok = decide_run(&workspace, slowed, size);
        first += workspace.used;
        if (ok) {
            count_run(&workspace, counts);
            *found += slowed != NO_ROW && workspace.verdicts[slowed] == VERDICT_SLOWER;
        }
    }
    workspace_free(&workspace);
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

static bool count_drawn(struct workspace *workspace, const size_t *starts, size_t start_count, size_t runs,
                        struct draws *draws, struct run_counts *counts)
{
    *counts = (struct run_counts){0};
    for (size_t run = 0; run < runs; run++) {
        draw_run(workspace, starts, start_count, draws);
        if (!decide_run(workspace, NO_ROW, 0))
            return false;
        count_run(workspace, counts);
    }
    return true;
}

bool rates_resampled(const struct pair_table *table, size_t runs, uint64_t seed, struct run_counts *counts)
{
    struct workspace workspace;
    struct draws draws = {seed, 0};
    if (!workspace_make(table, &workspace))
        return false;
    bool ok = count_drawn(&workspace, workspace.starts, workspace.start_count, runs, &draws, counts);
    workspace_free(&workspace);
    return ok;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The interval of the central 95 % of the values. */
static struct interval central_interval(double *values, size_t count)
{
    size_t outside = (size_t)(0.025 * (double)count);
    qsort(values, count, sizeof *values, ascending);
    return (struct interval){values[outside], values[count - 1 - outside]};
}

bool rates_bootstrap(const struct pair_table *table, size_t replicas, size_t runs, uint64_t seed,
                     struct rate_intervals *intervals)
{
    struct workspace workspace;
    struct draws draws = {seed, 0};
    size_t blocks = table->pairs / RATES_BLOCK;
    if (!workspace_make(table, &workspace))
        return false;
    size_t *starts = malloc((blocks + 1) * sizeof *starts);
    double *alarms = malloc(replicas * sizeof *alarms), *inconclusive = malloc(replicas * sizeof *inconclusive);
    bool ok = starts && alarms && inconclusive;
    for (size_t replica = 0; replica < replicas && ok; replica++) {
        struct run_counts counts;
        for (size_t i = 0; i < blocks; i++)
            starts[i] = workspace.starts[draw(&draws, workspace.start_count)];
        ok = count_drawn(&workspace, starts, blocks, runs, &draws, &counts);
        alarms[replica] = (double)counts.alarms / (double)runs;
        inconclusive[replica] = (double)counts.inconclusive / (double)runs;
    }
    if (ok)
        *intervals =
            (struct rate_intervals){central_interval(alarms, replicas), central_interval(inconclusive, replicas)};
    free(starts);
    free(alarms);
    free(inconclusive);
    workspace_free(&workspace);
    return ok;
}

/* Uses the same runs for each size, so that larger slowdowns are not found less often because of different draws. */
static bool detect(struct workspace *workspace, size_t row, double size, size_t runs, uint64_t seed, size_t *found)
{
    struct draws draws = {seed, 0};
    *found = 0;
    for (size_t run = 0; run < runs; run++) {
        draw_run(workspace, workspace->starts, workspace->start_count, &draws);
        if (!decide_run(workspace, (int)row, size))
            return false;
        *found += workspace->verdicts[row] == VERDICT_SLOWER;
    }
    return true;
}

bool rates_detection(const struct pair_table *table, size_t row, double size, size_t runs, uint64_t seed, size_t *found)
{
    struct workspace workspace;
    if (!workspace_make(table, &workspace))
        return false;
    bool ok = detect(&workspace, row, size, runs, seed, found);
    workspace_free(&workspace);
    return ok;
}

bool rates_size_found(const struct pair_table *table, size_t row, size_t runs, uint64_t seed, double *size)
{
    struct workspace workspace;
    double low = table->rows[row].limits.threshold / 4, high = largest_size;
    size_t found = 0;
    if (!workspace_make(table, &workspace))
        return false;
    bool ok = detect(&workspace, row, high, runs, seed, &found);
    bool any = (double)found >= wanted_share * (double)runs;
    while (ok && any && high > (1 + size_steps) * low) {
        double between = sqrt(low * high);
        ok = detect(&workspace, row, between, runs, seed, &found);
        if ((double)found >= wanted_share * (double)runs)
            high = between;
        else
            low = between;
    }
    *size = any ? high : INFINITY;
    workspace_free(&workspace);
    return ok;
}

bool rates_rows_found(const struct pair_table *table, size_t runs, uint64_t seed, size_t *found)
{
    struct workspace workspace;
    struct draws draws = {seed, 0};
    if (!workspace_make(table, &workspace))
        return false;
    bool ok = true;
    for (size_t row = 0; row < table->count; row++)
        found[row] = 0;
    for (size_t run = 0; run < runs && ok; run++) {
        draw_run(&workspace, workspace.starts, workspace.start_count, &draws);
        ok = decide_run(&workspace, NO_ROW, 0);
        for (size_t row = 0; row < table->count && ok; row++)
            found[row] += workspace.verdicts[row] == VERDICT_SLOWER;
    }
    workspace_free(&workspace);
    return ok;
}
