/* The gate's error rates, from simulated rounds. */
#include "bench/base/seeded.h"
#include "bench/gate/rates.h"

#include <math.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { ROWS = 3, PAIRS_MAX = 72, RUNS = 400 };

struct made {
    struct pair_table table;
    struct paired_row rows[ROWS];
    double times[ROWS][2][PAIRS_MAX];
    size_t session[PAIRS_MAX];
};

/* Approximately normal, with mean 0 and standard deviation 1. */
static double noise(uint64_t index)
{
    double sum = 0;
    for (uint64_t i = 0; i < 12; i++)
        sum += (double)seeded_signed_unit(7, index * 12 + i);
    return sum / 2;
}

/* Makes rounds whose logarithms have standard deviation `spread`; the new times of the last row are multiplied by
 * `ratio`. */
static void make(struct made *made, size_t pairs, double spread, double ratio)
{
    static const char *const names[ROWS] = {"a", "b", "c"};
    made->table = (struct pair_table){made->rows, ROWS, 0, pairs, made->session, "", ""};
    for (size_t row = 0; row < ROWS; row++) {
        made->rows[row] =
            (struct paired_row){names[row], limits_from(0.01), 1e-9, made->times[row][0], made->times[row][1]};
        for (size_t pair = 0; pair < pairs; pair++) {
            made->times[row][0][pair] = 1e-4 * exp(spread * noise((row * 2) * PAIRS_MAX + pair));
            made->times[row][1][pair] =
                1e-4 * exp(spread * noise((row * 2 + 1) * PAIRS_MAX + pair)) * (row == ROWS - 1 ? ratio : 1);
        }
    }
    for (size_t pair = 0; pair < pairs; pair++)
        made->session[pair] = 0;
}

static void quiet_rounds_raise_no_alarm(void **state)
{
    (void)state;
    struct made made;
    struct run_counts counts;
    struct rate_intervals intervals;
    make(&made, 72, 0.001, 1);
    assert_true(rates_disjoint(&made.table, &counts));
    assert_int_equal(counts.runs, 5); /* from pairs 0, 8, 16, 24 and 32 on: the screen alone is needed */
    assert_int_equal(counts.alarms + counts.inconclusive, 0);
    assert_true(rates_resampled(&made.table, RUNS, 1, &counts));
    assert_int_equal(counts.runs, RUNS);
    assert_int_equal(counts.alarms + counts.inconclusive, 0);
    assert_true(rates_bootstrap(&made.table, 40, 40, 1, &intervals));
    assert_true(intervals.alarms.low == 0 && intervals.alarms.high == 0);
    assert_true(intervals.inconclusive.low == 0 && intervals.inconclusive.high == 0);
}

static void a_slower_side_alarms_in_every_run(void **state)
{
    (void)state;
    struct made made;
    struct run_counts counts;
    size_t found[ROWS];
    make(&made, 72, 0.001, 1.05);
    assert_true(rates_disjoint(&made.table, &counts));
    assert_int_equal(counts.alarms, 2); /* from pairs 0 and 22 on */
    assert_int_equal(counts.inconclusive, 0);
    assert_true(rates_resampled(&made.table, RUNS, 1, &counts));
    assert_int_equal(counts.alarms, RUNS);
    assert_true(rates_rows_found(&made.table, RUNS, 1, found));
    assert_int_equal(found[0], 0);
    assert_int_equal(found[1], 0);
    assert_int_equal(found[2], RUNS);
}

static void noisy_rounds_are_inconclusive(void **state)
{
    (void)state;
    struct made made;
    struct run_counts counts;
    struct rate_intervals intervals;
    make(&made, 60, 0.1, 1);
    assert_true(rates_resampled(&made.table, RUNS, 1, &counts));
    assert_true(counts.inconclusive > RUNS * 9 / 10);
    assert_true(counts.alarms < RUNS / 10);
    assert_true(rates_bootstrap(&made.table, 40, 100, 1, &intervals));
    double share = (double)counts.inconclusive / RUNS;
    assert_true(intervals.inconclusive.low <= share && share <= intervals.inconclusive.high);
    assert_true(intervals.inconclusive.low < intervals.inconclusive.high);
}

/* The confirmation uses rounds of its own: a slowdown in the screen only gives no verdict, and rows that the screen
 * cleared are not tested again. */
static void the_confirmation_alone_decides(void **state)
{
    (void)state;
    struct made made;
    struct run_counts counts;
    make(&made, RATES_RUN_PAIRS, 0.001, 1);
    for (size_t pair = 0; pair < RULE_SCREEN_PAIRS; pair++)
        made.times[1][1][pair] *= 1.05;
    assert_true(rates_disjoint(&made.table, &counts));
    assert_int_equal(counts.runs, 1);
    assert_int_equal(counts.alarms + counts.inconclusive, 0);
    make(&made, RATES_RUN_PAIRS, 0.001, 1);
    for (size_t pair = RULE_SCREEN_PAIRS; pair < RATES_RUN_PAIRS; pair++)
        made.times[1][1][pair] *= 1.05;
    assert_true(rates_disjoint(&made.table, &counts));
    assert_int_equal(counts.alarms + counts.inconclusive, 0);
}

static void a_run_that_alarms_is_not_inconclusive_too(void **state)
{
    (void)state;
    struct made made, noisy;
    struct run_counts counts;
    make(&made, RATES_RUN_PAIRS, 0.001, 1.05);
    make(&noisy, RATES_RUN_PAIRS, 0.3, 1);
    for (size_t pair = 0; pair < RATES_RUN_PAIRS; pair++)
        made.times[0][1][pair] = noisy.times[0][1][pair];
    assert_true(rates_disjoint(&made.table, &counts));
    assert_int_equal(counts.alarms, 1);
    assert_int_equal(counts.inconclusive, 0);
}

static void disjoint_detection_counts_each_run(void **state)
{
    (void)state;
    struct made made;
    size_t found, runs;
    make(&made, 72, 0.001, 1.05);
    assert_true(rates_disjoint_detection(&made.table, 2, 0, &found, &runs));
    assert_int_equal(runs, 2);
    assert_int_equal(found, 2);
    assert_true(rates_disjoint_detection(&made.table, 0, 0, &found, &runs));
    assert_int_equal(found, 0);
    assert_true(rates_disjoint_detection(&made.table, 0, 0.05, &found, &runs));
    assert_int_equal(found, 2);
}

static void there_must_be_a_block_to_draw(void **state)
{
    (void)state;
    struct made made;
    make(&made, 31, 0.001, 1);
    for (size_t pair = 0; pair < 31; pair++)
        made.session[pair] = pair / 3;
    assert_false(rates_can_draw(&made.table));
    made.session[3] = 0;
    assert_true(rates_can_draw(&made.table));
}

static void a_run_lies_within_one_session(void **state)
{
    (void)state;
    struct made made;
    struct run_counts counts;
    make(&made, 72, 0.001, 1);
    for (size_t pair = 35; pair < 72; pair++)
        made.session[pair] = 1; /* sessions of 35 and 37 pairs */
    assert_true(rates_disjoint(&made.table, &counts));
    assert_int_equal(counts.runs, 1);
    made.session[71] = 2;
    assert_true(rates_disjoint(&made.table, &counts));
    assert_int_equal(counts.runs, 1);
    made.session[70] = 2;
    assert_true(rates_disjoint(&made.table, &counts));
    assert_int_equal(counts.runs, 0);
}

/* A block of four rounds does not extend beyond its session. All sessions have three rounds except the last, which has
 * four: only that one can be drawn. */
static void a_block_lies_within_one_session(void **state)
{
    (void)state;
    struct made made;
    struct run_counts counts;
    make(&made, 31, 0.001, 1);
    for (size_t pair = 0; pair < 31; pair++)
        made.session[pair] = pair < 27 ? pair / 3 : 9;
    for (size_t pair = 0; pair < 27; pair++)
        made.times[0][1][pair] *= 2;
    assert_true(rates_resampled(&made.table, RUNS, 1, &counts));
    assert_int_equal(counts.alarms + counts.inconclusive, 0);
}

static void detection_grows_with_size(void **state)
{
    (void)state;
    struct made made;
    size_t found[4];
    static const double sizes[] = {0.005, 0.0095, 0.0125, 0.05};
    make(&made, 60, 0.001, 1);
    for (int i = 0; i < 4; i++)
        assert_true(rates_detection(&made.table, 1, sizes[i], RUNS, 1, &found[i]));
    assert_int_equal(found[0], 0);
    assert_true(found[1] < RUNS / 2);
    assert_true(found[2] > RUNS * 9 / 10);
    assert_int_equal(found[3], RUNS);
}

static void the_size_found_is_just_above_the_threshold(void **state)
{
    (void)state;
    struct made made;
    double size;
    size_t found;
    make(&made, 60, 0.001, 1);
    assert_true(rates_size_found(&made.table, 0, RUNS, 1, &size));
    assert_true(size > 0.01 && size < 0.0125);
    assert_true(rates_detection(&made.table, 0, size, RUNS, 1, &found));
    assert_true(found >= RUNS * 8 / 10);
    assert_true(rates_detection(&made.table, 0, size / 1.02, RUNS, 1, &found));
    assert_true(found < RUNS * 8 / 10);
    make(&made, 60, 5, 1); /* the noise is so large that nothing is found */
    assert_true(rates_size_found(&made.table, 0, RUNS, 1, &size));
    assert_true(isinf(size));
}

static void a_seed_draws_the_same_runs(void **state)
{
    (void)state;
    struct made made;
    size_t first, again, other;
    make(&made, 60, 0.01, 1);
    assert_true(rates_detection(&made.table, 0, 0.015, RUNS, 1, &first));
    assert_true(rates_detection(&made.table, 0, 0.015, RUNS, 1, &again));
    assert_true(rates_detection(&made.table, 0, 0.015, RUNS, 2, &other));
    assert_int_equal(first, again);
    assert_int_not_equal(first, other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quiet_rounds_raise_no_alarm),
        cmocka_unit_test(a_slower_side_alarms_in_every_run),
        cmocka_unit_test(noisy_rounds_are_inconclusive),
        cmocka_unit_test(the_confirmation_alone_decides),
        cmocka_unit_test(a_run_that_alarms_is_not_inconclusive_too),
        cmocka_unit_test(disjoint_detection_counts_each_run),
        cmocka_unit_test(there_must_be_a_block_to_draw),
        cmocka_unit_test(a_run_lies_within_one_session),
        cmocka_unit_test(a_block_lies_within_one_session),
        cmocka_unit_test(detection_grows_with_size),
        cmocka_unit_test(the_size_found_is_just_above_the_threshold),
        cmocka_unit_test(a_seed_draws_the_same_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
