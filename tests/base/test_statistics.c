/* Medians, quartiles and intervals against values computed by hand. */
#include "bench/base/statistics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#define assert_close(actual, expected) assert_true(is_close(actual, expected))

static int is_close(double actual, double expected)
{
    return fabs(actual - expected) <= 1e-12 * fabs(expected);
}

/* The numbers 1 ... n, in an order far from sorted. */
static double *shuffled(size_t n)
{
    double *samples = malloc(n * sizeof *samples);
    assert_non_null(samples);
    for (size_t i = 0; i < n; i++)
        samples[i] = (double)(i + 1);
    uint64_t random = 1;
    for (size_t i = n; i-- > 1;) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t other = (size_t)(random >> 33) % (i + 1);
        double kept = samples[i];
        samples[i] = samples[other];
        samples[other] = kept;
    }
    return samples;
}

static struct statistics statistics_of_ranks(size_t n)
{
    double *samples = shuffled(n);
    struct statistics s = statistics_of(samples, n);
    free(samples);
    return s;
}

static void no_samples_say_nothing(void **state)
{
    (void)state;
    struct statistics s = statistics_of(NULL, 0);
    assert_int_equal(s.count, 0);
    assert_true(isnan(s.min) && isnan(s.q1) && isnan(s.median) && isnan(s.q3));
    assert_true(isnan(s.mean) && isnan(s.stdev) && isnan(s.ci_low) && isnan(s.ci_high));
}

static void one_sample_has_a_median_and_no_spread(void **state)
{
    (void)state;
    double samples[] = {0.25};
    struct statistics s = statistics_of(samples, 1);
    assert_int_equal(s.count, 1);
    assert_close(s.min, 0.25);
    assert_close(s.median, 0.25);
    assert_close(s.mean, 0.25);
    assert_true(isnan(s.q1) && isnan(s.q3) && isnan(s.stdev) && isnan(s.ci_low) && isnan(s.ci_high));
}

static void the_median_of_an_odd_count_is_the_middle_one(void **state)
{
    (void)state;
    double samples[] = {9, 1, 4, 100, 2, 3, 7};
    struct statistics s = statistics_of(samples, 7);
    assert_close(s.min, 1);
    assert_close(s.median, 4);
    assert_close(s.q1, 2.5);
    assert_close(s.q3, 8);
    assert_close(s.mean, 18);
}

static void the_median_of_an_even_count_is_between_the_middle_two(void **state)
{
    (void)state;
    double samples[] = {40, 10, 30, 20, 60, 50};
    struct statistics s = statistics_of(samples, 6);
    assert_close(s.median, 35);
    assert_close(s.q1, 22.5);
    assert_close(s.q3, 47.5);
    double four[] = {8, 2, 6, 4};
    assert_close(statistics_of(four, 4).median, 5);
}

static void the_standard_deviation_divides_by_one_less(void **state)
{
    (void)state;
    double samples[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct statistics s = statistics_of(samples, 8);
    assert_close(s.mean, 5);
    assert_close(s.stdev, sqrt(32.0 / 7.0));
}

static void samples_are_left_sorted(void **state)
{
    (void)state;
    double samples[] = {3, -1, 2, 2, 0};
    statistics_of(samples, 5);
    for (size_t i = 1; i < 5; i++)
        assert_true(samples[i - 1] <= samples[i]);
}

static void fewer_than_five_samples_have_no_spread(void **state)
{
    (void)state;
    for (size_t n = 1; n < 5; n++) {
        struct statistics s = statistics_of_ranks(n);
        assert_close(s.median, ((double)n + 1) / 2);
        assert_true(isnan(s.q1) && isnan(s.q3) && isnan(s.stdev) && isnan(s.ci_low) && isnan(s.ci_high));
    }
}

static void five_samples_have_spread_but_no_interval(void **state)
{
    (void)state;
    struct statistics s = statistics_of_ranks(5);
    assert_close(s.q1, 2);
    assert_close(s.q3, 4);
    assert_close(s.stdev, sqrt(2.5));
    assert_true(isnan(s.ci_low) && isnan(s.ci_high));
}

/* Ranks from W. J. Conover, "Practical Nonparametric Statistics", table A3 (sign test) with p = 1/2. */
static void the_interval_stands_between_the_tabled_ranks(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        double low, high;
    } table[] = {
        {6, 1, 6},    {7, 1, 7},    {8, 1, 8},    {9, 2, 8},    {10, 2, 9},   {11, 2, 10},
        {12, 3, 10},  {15, 4, 12},  {16, 4, 13},  {17, 5, 13},  {20, 6, 15},  {25, 8, 18},
        {30, 10, 21}, {40, 14, 27}, {50, 18, 33}, {60, 22, 39}, {80, 31, 50}, {100, 40, 61},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct statistics s = statistics_of_ranks(table[i].n);
        assert_close(s.ci_low, table[i].low);
        assert_close(s.ci_high, table[i].high);
    }
}

/* P(fewer than r heads in n fair coin tosses), as a sum of binomial coefficients. */
static double chance_below(size_t n, size_t r)
{
    double coefficient = 1, sum = 0;
    for (size_t k = 0; k < r; k++) {
        sum += coefficient;
        coefficient = coefficient * (double)(n - k) / (double)(k + 1);
    }
    return ldexp(sum, -(int)n);
}

static void the_interval_is_the_narrowest_with_95_percent(void **state)
{
    (void)state;
    for (size_t n = 6; n <= 300; n++) {
        struct statistics s = statistics_of_ranks(n);
        size_t rank = (size_t)s.ci_low;
        assert_close(s.ci_low + s.ci_high, (double)n + 1);
        assert_true(chance_below(n, rank) <= 0.025);
        assert_true(chance_below(n, rank + 1) > 0.025);
    }
}

static void statistics_are_ordered_and_known_from_six_samples_on(void **state)
{
    (void)state;
    for (size_t n = 6; n <= 2000; n += n / 3) {
        struct statistics s = statistics_of_ranks(n);
        assert_true(s.min <= s.ci_low && s.ci_low <= s.median && s.median <= s.ci_high);
        assert_true(s.min <= s.q1 && s.q1 <= s.median && s.median <= s.q3);
        assert_false(isnan(s.mean) || isnan(s.stdev));
    }
}

static void equal_samples_have_no_spread_at_all(void **state)
{
    (void)state;
    double samples[20];
    for (size_t i = 0; i < 20; i++)
        samples[i] = 0.125;
    struct statistics s = statistics_of(samples, 20);
    assert_true(s.stdev == 0 && s.ci_low == 0.125 && s.ci_high == 0.125 && s.q1 == 0.125 && s.q3 == 0.125);
}

static void fifty_thousand_samples_are_handled(void **state)
{
    (void)state;
    struct statistics s = statistics_of_ranks(50000);
    assert_int_equal(s.count, 50000);
    assert_close(s.median, 25000.5);
    assert_close(s.q1, 12500.75);
    assert_close(s.q3, 37500.25);
    assert_close(s.mean, 25000.5);
    double low_by_normal_approximation = (50000 - 1.959964 * sqrt(50000)) / 2;
    assert_true(fabs(s.ci_low - low_by_normal_approximation) <= 1.5);
    assert_close(s.ci_low + s.ci_high, 50001.0);
}

static void tiny_times_keep_their_digits(void **state)
{
    (void)state;
    double samples[] = {1.5e-9, 1.1e-9, 1.3e-9, 1.2e-9, 1.4e-9, 1.6e-9};
    struct statistics s = statistics_of(samples, 6);
    assert_close(s.median, 1.35e-9);
    assert_close(s.ci_low, 1.1e-9);
    assert_close(s.ci_high, 1.6e-9);
}

static void the_midmean_is_the_mean_between_the_quartiles(void **state)
{
    (void)state;
    double eight[] = {1000, 3, 4, -1000, 5, 6, -500, 500};
    assert_true(statistics_midmean(eight, 8) == 4.5);
    double three[] = {9, 1, 5};
    assert_true(statistics_midmean(three, 3) == 5);
    assert_true(isnan(statistics_midmean(three, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_midmean_is_the_mean_between_the_quartiles),
        cmocka_unit_test(no_samples_say_nothing),
        cmocka_unit_test(one_sample_has_a_median_and_no_spread),
        cmocka_unit_test(the_median_of_an_odd_count_is_the_middle_one),
        cmocka_unit_test(the_median_of_an_even_count_is_between_the_middle_two),
        cmocka_unit_test(the_standard_deviation_divides_by_one_less),
        cmocka_unit_test(samples_are_left_sorted),
        cmocka_unit_test(fewer_than_five_samples_have_no_spread),
        cmocka_unit_test(five_samples_have_spread_but_no_interval),
        cmocka_unit_test(the_interval_stands_between_the_tabled_ranks),
        cmocka_unit_test(the_interval_is_the_narrowest_with_95_percent),
        cmocka_unit_test(statistics_are_ordered_and_known_from_six_samples_on),
        cmocka_unit_test(equal_samples_have_no_spread_at_all),
        cmocka_unit_test(fifty_thousand_samples_are_handled),
        cmocka_unit_test(tiny_times_keep_their_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
