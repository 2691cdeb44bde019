#include "selftest.h"

#include "bench/base/statistics.h"
#include "pairing.h"
#include "rates.h"
#include "sign_flips.h"
#include "wilson.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const double sizes[] = {0.01, 0.02, 0.03, 0.05, 0.1, 0.2};
enum { SIZES = sizeof sizes / sizeof sizes[0], REPLICAS = 200 };
static const double long_s = 10e-6; /* for longer rows a few ticks are negligible */

static double percent(size_t hits, size_t trials)
{
    return 100 * (double)hits / (double)trials;
}

static double median_of(const double *values, size_t count)
{
    double *copy = malloc(count * sizeof *copy), median = NAN;
    for (size_t i = 0; i < count && copy; i++)
        copy[i] = values[i];
    if (copy)
        median = statistics_of(copy, count).median;
    free(copy);
    return median;
}

/* The standard deviation of the logarithms of the pairs' ratios. `ratio`: the geometric mean of all pairs. */
static double spread(const struct paired_row *row, size_t pairs, double *ratio)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < pairs; i++)
        sum += log(row->new_s[i] / row->base_s[i]);
    for (size_t i = 0; i < pairs; i++) {
        double off = log(row->new_s[i] / row->base_s[i]) - sum / (double)pairs;
        squares += off * off;
    }
    *ratio = exp(sum / (double)pairs);
    return sqrt(squares / (double)(pairs - 1));
}

static void print_share(FILE *to, const char *what, size_t hits, size_t trials)
{
    struct interval interval = wilson_interval(hits, trials);
    fprintf(to, "%zu of %zu %s (95 %%: %.3g to %.3g %%)", hits, trials, what, 100 * interval.low, 100 * interval.high);
}

static bool print_disjoint(const struct pair_table *table, FILE *to)
{
    struct run_counts counts;
    if (!rates_disjoint(table, &counts))
        return false;
    fprintf(to, "  disjoint runs    ");
    if (counts.runs > 0) {
        print_share(to, "alarm", counts.alarms, counts.runs);
        fprintf(to, ", ");
        print_share(to, "inconclusive", counts.inconclusive, counts.runs);
        fprintf(to, "\n");
    } else {
        fprintf(to, "none: no session has %d pairs\n", RATES_RUN_PAIRS);
    }
    return true;
}

static bool print_resampled(const struct selftest *selftest, const struct pair_table *table, FILE *to)
{
    struct run_counts counts;
    struct rate_intervals intervals;
    if (!rates_resampled(table, selftest->runs, selftest->seed, &counts) ||
        !rates_bootstrap(table, REPLICAS, selftest->runs / 2, selftest->seed, &intervals))
        return false;
    fprintf(to,
            "  resampled runs   %.2f %% alarm (bootstrap over rounds: %.2f to %.2f %%), %.2f %% inconclusive (%.2f to "
            "%.2f %%), of %zu runs; an estimate\n",
            percent(counts.alarms, counts.runs), 100 * intervals.alarms.low, 100 * intervals.alarms.high,
            percent(counts.inconclusive, counts.runs), 100 * intervals.inconclusive.low,
            100 * intervals.inconclusive.high, counts.runs);
    return true;
}

/* Prints a line per row, then the lowest detection rate per size, of all rows and of the long ones. */
static bool print_detection(const struct selftest *selftest, const struct pair_table *table, FILE *to)
{
    double worst[2][SIZES];
    for (size_t i = 0; i < SIZES; i++)
        worst[0][i] = worst[1][i] = NAN;
    fprintf(to, "\nScaled times of one row: found in %% of %zu resampled runs each; an estimate\n  %10s %8s",
            selftest->runs, "base", "spread");
    for (size_t i = 0; i < SIZES; i++)
        fprintf(to, "  %+4.0f %%", 100 * sizes[i]);
    fprintf(to, "  80 %% at  row\n");
    for (size_t row = 0; row < table->count; row++) {
        const struct paired_row *times = &table->rows[row];
        double base_s = median_of(times->base_s, table->pairs), ratio, size;
        fprintf(to, "  %7.4g us %6.2f %%", base_s * 1e6, 100 * spread(times, table->pairs, &ratio));
        for (size_t i = 0; i < SIZES; i++) {
            size_t found;
            if (!rates_detection(table, row, sizes[i], selftest->runs, selftest->seed, &found))
                return false;
            double share = percent(found, selftest->runs);
            fprintf(to, "  %6.1f", share);
            worst[0][i] = fmin(worst[0][i], share);
            if (base_s >= long_s)
                worst[1][i] = fmin(worst[1][i], share);
        }
        if (!rates_size_found(table, row, selftest->runs / 4, selftest->seed, &size))
            return false;
        fprintf(to, "  %5.2f %%  %s\n", 100 * size, times->name);
    }
    static const char *const which[] = {"the worst of all rows", "the worst of the rows of 10 us and more"};
    for (int i = 0; i < 2; i++) {
        fprintf(to, "  %19s", "");
        for (size_t s = 0; s < SIZES; s++)
            fprintf(to, isnan(worst[i][s]) ? "       -" : "  %6.1f", worst[i][s]);
        fprintf(to, "  %7s  %s\n", "", which[i]);
    }
    return true;
}

/* Prints how often slowdowns are found in disjoint runs, with Wilson's interval, over all rows and for each size. */
static bool print_disjoint_detection(const struct pair_table *table, FILE *to)
{
    fprintf(to, "\nScaled times of one row: found in disjoint runs, all rows together\n");
    for (size_t i = 0; i < SIZES; i++) {
        size_t found = 0, runs = 0;
        for (size_t row = 0; row < table->count; row++) {
            size_t found_in_row, runs_of_row;
            if (!rates_disjoint_detection(table, row, sizes[i], &found_in_row, &runs_of_row))
                return false;
            found += found_in_row;
            runs += runs_of_row;
        }
        fprintf(to, "  %+4.0f %%  ", 100 * sizes[i]);
        if (runs > 0)
            print_share(to, "found", found, runs);
        fprintf(to, "\n");
    }
    return true;
}

/* Prints a line per row: in how many resampled runs, and in how many disjoint runs, it is called slower. */
static bool print_slowed(const struct selftest *selftest, const struct recording *recording,
                         const struct pair_table *table, FILE *to)
{
    size_t *found = malloc((table->count + 1) * sizeof *found);
    bool ok = found && rates_rows_found(table, selftest->runs, selftest->seed, found);
    fprintf(to, "\nSlowed by real work: %s; found in %% of %zu resampled runs, an estimate, and in disjoint runs\n",
            recording->name, selftest->runs);
    ok = ok && print_disjoint(table, to);
    if (ok)
        fprintf(to, "  %10s %8s  %9s  %9s  row\n", "base", "spread", "measured", "found");
    for (size_t row = 0; row < table->count && ok; row++) {
        const struct paired_row *times = &table->rows[row];
        double ratio, around = spread(times, table->pairs, &ratio);
        size_t in_disjoint, runs;
        ok = rates_disjoint_detection(table, row, 0, &in_disjoint, &runs);
        fprintf(to, "  %7.4g us %6.2f %%  %+7.2f %%  %7.1f %%  %s: ", median_of(times->base_s, table->pairs) * 1e6,
                100 * around, 100 * (ratio - 1), percent(found[row], selftest->runs), times->name);
        if (ok && runs > 0)
            print_share(to, "found", in_disjoint, runs);
        fprintf(to, "\n");
    }
    free(found);
    return ok;
}

/* Makes the table, and checks that it has enough rounds for a run and few enough rows. */
static bool make_table(const struct selftest *selftest, const struct recording *other, struct pair_table *table,
                       struct error *error)
{
    if (!pair_table_make(selftest->base, other, selftest->threshold, table, error))
        return false;
    bool ok = true;
    if (table->pairs < RATES_RUN_PAIRS)
        ok = error_set(error, "%s: %zu rounds, expected at least %d, the rounds of one run", selftest->base->name,
                       table->pairs, RATES_RUN_PAIRS);
    else if (!rates_can_draw(table))
        ok = error_set(error, "%s: no session has %d consecutive rounds, expected at least one", selftest->base->name,
                       RATES_BLOCK);
    else if (sign_flips_pairs_needed(RULE_SESSION_LEVEL, table->count) > RULE_CONFIRM_PAIRS)
        ok = error_set(error, "%zu rows, expected few enough for %d pairs to confirm all of them", table->count,
                       RULE_CONFIRM_PAIRS);
    if (!ok)
        pair_table_free(table);
    return ok;
}

static bool print_same_build(const struct selftest *selftest, FILE *to, struct error *error)
{
    struct pair_table table;
    if (!pairing_check(selftest->base, selftest->other, error) || !make_table(selftest, selftest->other, &table, error))
        return false;
    fprintf(to, "%zu rows, %zu pairs of rounds in %zu session%s, on %s%s%s%s\n", table.count, table.pairs,
            table.session[table.pairs - 1] + 1, table.session[table.pairs - 1] > 0 ? "s" : "", table.device,
            table.uuid[0] ? " (" : "", table.uuid, table.uuid[0] ? ")" : "");
    fprintf(to, "runs are drawn with --seed=%" PRIu64 "\n", selftest->seed);
    if (selftest->turns > 1)
        fprintf(to, "a round's time is the least of %zu processes\n", selftest->turns);
    if (table.left_out > 0)
        fprintf(to, "%zu more rows were not timed in every round and are left out\n", table.left_out);
    fprintf(to, "\nThe same build on both sides\n");
    bool ok = print_disjoint(&table, to) && print_resampled(selftest, &table, to) &&
              print_disjoint_detection(&table, to) && print_detection(selftest, &table, to);
    pair_table_free(&table);
    return ok || error_set(error, "no memory for the rates");
}

bool selftest_print(const struct selftest *selftest, FILE *to, struct error *error)
{
    bool ok = print_same_build(selftest, to, error);
    for (size_t i = 0; i < selftest->slowed_count && ok; i++) {
        struct pair_table table;
        ok = make_table(selftest, &selftest->slowed[i], &table, error);
        if (!ok)
            break;
        if (!print_slowed(selftest, &selftest->slowed[i], &table, to))
            ok = error_set(error, "no memory for the rates");
        pair_table_free(&table);
    }
    return ok;
}
