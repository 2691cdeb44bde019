/* The permutation test against published counts, and against tests/gate/tables.h, which counts by definition. */
#include "bench/gate/permutation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

enum { TABLED_VALUES = 100, TABLED_THETAS = 6, LARGEST_EXACT = 1 << 18 };

struct tabled {
    const char *name;
    double base[TABLED_VALUES];
    size_t base_count;
    double other[TABLED_VALUES];
    size_t other_count;
    double arrangements;
    size_t theta_count;
    struct {
        double theta, greater, less; /* number of rearrangements at least as extreme as the data */
    } at[TABLED_THETAS];
    double tail, low, high, step; /* limits of the interval on a grid of width `step`; NAN: not in the table */
};

#include "tables.h"

enum { HALVES = sizeof halves / sizeof halves[0] };

static struct permutation permutation_of(const struct tabled *tabled, uint64_t seed)
{
    struct permutation permutation;
    assert_true(permutation_of_samples(tabled->base, tabled->base_count, tabled->other, tabled->other_count, seed,
                                       &permutation));
    return permutation;
}

static void assert_p(const struct permutation *permutation, double p, double hits, double arrangements,
                     const char *name)
{
    double expected = hits / arrangements, error = 0;
    if (!permutation->exact)
        error = 4 * sqrt(expected * (1 - expected) / LARGEST_EXACT) + 1.0 / LARGEST_EXACT;
    if (!(fabs(p - expected) <= error + 1e-15))
        fail_msg("%s: p is %.9g, expected %.9g +- %.2g", name, p, expected, error);
}

static void assert_limit(double limit, double lowest, double highest, const char *name)
{
    if (!(limit >= lowest && limit <= highest))
        fail_msg("%s: a limit is %.9g, expected one from %.9g to %.9g", name, limit, lowest, highest);
}

static void assert_interval(const struct tabled *tabled, struct permutation *permutation)
{
    struct interval interval = permutation_interval(permutation, tabled->tail);
    double slack = permutation->exact ? 1e-12 : 1e-4;
    if (isnan(tabled->low))
        return;
    assert_limit(interval.low, tabled->low - tabled->step - slack, tabled->low + slack, tabled->name);
    assert_limit(interval.high, tabled->high - slack, tabled->high + tabled->step + slack, tabled->name);
}

static void divisions_are_as_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < HALVES; i++) {
        const struct tabled *t = &halves[i];
        struct permutation permutation = permutation_of(t, 1);
        assert_int_equal(permutation.exact, t->arrangements <= LARGEST_EXACT);
        if (permutation.exact)
            assert_true((double)(permutation.count + permutation.identities) == t->arrangements);
        for (size_t j = 0; j < t->theta_count; j++) {
            double theta = t->at[j].theta;
            assert_p(&permutation, permutation_p_greater(&permutation, theta), t->at[j].greater, t->arrangements,
                     t->name);
            assert_p(&permutation, permutation_p_less(&permutation, theta), t->at[j].less, t->arrangements, t->name);
        }
        assert_interval(t, &permutation);
        permutation_free(&permutation);
    }
}

/* B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, table 2.1: survival of 7 treated and 9 other
 * mice. Their permutation test (chapter 15) draws at random and finds .132; of all 11440 divisions it is 1613: .141. */
static void the_mice_of_efron_and_tibshirani(void **state)
{
    (void)state;
    static const double treated[] = {94, 197, 16, 38, 99, 141, 23}, other[] = {52, 104, 146, 10, 51, 30, 40, 27, 46};
    struct permutation permutation;
    assert_true(permutation_of_samples(other, 9, treated, 7, 0, &permutation));
    assert_true(permutation_p_greater(&permutation, 0) == 1613.0 / 11440);
    assert_true(permutation_p_error(&permutation, 0.5) == 0);
    permutation_free(&permutation);
}

static void what_is_drawn_follows_from_the_seed(void **state)
{
    (void)state;
    const struct tabled *drawn = &halves[HALVES - 2];
    struct permutation once = permutation_of(drawn, 7), again = permutation_of(drawn, 7),
                       other = permutation_of(drawn, 8);
    double p = permutation_p_greater(&once, 0);
    assert_false(once.exact);
    assert_true(permutation_p_greater(&again, 0) == p);
    assert_true(permutation_p_greater(&other, 0) != p);
    permutation_free(&once);
    permutation_free(&again);
    permutation_free(&other);
}

/* The root mean square of (drawn p-value - exact p-value) / stated standard error is near 1. */
static void the_error_of_what_is_drawn_is_as_stated(void **state)
{
    (void)state;
    enum { SEEDS = 8 };
    const struct tabled *drawn = &halves[HALVES - 2];
    double exact = drawn->at[0].greater / drawn->arrangements, squares = 0;
    for (uint64_t seed = 100; seed < 100 + SEEDS; seed++) {
        struct permutation permutation = permutation_of(drawn, seed);
        double p = permutation_p_greater(&permutation, 0), error = permutation_p_error(&permutation, p);
        assert_true(error > 0 && error < 0.001);
        squares += (p - exact) * (p - exact) / (error * error);
        permutation_free(&permutation);
    }
    assert_true(squares / SEEDS > 0.3 && squares / SEEDS < 2.2);
}

/* The data counts as one of the random draws. */
static void no_p_value_is_zero(void **state)
{
    (void)state;
    double apart[40];
    for (int i = 0; i < 40; i++)
        apart[i] = 1 + i * 0.01;
    struct permutation permutation;
    assert_true(permutation_of_samples(apart, 20, apart + 20, 20, 3, &permutation));
    assert_int_equal(permutation.count + permutation.identities, LARGEST_EXACT + 1);
    assert_true(permutation_p_greater(&permutation, 0) == 1.0 / (LARGEST_EXACT + 1));
    permutation_free(&permutation);
}

/* A limit is not rejected, and a value beyond it is. */
static void limits_are_where_the_tests_begin_to_reject(void **state)
{
    (void)state;
    for (size_t i = 0; i < HALVES; i++) {
        const struct tabled *t = &halves[i];
        if (isnan(t->low))
            continue;
        struct permutation permutation = permutation_of(t, 5);
        struct interval interval = permutation_interval(&permutation, t->tail);
        if (isfinite(interval.low)) {
            double beyond = 1e-7 * (t->step * 1e6);
            assert_true(permutation_p_greater(&permutation, interval.low) > t->tail);
            assert_true(permutation_p_greater(&permutation, interval.low - beyond) <= t->tail * (1 + 1e-9));
            assert_true(permutation_p_less(&permutation, interval.high) > t->tail);
            assert_true(permutation_p_less(&permutation, interval.high + beyond) <= t->tail * (1 + 1e-9));
        } else {
            assert_true(1 > t->tail * t->arrangements && interval.low < 0 && interval.high > 0);
        }
        permutation_free(&permutation);
    }
}

static void rounding_does_not_break_ties(void **state)
{
    (void)state;
    struct permutation permutation;
    /* Negative values, like logarithms of times: the counts of "five and five with ties", exchanged. */
    static const double base[] = {-0.1, -0.2, -0.3, -0.3, -0.1}, other[] = {-0.3, -0.4, -0.2, -0.5, -0.3};
    assert_true(permutation_of_samples(base, 5, other, 5, 0, &permutation));
    assert_true(permutation_p_less(&permutation, 0) == 17.0 / 252);
    assert_true(permutation_p_greater(&permutation, 0) == 248.0 / 252);
    permutation_free(&permutation);
}

/* Of 100 draws, 3 equal the data: 5 in 100 are reached below the third of the others. */
static void draws_of_the_data_count_against_the_tail(void **state)
{
    (void)state;
    double typical[97];
    for (int i = 0; i < 97; i++)
        typical[i] = 97 - i;
    struct permutation permutation = {.typical = typical, .count = 97, .identities = 3};
    struct interval interval = permutation_interval(&permutation, 0.05);
    assert_true(interval.low == 3 && interval.high == 95);
    interval = permutation_interval(&permutation, 0.03);
    assert_true(interval.low == 1 && interval.high == 97);
    interval = permutation_interval(&permutation, 0.029);
    assert_true(interval.low == -INFINITY && interval.high == INFINITY);
}

static void exchanging_the_sides_exchanges_the_tests(void **state)
{
    (void)state;
    const struct tabled *t = &halves[HALVES - 3];
    struct permutation there = permutation_of(t, 1), back;
    assert_true(permutation_of_samples(t->other, t->other_count, t->base, t->base_count, 1, &back));
    for (double theta = -0.01; theta < 0.01; theta += 0.0007)
        assert_true(permutation_p_greater(&there, theta) == permutation_p_less(&back, -theta));
    struct interval one = permutation_interval(&there, 0.025), other = permutation_interval(&back, 0.025);
    assert_true(fabs(one.low + other.high) < 1e-12 && fabs(one.high + other.low) < 1e-12);
    permutation_free(&there);
    permutation_free(&back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divisions_are_as_counted),
        cmocka_unit_test(the_mice_of_efron_and_tibshirani),
        cmocka_unit_test(what_is_drawn_follows_from_the_seed),
        cmocka_unit_test(the_error_of_what_is_drawn_is_as_stated),
        cmocka_unit_test(no_p_value_is_zero),
        cmocka_unit_test(limits_are_where_the_tests_begin_to_reject),
        cmocka_unit_test(rounding_does_not_break_ties),
        cmocka_unit_test(draws_of_the_data_count_against_the_tail),
        cmocka_unit_test(exchanging_the_sides_exchanges_the_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
