/* The sign-flip test against counts by its definition, which sort each pattern, and against published ones. */
#include "bench/base/seeded.h"
#include "bench/gate/sign_flips.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 40, TRIMMED_FROM = 5, DRAWN = (1 << 16) + 1 };

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* By definition, in whole numbers: the sum of what sorting leaves between the ends. */
static double middle_sum(const double *values, size_t count)
{
    double sorted[LARGEST], sum = 0;
    size_t cut = count < TRIMMED_FROM ? 0 : 1;
    memcpy(sorted, values, count * sizeof *values);
    qsort(sorted, count, sizeof *sorted, ascending);
    for (size_t i = cut; i < count - cut; i++)
        sum += sorted[i];
    return sum;
}

struct counts {
    double at_least, at_most, all;
};

static struct counts count(const double *differences, size_t count, double theta)
{
    double shifted[LARGEST] = {0}, flipped[LARGEST];
    struct counts counts = {0, 0, ldexp(1, (int)count)};
    for (size_t i = 0; i < count; i++)
        shifted[i] = differences[i] - theta;
    double seen = middle_sum(shifted, count);
    for (size_t pattern = 0; pattern < (size_t)1 << count; pattern++) {
        for (size_t i = 0; i < count; i++)
            flipped[i] = pattern >> i & 1 ? -shifted[i] : shifted[i];
        double sum = middle_sum(flipped, count);
        counts.at_least += sum >= seen;
        counts.at_most += sum <= seen;
    }
    return counts;
}

static const struct {
    size_t count;
    double differences[LARGEST];
} cases[] = {
    {1, {20}},
    {2, {10, -30}},
    {4, {3, 9, 4, 1}},
    {5, {0, 0, 0, 0, 0}},
    {5, {100, 200, -300, 400, 100}},
    {6, {3, 9, 4, 1, 7, -2}},
    {7, {3, 9, 4, 1, 7, -2, 1000}},
    {8, {21, 9, -4, 17, 3, 28, 12, -8}},
    {8, {10, 10, 10, 10, 10, 10, 10, 10}},
    {8, {10, 11, 12, 13, 14, 15, 16, -900}},
    {12, {13, -4, 7, 22, 5, 5, -9, 16, 1, 11, -2, 8}},
    {15, {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static struct sign_flips made(size_t i)
{
    struct sign_flips flips;
    assert_true(sign_flips_make(cases[i].differences, cases[i].count, 1, &flips));
    return flips;
}

static void p_values_are_as_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct sign_flips flips = made(i);
        for (double theta = -40; theta <= 40; theta += 5) {
            struct counts counts = count(cases[i].differences, cases[i].count, theta);
            assert_true(sign_flips_p_greater(&flips, theta) == counts.at_least / counts.all);
            assert_true(sign_flips_p_less(&flips, theta) == counts.at_most / counts.all);
        }
        assert_true(flips.exact && sign_flips_p_error(&flips, 0.5) == 0);
        sign_flips_free(&flips);
    }
}

/* R. A. Fisher, "The Design of Experiments", 1935, section 21: Darwin's 15 differences between crossed and
 * self-fertilised maize in eighths of an inch. Four of them, of which nothing is trimmed: of 16 patterns of 49, 8, 16
 * and 6 one has a sum of 79, one of 67, ... */
static void few_differences_are_not_trimmed(void **state)
{
    (void)state;
    static const double four[] = {49, 8, 16, 6};
    struct sign_flips flips;
    assert_true(sign_flips_make(four, 4, 0, &flips));
    assert_true(flips.mean == 79.0 / 4);
    assert_true(sign_flips_p_greater(&flips, 0) == 1.0 / 16 && sign_flips_p_less(&flips, 0) == 1);
    sign_flips_free(&flips);
}

static void one_difference_of_any_size_changes_little(void **state)
{
    (void)state;
    double differences[12];
    for (int i = 0; i < 12; i++)
        differences[i] = 1 + 0.1 * i;
    for (double bad = -1e6; bad <= 1e6; bad += 5e5) {
        struct sign_flips flips;
        differences[5] = bad;
        assert_true(sign_flips_make(differences, 12, 0, &flips));
        assert_true(sign_flips_p_greater(&flips, 0) < 0.005);
        assert_true(flips.mean > 1.4 && flips.mean < 1.7);
        struct interval interval = sign_flips_interval(&flips, 0.025);
        assert_true(interval.low > 1 && interval.high < 2.2);
        sign_flips_free(&flips);
    }
}

/* A limit is not rejected, and a value beyond it is. */
static void limits_are_where_the_tests_begin_to_reject(void **state)
{
    (void)state;
    static const double tails[] = {0.025, 0.05, 0.1};
    size_t finite = 0;
    for (size_t i = 0; i < CASES; i++)
        for (size_t t = 0; t < 3; t++) {
            struct sign_flips flips = made(i);
            struct counts least = count(cases[i].differences, cases[i].count, -1000);
            struct interval interval = sign_flips_interval(&flips, tails[t]);
            assert_int_equal(isfinite(interval.low), least.at_least / least.all <= tails[t]);
            assert_int_equal(isfinite(interval.low), isfinite(interval.high));
            if (isfinite(interval.low)) {
                finite++;
                assert_true(interval.low <= flips.mean && flips.mean <= interval.high);
                assert_true(sign_flips_p_greater(&flips, interval.low) > tails[t]);
                assert_true(sign_flips_p_greater(&flips, interval.low - 1e-6) <= tails[t]);
                assert_true(sign_flips_p_less(&flips, interval.high) > tails[t]);
                assert_true(sign_flips_p_less(&flips, interval.high + 1e-6) <= tails[t]);
            }
            sign_flips_free(&flips);
        }
    assert_true(finite > CASES);
}

static void differences_that_are_all_alike_have_a_limit(void **state)
{
    (void)state;
    for (int value = 0; value < 2; value++) {
        double alike[14];
        struct sign_flips flips;
        for (int i = 0; i < 14; i++)
            alike[i] = 0.1 * value;
        assert_true(sign_flips_make(alike, 14, 0, &flips));
        assert_true(sign_flips_p_less(&flips, 0.2) == 15.0 / (1 << 14)); /* the data, and those with one flipped */
        struct interval interval = sign_flips_interval(&flips, 0.025);
        assert_true(fabs(interval.low - alike[0]) < 1e-9 && fabs(interval.high - alike[0]) < 1e-9);
        sign_flips_free(&flips);
    }
}

/* Sums of 0 in decimal, but not all of them in binary: the counts of the same in tenths. */
static void rounding_does_not_break_ties(void **state)
{
    (void)state;
    static const double tenths[] = {0.1, 0.2, -0.3, 0.7, -0.4, -0.3}, whole[] = {1, 2, -3, 7, -4, -3};
    struct sign_flips flips;
    struct counts counts = count(whole, 6, 0);
    assert_true(sign_flips_make(tenths, 6, 0, &flips));
    assert_true(sign_flips_p_greater(&flips, 0) == counts.at_least / counts.all);
    assert_true(sign_flips_p_less(&flips, 0) == counts.at_most / counts.all);
    assert_true(counts.at_least + counts.at_most > counts.all);
    sign_flips_free(&flips);
}

static void mirrored_differences_mirror_the_tests(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        double mirrored[LARGEST];
        struct sign_flips there = made(i), back;
        for (size_t j = 0; j < cases[i].count; j++)
            mirrored[j] = -cases[i].differences[j];
        assert_true(sign_flips_make(mirrored, cases[i].count, 1, &back));
        for (double theta = -30; theta < 30; theta += 3)
            assert_true(sign_flips_p_greater(&there, theta) == sign_flips_p_less(&back, -theta));
        sign_flips_free(&there);
        sign_flips_free(&back);
    }
}

/* More than 18: random patterns. The same p-value from another seed is as near as the standard error says. */
static void many_differences_draw_their_patterns(void **state)
{
    (void)state;
    enum { SEEDS = 12, COUNT = 30 };
    double differences[COUNT], p[SEEDS], sum = 0, squares = 0, error = 0;
    for (int i = 0; i < COUNT; i++)
        differences[i] = (i * 7) % 13 - 5;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct sign_flips flips, again;
        assert_true(sign_flips_make(differences, COUNT, seed, &flips));
        assert_true(sign_flips_make(differences, COUNT, seed, &again));
        p[seed] = sign_flips_p_greater(&flips, 0);
        assert_true(sign_flips_p_greater(&again, 0) == p[seed]);
        assert_false(flips.exact);
        assert_int_equal(flips.patterns, DRAWN);
        error = sign_flips_p_error(&flips, p[seed]);
        sum += p[seed];
        sign_flips_free(&flips);
        sign_flips_free(&again);
    }
    for (int i = 0; i < SEEDS; i++)
        squares += pow((p[i] - sum / SEEDS) / error, 2);
    assert_true(squares / (SEEDS - 1) > 0.2 && squares / (SEEDS - 1) < 3);
}

static void no_p_value_is_zero(void **state)
{
    (void)state;
    double apart[LARGEST];
    struct sign_flips flips;
    for (int i = 0; i < LARGEST; i++)
        apart[i] = 1 + i * 0.01;
    assert_true(sign_flips_make(apart, LARGEST, 3, &flips));
    assert_true(sign_flips_p_greater(&flips, 0) == 1.0 / DRAWN);
    assert_true(sign_flips_p_less(&flips, 0) == 1);
    sign_flips_free(&flips);
}

/* Of so many pairs the most extreme data reject, and of one pair fewer they do not. */
static void pairs_needed_are_as_many_as_reject(void **state)
{
    (void)state;
    for (size_t rows = 1; rows <= 40; rows += 3) {
        double differences[LARGEST];
        size_t needed = sign_flips_pairs_needed(0.005, rows);
        for (size_t i = 0; i < needed; i++)
            differences[i] = 1 + 0.1 * (double)i;
        for (size_t pairs = needed - 1; pairs <= needed; pairs++) {
            struct sign_flips flips;
            assert_true(sign_flips_make(differences, pairs, 0, &flips));
            assert_int_equal(sign_flips_p_greater(&flips, 0) * (double)rows <= 0.005, pairs == needed);
            sign_flips_free(&flips);
        }
    }
    assert_int_equal(sign_flips_pairs_needed(1, 1), 1);
    assert_int_equal(sign_flips_pairs_needed(0.01, 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_values_are_as_counted),
        cmocka_unit_test(few_differences_are_not_trimmed),
        cmocka_unit_test(one_difference_of_any_size_changes_little),
        cmocka_unit_test(limits_are_where_the_tests_begin_to_reject),
        cmocka_unit_test(differences_that_are_all_alike_have_a_limit),
        cmocka_unit_test(rounding_does_not_break_ties),
        cmocka_unit_test(mirrored_differences_mirror_the_tests),
        cmocka_unit_test(many_differences_draw_their_patterns),
        cmocka_unit_test(no_p_value_is_zero),
        cmocka_unit_test(pairs_needed_are_as_many_as_reject),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
