/* Medians, quartiles and intervals against values computed by hand. */
#include "bench/base/statistics.h"
#include "tests/unit.h"

/* Of the numbers 1 ... n, in an order far from sorted. */
static struct statistics statistics_of_ranks(size_t n)
{
    enum { PRIME = 7919 }; /* no factor of n */
    double *samples = malloc(n * sizeof *samples);
    assert_non_null(samples);
    for (size_t i = 0; i < n; i++)
        samples[i] = (double)(i * PRIME % n + 1);
    struct statistics s = statistics_of(samples, n);
    free(samples);
    return s;
}

/* What is unknown is NAN. */
static void assert_figures(struct statistics s, const double expected[9])
{
    const double figures[9] = {s.min, s.q1, s.median, s.q3, s.max, s.mean, s.stdev, s.ci_low, s.ci_high};
    for (size_t i = 0; i < 9; i++)
        if (isnan(expected[i]) ? !isnan(figures[i]) : !is_close(figures[i], expected[i]))
            fail_msg("of %zu samples, figure %zu is %g, expected %g", s.count, i, figures[i], expected[i]);
}

/* Computed by hand. */
TEST(figures_are_known_as_far_as_there_are_samples)
{
    static const double none = NAN;
    double one[] = {0.25}, four[] = {8, 2, 6, 4}, five[] = {3, -1, 2, 2, 0}, six[] = {40, 10, 30, 20, 60, 50},
           seven[] = {9, 1, 4, 100, 2, 3, 7}, eight[] = {2, 4, 4, 4, 5, 5, 7, 9}, equal[] = {5, 5, 5, 5, 5, 5},
           tiny[] = {1.5e-9, 1.1e-9, 1.3e-9, 1.2e-9, 1.4e-9, 1.6e-9};
    const struct {
        double *samples;
        size_t count;
        double expected[9]; /* min, q1, median, q3, max, mean, stdev, and the interval */
    } cases[] = {
        {NULL, 0, {none, none, none, none, none, none, none, none, none}},
        {one, 1, {0.25, none, 0.25, none, 0.25, 0.25, none, none, none}},
        {four, 4, {2, none, 5, none, 8, 5, none, none, none}},
        {five, 5, {-1, 0, 2, 2, 3, 1.2, sqrt(2.7), none, none}},
        {six, 6, {10, 22.5, 35, 47.5, 60, 35, sqrt(350), 10, 60}},
        {seven, 7, {1, 2.5, 4, 8, 100, 18, sqrt(7892 / 6.0), 1, 100}},
        {eight, 8, {2, 4, 4.5, 5.5, 9, 5, sqrt(32.0 / 7), 2, 9}},
        {equal, 6, {5, 5, 5, 5, 5, 5, 0, 5, 5}},
        {tiny, 6, {1.1e-9, 1.225e-9, 1.35e-9, 1.475e-9, 1.6e-9, 1.35e-9, sqrt(3.5e-20), 1.1e-9, 1.6e-9}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct statistics s = statistics_of(cases[i].samples, cases[i].count);
        assert_int_equal(s.count, cases[i].count);
        assert_figures(s, cases[i].expected);
        for (size_t j = 1; j < cases[i].count; j++)
            assert_true(cases[i].samples[j - 1] <= cases[i].samples[j]);
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

TEST(the_interval_is_the_narrowest_with_95_percent)
{
    for (size_t n = 6; n <= 300; n++) {
        struct statistics s = statistics_of_ranks(n);
        size_t rank = (size_t)s.ci_low;
        assert_close(s.ci_low + s.ci_high, (double)n + 1);
        assert_true(chance_below(n, rank) <= 0.025);
        assert_true(chance_below(n, rank + 1) > 0.025);
    }
}

TEST(fifty_thousand_samples_are_handled)
{
    struct statistics s = statistics_of_ranks(50000);
    double low_by_normal_approximation = (50000 - 1.959964 * sqrt(50000)) / 2;
    assert_true(fabs(s.ci_low - low_by_normal_approximation) <= 1.5);
    assert_figures(s, (double[]){1, 12500.75, 25000.5, 37500.25, 50000, 25000.5, sqrt(50000.0 * 50001 / 12), s.ci_low,
                                 50001 - s.ci_low});
}

TEST(the_midmean_is_the_mean_between_the_quartiles)
{
    double eight[] = {1000, 3, 4, -1000, 5, 6, -500, 500};
    assert_true(statistics_midmean(eight, 8) == 4.5);
    double three[] = {9, 1, 5};
    assert_true(statistics_midmean(three, 3) == 5);
    assert_true(isnan(statistics_midmean(three, 0)));
}
