/* The gate's error rates, from simulated rounds. */
#include "bench/base/seeded.h"
#include "bench/gate/selftest.h"
#include "tests/unit.h"

enum { ROWS = 3, PAIRS_MAX = 72, RUNS = 400 };

struct simulated {
    struct rates rates;
    struct paired_row rows[ROWS];
    double times[ROWS][2][PAIRS_MAX];
    size_t sitting[PAIRS_MAX];
};

/* Approximately normal, with mean 0 and standard deviation 1. */
static double noise(uint64_t index)
{
    double sum = 0;
    for (uint64_t i = 0; i < 12; i++)
        sum += (double)(seeded_bits(7, index * 12 + i) >> 11) * 0x1p-52 - 1;
    return sum / 2;
}

/* Makes rounds whose logarithms have standard deviation `spread`; the new times of the last row are multiplied by
 * `ratio`. */
static void make(struct simulated *made, size_t pairs, double spread, double ratio)
{
    static const char *const names[ROWS] = {"a", "b", "c"};
    made->rates = (struct rates){
        .rows = made->rows, .count = ROWS, .pairs = pairs, .sitting = made->sitting, .device = "", .uuid = ""};
    for (size_t row = 0; row < ROWS; row++) {
        made->rows[row] =
            (struct paired_row){names[row], limits_from(0.01), 1e-9, made->times[row][0], made->times[row][1], 0};
        for (size_t pair = 0; pair < pairs; pair++) {
            made->times[row][0][pair] = 1e-4 * exp(spread * noise((row * 2) * PAIRS_MAX + pair));
            made->times[row][1][pair] =
                1e-4 * exp(spread * noise((row * 2 + 1) * PAIRS_MAX + pair)) * (row == ROWS - 1 ? ratio : 1);
        }
    }
    for (size_t pair = 0; pair < pairs; pair++)
        made->sitting[pair] = 0;
}

static const struct slowdown none = {RATES_NO_ROW, 0};

static struct rates rates;

/* Counts the disjoint runs, or so many that are drawn. */
static struct run_counts count(const struct simulated *made, size_t runs, struct slowdown slowdown, uint64_t seed)
{
    rates_end(&rates);
    rates = made->rates;
    rates_begin(&rates);
    struct run_counts counts = runs ? rates_resampled(&rates, slowdown, runs, seed) : rates_disjoint(&rates, slowdown);
    assert_true(runs == 0 || counts.runs == runs);
    return counts;
}

static void assert_counts(const struct simulated *made, size_t runs, size_t alarms, size_t inconclusive)
{
    struct run_counts counts = count(made, 0, none, 0);
    assert_int_equal(counts.runs, runs);
    assert_int_equal(counts.alarms, alarms);
    assert_int_equal(counts.inconclusive, inconclusive);
}

static int forget(void **state)
{
    rates_end(&rates);
    return 0;
}

AROUND_EACH_TEST(NULL, forget)

TEST(quiet_rounds_raise_no_alarm)
{
    struct simulated made;
    make(&made, 72, 0.001, 1);
    assert_counts(&made, 5, 0, 0); /* from pairs 0, 8, 16, 24 and 32 on: the screen is all that is needed */
    struct run_counts counts = count(&made, RUNS, none, 1);
    assert_int_equal(counts.alarms + counts.inconclusive, 0);
    struct rate_intervals intervals = rates_bootstrap(&rates, 40, 40, 1);
    assert_true(intervals.alarms.low == 0 && intervals.alarms.high == 0);
    assert_true(intervals.inconclusive.low == 0 && intervals.inconclusive.high == 0);
}

TEST(a_slower_side_alarms_in_every_run)
{
    struct simulated made;
    make(&made, 72, 0.001, 1.05);
    assert_counts(&made, 2, 2, 0); /* from pairs 0 and 22 on */
    for (int row = 0; row < ROWS; row++) {
        struct run_counts counts = count(&made, RUNS, (struct slowdown){row, 0}, 1);
        assert_int_equal(counts.alarms, RUNS);
        assert_int_equal(counts.found, row == ROWS - 1 ? RUNS : 0);
        assert_int_equal(count(&made, 0, (struct slowdown){row, 0}, 0).found, row == ROWS - 1 ? 2 : 0);
        assert_int_equal(count(&made, 0, (struct slowdown){row, 0.05}, 0).found, 2);
    }
}

TEST(noisy_rounds_are_inconclusive)
{
    struct simulated made;
    make(&made, 60, 0.1, 1);
    struct run_counts counts = count(&made, RUNS, none, 1);
    assert_true(counts.inconclusive > RUNS * 9 / 10);
    assert_true(counts.alarms < RUNS / 10);
    struct rate_intervals intervals = rates_bootstrap(&rates, 40, 100, 1);
    double share = (double)counts.inconclusive / RUNS;
    assert_true(intervals.inconclusive.low <= share && share <= intervals.inconclusive.high);
    assert_true(intervals.inconclusive.low < intervals.inconclusive.high);
}

/* The confirmation uses rounds of its own: a slowdown in the screen only gives no verdict, and rows that the screen
 * cleared are not tested again. */
TEST(the_confirmation_alone_decides)
{
    for (int late = 0; late < 2; late++) {
        struct simulated made;
        make(&made, RATES_RUN_PAIRS, 0.001, 1);
        for (size_t pair = 0; pair < RATES_RUN_PAIRS; pair++)
            made.times[1][1][pair] *= (pair >= RULE_SCREEN_PAIRS) == late ? 1.05 : 1;
        assert_counts(&made, 1, 0, 0);
    }
}

TEST(a_run_that_alarms_is_not_inconclusive_too)
{
    struct simulated made, noisy;
    make(&made, RATES_RUN_PAIRS, 0.001, 1.05);
    make(&noisy, RATES_RUN_PAIRS, 0.3, 1);
    for (size_t pair = 0; pair < RATES_RUN_PAIRS; pair++)
        made.times[0][1][pair] = noisy.times[0][1][pair];
    assert_counts(&made, 1, 1, 0);
}

TEST(a_run_lies_within_one_sitting)
{
    struct simulated made;
    make(&made, 72, 0.001, 1);
    for (size_t pair = 35; pair < 72; pair++)
        made.sitting[pair] = 1; /* sittings of 35 and 37 pairs */
    assert_counts(&made, 1, 0, 0);
    made.sitting[71] = 2;
    assert_counts(&made, 1, 0, 0);
    made.sitting[70] = 2;
    assert_counts(&made, 0, 0, 0);
}

/* A block of four rounds does not extend beyond its sitting. All sittings have three rounds except the last, which has
 * four: only that one can be drawn. */
TEST(a_block_lies_within_one_sitting)
{
    struct simulated made;
    make(&made, 31, 0.001, 1);
    for (size_t pair = 0; pair < 31; pair++)
        made.sitting[pair] = pair < 27 ? pair / 3 : 9;
    for (size_t pair = 0; pair < 27; pair++)
        made.times[0][1][pair] *= 2;
    struct run_counts counts = count(&made, RUNS, none, 1);
    assert_int_equal(counts.alarms + counts.inconclusive, 0);
    made.sitting[30] = 10;
    rates = made.rates;
    rates_begin(&rates);
    assert_int_equal(rates.start_count, 0); /* nothing can */
}

TEST(detection_grows_with_size)
{
    struct simulated made;
    size_t found[4];
    static const double sizes[] = {0.005, 0.0095, 0.0125, 0.05};
    make(&made, 60, 0.001, 1);
    for (int i = 0; i < 4; i++)
        found[i] = count(&made, RUNS, (struct slowdown){1, sizes[i]}, 1).found;
    assert_int_equal(found[0], 0);
    assert_true(found[1] < RUNS / 2);
    assert_true(found[2] > RUNS * 9 / 10);
    assert_int_equal(found[3], RUNS);
}

TEST(the_size_found_is_just_above_the_threshold)
{
    struct simulated made;
    make(&made, 60, 0.001, 1);
    rates = made.rates;
    rates_begin(&rates);
    double size = rates_size_found(&rates, 0, RUNS, 1);
    assert_true(size > 0.01 && size < 0.0125);
    assert_true(count(&made, RUNS, (struct slowdown){0, size}, 1).found >= RUNS * 8 / 10);
    assert_true(count(&made, RUNS, (struct slowdown){0, size / 1.02}, 1).found < RUNS * 8 / 10);
    make(&made, 60, 5, 1); /* the noise is so large that nothing is found */
    assert_true(isinf(rates_size_found(&rates, 0, RUNS, 1)));
}

/* At each end of the interval the observed rate is 1.96 standard deviations away. */
TEST(wilson_turns_the_score_test_round)
{
    assert_true(wilson_interval(0, 40).low == 0 && wilson_interval(40, 40).high == 1);
    for (size_t hits = 1; hits < 40; hits++) {
        struct interval interval = wilson_interval(hits, 40);
        const double ends[] = {interval.low, interval.high};
        for (int i = 0; i < 2; i++)
            assert_true(fabs(fabs((double)hits / 40 - ends[i]) / sqrt(ends[i] * (1 - ends[i]) / 40) -
                             1.959963984540054) < 1e-9);
    }
}
