/* Holm's procedure and Wilson's interval against published values. */
#include "bench/gate/holm.h"
#include "bench/gate/wilson.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static void assert_adjusted(double *p, const double *expected, size_t count)
{
    assert_true(holm_adjust(p, count));
    for (size_t i = 0; i < count; i++)
        if (!(fabs(p[i] - expected[i]) <= 1e-12))
            fail_msg("p-value %zu is adjusted to %.15g, expected %.15g", i, p[i], expected[i]);
}

/* Adjusted by R's multtest: mt.rawp2adjp(p, "Holm"), quoted in the tests of statsmodels' multipletests. */
static void holm_adjusts_as_multtest_does(void **state)
{
    (void)state;
    double p[] = {0.838541367553, 0.642193923795,    0.680845947633,  0.967833824309,   0.71626938238,
                  0.177096952723, 5.23656777208e-05, 0.0202732688798, 0.00028140506198, 0.0149877310796};
    static const double expected[] = {
        1, 1, 1, 1, 1, 1, 5.23656777208e-04, 0.1419128821586, 0.00253264555782, 0.1199018486368};
    assert_adjusted(p, expected, 10);
    double even[] = {0.008, 0.002, 0.012, 0.004, 0.01, 0.006};
    static const double step_down[] = {0.024, 0.012, 0.024, 0.02, 0.024, 0.024};
    assert_adjusted(even, step_down, 6);
}

/* The example of "Holm-Bonferroni method", Wikipedia: at 0.05 the first and the last are rejected. */
static void holm_rejects_in_steps(void **state)
{
    (void)state;
    double p[] = {0.01, 0.04, 0.03, 0.005};
    static const double expected[] = {0.03, 0.06, 0.06, 0.02};
    assert_adjusted(p, expected, 4);
}

static void holm_of_few_and_of_equals(void **state)
{
    (void)state;
    assert_true(holm_adjust(NULL, 0));
    double one[] = {0.03}, equal[] = {0.02, 0.02, 0.02}, large[] = {0.9, 0.6}, ones[] = {1, 1};
    assert_adjusted(one, (const double[]){0.03}, 1);
    assert_adjusted(equal, (const double[]){0.06, 0.06, 0.06}, 3);
    assert_adjusted(large, (const double[]){1, 1}, 2);
    assert_adjusted(ones, (const double[]){1, 1}, 2);
}

/* R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, 1998, table I,
 * method 3. */
static void wilson_gives_newcombes_table(void **state)
{
    (void)state;
    static const struct {
        size_t hits, trials;
        double low, high;
    } table[] = {
        {81, 263, 0.2553, 0.3662},
        {15, 148, 0.0624, 0.1605},
        {0, 20, 0, 0.1611},
        {1, 29, 0.0061, 0.1718},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct interval interval = wilson_interval(table[i].hits, table[i].trials);
        assert_true(fabs(interval.low - table[i].low) < 0.00005);
        assert_true(fabs(interval.high - table[i].high) < 0.00005);
        struct interval misses = wilson_interval(table[i].trials - table[i].hits, table[i].trials);
        assert_true(fabs(misses.low - (1 - interval.high)) < 1e-15 && fabs(misses.high - (1 - interval.low)) < 1e-15);
    }
}

static void wilson_reaches_the_ends_exactly(void **state)
{
    (void)state;
    for (size_t trials = 1; trials < 200; trials++) {
        struct interval none = wilson_interval(0, trials), all = wilson_interval(trials, trials);
        assert_true(none.low == 0 && none.high > 0 && none.high < 1);
        assert_true(all.high == 1 && all.low > 0 && all.low < 1);
    }
}

/* At each end of the interval the observed rate is 1.96 standard deviations away. */
static void wilson_turns_the_score_test_round(void **state)
{
    (void)state;
    for (size_t hits = 1; hits < 40; hits++) {
        struct interval interval = wilson_interval(hits, 40);
        const double ends[] = {interval.low, interval.high};
        for (int i = 0; i < 2; i++)
            assert_true(fabs(fabs((double)hits / 40 - ends[i]) / sqrt(ends[i] * (1 - ends[i]) / 40) -
                             1.959963984540054) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holm_adjusts_as_multtest_does),   cmocka_unit_test(holm_rejects_in_steps),
        cmocka_unit_test(holm_of_few_and_of_equals),       cmocka_unit_test(wilson_gives_newcombes_table),
        cmocka_unit_test(wilson_reaches_the_ends_exactly), cmocka_unit_test(wilson_turns_the_score_test_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
