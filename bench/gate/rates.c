#include "rates.h"

#include "bench/base/seeded.h"
#include "bench/base/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { BLOCKS_PER_RUN = RATES_RUN_PAIRS / RATES_BLOCK, REDRAWS = 100 };
static_assert(RATES_RUN_PAIRS % RATES_BLOCK == 0, "a run is whole blocks");

static const double largest_size = 10, size_steps = 0.01, wanted_share = 0.8;
static const double z = 1.959963984540054; /* 0.975 quantile of the normal distribution */

struct interval wilson_interval(size_t hits, size_t trials)
{
    double n = (double)trials, rate = (double)hits / n;
    double centre = (rate + z * z / (2 * n)) / (1 + z * z / n);
    double reach = z * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n);
    return (struct interval){hits == 0 ? 0 : centre - reach, hits == trials ? 1 : centre + reach};
}

/* Whether these adjacent pairs are of one session. */
static bool is_of_one_session(const struct pair_table *table, size_t first, size_t count)
{
    return first + count <= table->pairs && table->session[first] == table->session[first + count - 1];
}

bool rates_make(const struct pair_table *table, struct rates *rates)
{
    *rates = (struct rates){
        .table = table,
        .starts = malloc((table->pairs + 1) * sizeof(size_t)),
        .verdicts = malloc(table->count * sizeof *rates->verdicts),
    };
    if (!rates->starts || !rates->verdicts) {
        rates_free(rates);
        return false;
    }
    for (size_t i = 0; i < table->pairs; i++)
        if (is_of_one_session(table, i, RATES_BLOCK))
            rates->starts[rates->start_count++] = i;
    return true;
}

void rates_free(struct rates *rates)
{
    free(rates->starts);
    free(rates->verdicts);
    *rates = (struct rates){0};
}

static bool evidence_for(void *self, size_t row, size_t first, size_t count, struct evidence *evidence)
{
    struct rates *rates = self;
    const struct paired_row *times = &rates->table->rows[row];
    double base_s[RATES_RUN_PAIRS], new_s[RATES_RUN_PAIRS],
        factor = (int)row == rates->slowdown.row ? 1 + rates->slowdown.size : 1;
    if (rates->used < first + count)
        rates->used = first + count;
    for (size_t i = 0; i < count; i++) {
        base_s[i] = times->base_s[rates->run[first + i]];
        new_s[i] = times->new_s[rates->run[first + i]] * factor;
    }
    return evidence_of_pairs(base_s, new_s, count, times->tick_s, times->limits, 0, evidence);
}

static bool has_verdict(const struct rates *rates, enum verdict verdict)
{
    for (size_t row = 0; row < rates->table->count; row++)
        if (rates->verdicts[row] == verdict)
            return true;
    return false;
}

/* Decides the current run, and counts it. */
static bool decide_run(struct rates *rates, struct slowdown slowdown, struct run_counts *counts)
{
    rates->slowdown = slowdown;
    rates->used = 0;
    if (!rule_decide_run(evidence_for, rates, rates->table->count, rates->verdicts))
        return false;
    bool alarm = has_verdict(rates, VERDICT_SLOWER);
    counts->runs++;
    counts->alarms += alarm;
    counts->inconclusive += !alarm && has_verdict(rates, VERDICT_INCONCLUSIVE);
    counts->found += slowdown.row != RATES_NO_ROW && rates->verdicts[slowdown.row] == VERDICT_SLOWER;
    return true;
}

bool rates_disjoint(struct rates *rates, struct slowdown slowdown, struct run_counts *counts)
{
    *counts = (struct run_counts){0};
    for (size_t first = 0; first + RATES_RUN_PAIRS <= rates->table->pairs;) {
        if (!is_of_one_session(rates->table, first, RATES_RUN_PAIRS)) {
            first++;
            continue;
        }
        for (size_t i = 0; i < RATES_RUN_PAIRS; i++)
            rates->run[i] = first + i;
        if (!decide_run(rates, slowdown, counts))
            return false;
        first += rates->used;
    }
    return true;
}

/* A sequence of random numbers. */
struct draws {
    uint64_t seed, count;
};

static size_t draw(struct draws *draws, size_t limit)
{
    return (size_t)(seeded_bits(draws->seed, draws->count++) % limit);
}

/* Whether a block that starts there has a pair of the blocks before it. */
static bool overlaps(const struct rates *rates, size_t blocks, size_t start)
{
    for (size_t block = 0; block < blocks; block++) {
        size_t other = rates->run[block * RATES_BLOCK];
        if (start < other + RATES_BLOCK && other < start + RATES_BLOCK)
            return true;
    }
    return false;
}

/* A real run has no round twice, so a block that overlaps an earlier one is drawn again, REDRAWS times at most, since
 * there may be too few rounds. */
static void draw_run(struct rates *rates, const size_t *starts, size_t start_count, struct draws *draws)
{
    for (size_t block = 0; block < BLOCKS_PER_RUN; block++) {
        size_t start = starts[draw(draws, start_count)];
        for (int again = 0; again < REDRAWS && overlaps(rates, block, start); again++)
            start = starts[draw(draws, start_count)];
        for (size_t i = 0; i < RATES_BLOCK; i++)
            rates->run[block * RATES_BLOCK + i] = start + i;
    }
}

static bool count_drawn(struct rates *rates, const size_t *starts, size_t start_count, size_t runs, struct draws *draws,
                        struct slowdown slowdown, struct run_counts *counts)
{
    *counts = (struct run_counts){0};
    while (counts->runs < runs) {
        draw_run(rates, starts, start_count, draws);
        if (!decide_run(rates, slowdown, counts))
            return false;
    }
    return true;
}

bool rates_resampled(struct rates *rates, struct slowdown slowdown, size_t runs, uint64_t seed,
                     struct run_counts *counts)
{
    struct draws draws = {seed, 0};
    return count_drawn(rates, rates->starts, rates->start_count, runs, &draws, slowdown, counts);
}

/* The interval of the central 95 % of the values. */
static struct interval central_interval(double *values, size_t count)
{
    size_t outside = (size_t)(0.025 * (double)count);
    statistics_of(values, count); /* sorts them */
    return (struct interval){values[outside], values[count - 1 - outside]};
}

bool rates_bootstrap(struct rates *rates, size_t replicas, size_t runs, uint64_t seed, struct rate_intervals *intervals)
{
    struct draws draws = {seed, 0};
    size_t blocks = rates->table->pairs / RATES_BLOCK, *starts = malloc((blocks + 1) * sizeof *starts);
    double *alarms = malloc(replicas * sizeof *alarms), *inconclusive = malloc(replicas * sizeof *inconclusive);
    bool ok = starts && alarms && inconclusive;
    for (size_t replica = 0; replica < replicas && ok; replica++) {
        struct run_counts counts;
        for (size_t i = 0; i < blocks; i++)
            starts[i] = rates->starts[draw(&draws, rates->start_count)];
        ok = count_drawn(rates, starts, blocks, runs, &draws, (struct slowdown){RATES_NO_ROW, 0}, &counts);
        alarms[replica] = (double)counts.alarms / (double)runs;
        inconclusive[replica] = (double)counts.inconclusive / (double)runs;
    }
    if (ok)
        *intervals =
            (struct rate_intervals){central_interval(alarms, replicas), central_interval(inconclusive, replicas)};
    free(starts);
    free(alarms);
    free(inconclusive);
    return ok;
}

bool rates_size_found(struct rates *rates, int row, size_t runs, uint64_t seed, double *size)
{
    struct run_counts counts;
    double low = rates->table->rows[row].limits.threshold / 4, high = largest_size;
    bool ok = rates_resampled(rates, (struct slowdown){row, high}, runs, seed, &counts);
    bool any = (double)counts.found >= wanted_share * (double)runs;
    while (ok && any && high > (1 + size_steps) * low) {
        double between = sqrt(low * high);
        ok = rates_resampled(rates, (struct slowdown){row, between}, runs, seed, &counts);
        if ((double)counts.found >= wanted_share * (double)runs)
            high = between;
        else
            low = between;
    }
    *size = any ? high : INFINITY;
    return ok;
}
