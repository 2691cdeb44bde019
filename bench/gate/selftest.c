#include "selftest.h"

#include "bench/base/memory.h"
#include "bench/base/seeded.h"
#include "bench/base/statistics.h"
#include "rounds.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS_PER_RUN = RATES_RUN_PAIRS / RATES_BLOCK, REDRAWS = 100 };
static_assert(RATES_RUN_PAIRS % RATES_BLOCK == 0, "a run is whole blocks");

static const struct slowdown none = {RATES_NO_ROW, 0};
static const double largest_size = 10, size_steps = 0.01, wanted_share = 0.8;
static const double z = 1.959963984540054; /* 0.975 quantile of the normal distribution */

struct interval wilson_interval(size_t hits, size_t trials)
{
    double n = (double)trials, rate = (double)hits / n;
    double centre = (rate + z * z / (2 * n)) / (1 + z * z / n);
    double reach = z * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n);
    return (struct interval){hits == 0 ? 0 : centre - reach, hits == trials ? 1 : centre + reach};
}

/* Whether these adjacent pairs are of one sitting. */
static bool is_of_one_sitting(const struct rates *rates, size_t first, size_t count)
{
    return first + count <= rates->pairs && rates->sitting[first] == rates->sitting[first + count - 1];
}

void rates_begin(struct rates *rates)
{
    rates->starts = memory_get(rates->pairs, sizeof *rates->starts);
    rates->decisions = memory_get(rates->count, sizeof *rates->decisions);
    for (size_t i = 0; i < rates->pairs; i++)
        if (is_of_one_sitting(rates, i, RATES_BLOCK))
            rates->starts[rates->start_count++] = i;
}

void rates_end(struct rates *rates)
{
    free(rates->starts);
    free(rates->decisions);
    rates->starts = NULL;
    rates->decisions = NULL;
}

static struct evidence evidence_for(void *self, size_t row, size_t first, size_t count)
{
    struct rates *rates = self;
    const struct paired_row *times = &rates->rows[row];
    double base_s[RATES_RUN_PAIRS], new_s[RATES_RUN_PAIRS],
        factor = (int)row == rates->slowdown.row ? 1 + rates->slowdown.size : 1;
    if (rates->used < first + count)
        rates->used = first + count;
    for (size_t i = 0; i < count; i++) {
        base_s[i] = times->base_s[rates->run[first + i]];
        new_s[i] = times->new_s[rates->run[first + i]] * factor;
    }
    return evidence_of_pairs(base_s, new_s, count, times->tick_s, times->limits, 0, false);
}

static bool has_verdict(const struct rates *rates, enum verdict verdict)
{
    for (size_t row = 0; row < rates->count; row++)
        if (rates->decisions[row].verdict == verdict)
            return true;
    return false;
}

/* Decides the current run, and counts it. */
static void decide_run(struct rates *rates, struct slowdown slowdown, struct run_counts *counts)
{
    rates->slowdown = slowdown;
    rates->used = 0;
    counts->runs++;
    rule_decide_run(evidence_for, rates, rates->decisions, rates->count);
    bool alarm = has_verdict(rates, VERDICT_SLOWER);
    counts->alarms += alarm;
    counts->inconclusive += !alarm && has_verdict(rates, VERDICT_INCONCLUSIVE);
    counts->found += slowdown.row != RATES_NO_ROW && rates->decisions[slowdown.row].verdict == VERDICT_SLOWER;
}

struct run_counts rates_disjoint(struct rates *rates, struct slowdown slowdown)
{
    struct run_counts counts = {0};
    for (size_t first = 0; first + RATES_RUN_PAIRS <= rates->pairs;) {
        if (!is_of_one_sitting(rates, first, RATES_RUN_PAIRS)) {
            first++;
            continue;
        }
        for (size_t i = 0; i < RATES_RUN_PAIRS; i++)
            rates->run[i] = first + i;
        decide_run(rates, slowdown, &counts);
        first += rates->used;
    }
    return counts;
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

static struct run_counts count_drawn(struct rates *rates, const size_t *starts, size_t start_count, size_t runs,
                                     struct draws *draws, struct slowdown slowdown)
{
    struct run_counts counts = {0};
    while (counts.runs < runs) {
        draw_run(rates, starts, start_count, draws);
        decide_run(rates, slowdown, &counts);
    }
    return counts;
}

struct run_counts rates_resampled(struct rates *rates, struct slowdown slowdown, size_t runs, uint64_t seed)
{
    struct draws draws = {seed, 0};
    return count_drawn(rates, rates->starts, rates->start_count, runs, &draws, slowdown);
}

/* The interval of the central 95 % of the values. */
static struct interval central_interval(double *values, size_t count)
{
    size_t outside = (size_t)(0.025 * (double)count);
    statistics_of(values, count); /* sorts them */
    return (struct interval){values[outside], values[count - 1 - outside]};
}

struct rate_intervals rates_bootstrap(struct rates *rates, size_t replicas, size_t runs, uint64_t seed)
{
    struct draws draws = {seed, 0};
    size_t blocks = rates->pairs / RATES_BLOCK, *starts = memory_get(blocks, sizeof *starts);
    double *alarms = memory_get(2 * replicas, sizeof *alarms), *inconclusive = alarms + replicas;
    for (size_t replica = 0; replica < replicas; replica++) {
        for (size_t i = 0; i < blocks; i++)
            starts[i] = rates->starts[draw(&draws, rates->start_count)];
        struct run_counts counts = count_drawn(rates, starts, blocks, runs, &draws, none);
        alarms[replica] = (double)counts.alarms / (double)runs;
        inconclusive[replica] = (double)counts.inconclusive / (double)runs;
    }
    struct rate_intervals intervals = {central_interval(alarms, replicas), central_interval(inconclusive, replicas)};
    free(starts);
    free(alarms);
    return intervals;
}

static bool is_found(struct rates *rates, struct slowdown slowdown, size_t runs, uint64_t seed)
{
    return (double)rates_resampled(rates, slowdown, runs, seed).found >= wanted_share * (double)runs;
}

double rates_size_found(struct rates *rates, int row, size_t runs, uint64_t seed)
{
    double low = rates->rows[row].limits.threshold / 4, high = largest_size;
    if (!is_found(rates, (struct slowdown){row, high}, runs, seed))
        return INFINITY;
    while (high > (1 + size_steps) * low) {
        double between = sqrt(low * high);
        *(is_found(rates, (struct slowdown){row, between}, runs, seed) ? &high : &low) = between;
    }
    return high;
}

static const double sizes[] = {0.01, 0.02, 0.03, 0.05, 0.1, 0.2};
enum { SIZES = sizeof sizes / sizeof sizes[0], REPLICAS = 200 };
static const double long_s = 10e-6; /* for longer rows a few ticks are negligible */

bool selftest_read(struct selftest *selftest, struct error *error)
{
    const struct gate_options *options = selftest->options;
    const size_t turns = gate_options_turns(options);
    struct recording *all[GATE_SIDES_MAX];
    for (size_t i = 0; i < options->argument_count; i++)
        for (size_t side = 0; side < GATE_SIDES_MAX; side++) {
            char *path = gate_kept_path(options->arguments[i], side);
            bool is_there = side < 2 || access(path, F_OK) == 0;
            bool ok = !is_there || recording_read(path, &selftest->sides[side], error);
            free(path);
            if (!ok)
                return false;
            if (!is_there)
                break;
            selftest->count = side + 1 > selftest->count ? side + 1 : selftest->count;
        }
    for (size_t side = 0; side < selftest->count; side++) {
        all[side] = &selftest->sides[side];
        all[side]->name = gate_sides[side]; /* of several files */
        for (size_t i = 0; i < all[side]->count; i++)
            all[side]->items[i].file = all[side]->name;
    }
    rounds_drop_unfinished(all, selftest->count, turns);
    bool ok = true;
    for (size_t side = 0; side < selftest->count && ok; side++)
        ok = rounds_fold(all[side], turns, error);
    return ok;
}

/* The row's observation in this round; NULL if there is none or it is not usable. */
static const struct observation *usable_in(const struct row_rounds *row, const struct observation *round)
{
    const struct observation *found =
        row->count ? bsearch(round, row->items, row->count, sizeof *round, observation_compare_rounds) : NULL;
    return found && observation_is_usable(found) ? found : NULL;
}

static bool is_whole(const struct row_rounds *row, const struct row_rounds *rounds)
{
    for (size_t i = 0; i < rounds->count; i++)
        if (!usable_in(row, &rounds->items[i]))
            return false;
    return true;
}

/* Takes the times of one side of a row. `first` is the base's in the first round. */
static bool take_times(const struct row_rounds *row, const struct row_rounds *rounds, const struct observation *first,
                       double *times_s, double *tick_s, struct error *error)
{
    for (size_t i = 0; i < rounds->count; i++) {
        const struct observation *o = usable_in(row, &rounds->items[i]);
        if (!identity_check(first, o, IDENTITY_SAME, error))
            return false;
        times_s[i] = o->time_s;
        *tick_s = fmax(*tick_s, o->tick_s);
    }
    return true;
}

static bool take_row(const struct row_rounds sides[2], const struct row_rounds *rounds, double threshold,
                     struct paired_row *row, struct error *error)
{
    const struct observation *first = usable_in(&sides[0], &rounds->items[0]);
    *row = (struct paired_row){
        .name = first->name,
        .limits = isnan(threshold) ? limits_of(first->on_host, true) : limits_from(threshold),
        .base_s = memory_get(3 * rounds->count, sizeof(double)), /* and new_s, and room to find the median */
    };
    row->new_s = row->base_s + rounds->count;
    if (!take_times(&sides[0], rounds, first, row->base_s, &row->tick_s, error) ||
        !take_times(&sides[1], rounds, first, row->new_s, &row->tick_s, error))
        return false;
    row->base_median_s = statistics_median(row->base_s, rounds->count, row->new_s + rounds->count);
    return true;
}

static bool take_rows(const struct selftest *selftest, size_t other, const struct row_rounds *rounds,
                      struct rates *rates, struct error *error)
{
    struct row_walk walk = {.recordings = {&selftest->sides[0], &selftest->sides[other]}};
    while (walk_to_next_row(&walk)) {
        if (walk.rounds[1].count == 0)
            continue;
        if (!is_whole(&walk.rounds[0], rounds) || !is_whole(&walk.rounds[1], rounds))
            rates->left_out++;
        else if (!take_row(walk.rounds, rounds, selftest->options->threshold, &rates->rows[rates->count++], error))
            return false;
    }
    return rates->count > 0 || error_set(error, "%s and %s: no row was timed in the same rounds of both",
                                         selftest->sides[0].name, selftest->sides[other].name);
}

static void free_rates(struct rates *rates)
{
    rates_end(rates);
    for (size_t i = 0; i < rates->count; i++)
        free(rates->rows[i].base_s);
    free(rates->rows);
    free(rates->sitting);
}

/* Whether there are enough rounds for a run, and few enough rows. */
static bool check(const char *base, const struct rates *rates, struct error *error)
{
    if (rates->pairs < RATES_RUN_PAIRS)
        return error_set(error, "%s: %zu rounds, expected at least %d, the rounds of one run", base, rates->pairs,
                         RATES_RUN_PAIRS);
    if (rates->start_count == 0)
        return error_set(error, "%s: no sitting has %d consecutive rounds, expected at least one", base, RATES_BLOCK);
    return evidence_rounds_needed(true, rates->count, RULE_SITTING_LEVEL) <= RULE_CONFIRM_PAIRS ||
           error_set(error, "%zu rows, expected few enough for %d pairs to confirm all of them", rates->count,
                     RULE_CONFIRM_PAIRS);
}

/* Of the times of a side and of the base, in the rounds of that side: the base may have more. free_rates() follows in
 * any case. */
static bool make_rates(const struct selftest *selftest, size_t other, struct rates *rates, struct error *error)
{
    const struct recording *recording = &selftest->sides[other];
    struct row_rounds rounds = {0};
    size_t rows = 0;
    for (size_t i = 0; i < recording->count; rows++) {
        struct row_rounds row = recording_row_at(recording, i);
        rounds = row.count > rounds.count ? row : rounds;
        i += row.count;
    }
    *rates = (struct rates){.rows = memory_get(rows, sizeof *rates->rows),
                            .pairs = rounds.count,
                            .sitting = memory_get(rounds.count, sizeof *rates->sitting),
                            .device = recording->items[0].text[COLUMN_device],
                            .uuid = recording->items[0].text[COLUMN_device_uuid]};
    for (size_t i = 1; i < rounds.count; i++)
        rates->sitting[i] = rates->sitting[i - 1] + (strcmp(rounds.items[i].sitting, rounds.items[i - 1].sitting) != 0);
    if (!take_rows(selftest, other, &rounds, rates, error))
        return false;
    rates_begin(rates);
    return check(selftest->sides[0].name, rates, error);
}

static double percent(size_t hits, size_t trials)
{
    return 100 * (double)hits / (double)trials;
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
    if (trials == 0)
        return;
    struct interval interval = wilson_interval(hits, trials);
    fprintf(to, "%zu of %zu %s (95 %%: %.3g to %.3g %%)", hits, trials, what, 100 * interval.low, 100 * interval.high);
}

static void print_disjoint(struct rates *rates, FILE *to)
{
    struct run_counts counts = rates_disjoint(rates, none);
    fprintf(to, "  disjoint runs    ");
    print_share(to, "alarm", counts.alarms, counts.runs);
    fputs(counts.runs > 0 ? ", " : "", to);
    print_share(to, "inconclusive", counts.inconclusive, counts.runs);
    if (counts.runs == 0)
        fprintf(to, "none: no sitting has %d pairs", RATES_RUN_PAIRS);
    fputc('\n', to);
}

static void print_resampled(const struct gate_options *options, struct rates *rates, FILE *to)
{
    struct run_counts counts = rates_resampled(rates, none, options->runs, options->seed);
    struct rate_intervals intervals = rates_bootstrap(rates, REPLICAS, options->runs / 2, options->seed);
    fprintf(to,
            "  resampled runs   %.2f %% alarm (bootstrap over rounds: %.2f to %.2f %%), %.2f %% inconclusive (%.2f to "
            "%.2f %%), of %zu runs; an estimate\n",
            percent(counts.alarms, counts.runs), 100 * intervals.alarms.low, 100 * intervals.alarms.high,
            percent(counts.inconclusive, counts.runs), 100 * intervals.inconclusive.low,
            100 * intervals.inconclusive.high, counts.runs);
}

/* Prints how often slowdowns are found in disjoint runs, with Wilson's interval, over all rows and for each size. */
static void print_disjoint_detection(struct rates *rates, FILE *to)
{
    fprintf(to, "\nScaled times of one row: found in disjoint runs, all rows together\n");
    for (size_t i = 0; i < SIZES; i++) {
        struct run_counts all = {0};
        for (size_t row = 0; row < rates->count; row++) {
            struct run_counts counts = rates_disjoint(rates, (struct slowdown){(int)row, sizes[i]});
            all.found += counts.found;
            all.runs += counts.runs;
        }
        fprintf(to, "  %+4.0f %%  ", 100 * sizes[i]);
        print_share(to, "found", all.found, all.runs);
        fputc('\n', to);
    }
}

/* The lowest detection rate per size. */
static void print_worst(FILE *to, const double worst[SIZES], const char *of_what)
{
    fprintf(to, "  %19s", "");
    for (size_t i = 0; i < SIZES; i++)
        fprintf(to, isnan(worst[i]) ? "       -" : "  %6.1f", worst[i]);
    fprintf(to, "  %7s  the worst of %s\n", "", of_what);
}

/* Prints a line per row, then the worst of all rows and of the long ones. */
static void print_detection(const struct gate_options *options, struct rates *rates, FILE *to)
{
    double worst[SIZES], worst_long[SIZES];
    fprintf(to, "\nScaled times of one row: found in %% of %" PRIu64 " resampled runs each; an estimate\n  %10s %8s",
            options->runs, "base", "spread");
    for (size_t i = 0; i < SIZES; i++) {
        worst[i] = worst_long[i] = NAN;
        fprintf(to, "  %+4.0f %%", 100 * sizes[i]);
    }
    fprintf(to, "  80 %% at  row\n");
    for (size_t row = 0; row < rates->count; row++) {
        const struct paired_row *times = &rates->rows[row];
        double base_s = times->base_median_s, ratio;
        fprintf(to, "  %7.4g us %6.2f %%", base_s * 1e6, 100 * spread(times, rates->pairs, &ratio));
        for (size_t i = 0; i < SIZES; i++) {
            struct run_counts counts =
                rates_resampled(rates, (struct slowdown){(int)row, sizes[i]}, options->runs, options->seed);
            double share = percent(counts.found, counts.runs);
            fprintf(to, "  %6.1f", share);
            worst[i] = fmin(worst[i], share);
            worst_long[i] = base_s >= long_s ? fmin(worst_long[i], share) : worst_long[i];
        }
        fprintf(to, "  %5.2f %%  %s\n", 100 * rates_size_found(rates, (int)row, options->runs / 4, options->seed),
                times->name);
    }
    print_worst(to, worst, "all rows");
    print_worst(to, worst_long, "the rows of 10 us and more");
}

static void print_same_build(const struct gate_options *options, struct rates *rates, FILE *to)
{
    size_t sittings = rates->sitting[rates->pairs - 1] + 1, turns = gate_options_turns(options);
    fprintf(to, "%zu rows, %zu pairs of rounds in %zu sitting%s, on %s%s%s%s\n", rates->count, rates->pairs, sittings,
            sittings > 1 ? "s" : "", rates->device, rates->uuid[0] ? " (" : "", rates->uuid, rates->uuid[0] ? ")" : "");
    fprintf(to, "runs are drawn with --seed=%" PRIu64 "\n", options->seed);
    if (turns > 1)
        fprintf(to, "a round's time is the least of %zu processes\n", turns);
    if (rates->left_out > 0)
        fprintf(to, "%zu more rows were not timed in every round and are left out\n", rates->left_out);
    fprintf(to, "\nThe same build on both sides\n");
    print_disjoint(rates, to);
    print_resampled(options, rates, to);
    print_disjoint_detection(rates, to);
    print_detection(options, rates, to);
}

/* Prints a line per row: in how many resampled runs, and in how many disjoint runs, it is called slower. */
static void print_slowed(const struct gate_options *options, const char *name, struct rates *rates, FILE *to)
{
    fprintf(to,
            "\nSlowed by real work: %s; found in %% of %" PRIu64 " resampled runs, an estimate, and in disjoint runs\n",
            name, options->runs);
    print_disjoint(rates, to);
    fprintf(to, "  %10s %8s  %9s  %9s  row\n", "base", "spread", "measured", "found");
    for (size_t row = 0; row < rates->count; row++) {
        const struct paired_row *times = &rates->rows[row];
        const struct slowdown as_it_is = {(int)row, 0};
        double ratio, around = spread(times, rates->pairs, &ratio);
        struct run_counts drawn = rates_resampled(rates, as_it_is, options->runs, options->seed);
        struct run_counts disjoint = rates_disjoint(rates, as_it_is);
        fprintf(to, "  %7.4g us %6.2f %%  %+7.2f %%  %7.1f %%  %s: ", times->base_median_s * 1e6, 100 * around,
                100 * (ratio - 1), percent(drawn.found, drawn.runs), times->name);
        print_share(to, "found", disjoint.found, disjoint.runs);
        fputc('\n', to);
    }
}

bool selftest_print(const struct selftest *selftest, FILE *to, struct error *error)
{
    bool ok = rounds_check_pairs(&selftest->sides[0], &selftest->sides[1], error);
    for (size_t side = 1; side < selftest->count && ok; side++) {
        struct rates rates = {0};
        ok = make_rates(selftest, side, &rates, error);
        if (ok && side == 1)
            print_same_build(selftest->options, &rates, to);
        else if (ok)
            print_slowed(selftest->options, selftest->sides[side].name, &rates, to);
        free_rates(&rates);
    }
    return ok;
}
