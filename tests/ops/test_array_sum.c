/* How far a sum may be off (bench/ops/array_sum.h): sums in FP32 are within the bound, wrong ones are not. */
#include "bench/ops/array_sum.h"
#include "bench/table/made.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { TERMS = 20000 };
static float terms[TERMS];

static void fill_random(uint64_t seed)
{
    const struct made made = made_unit(seed, 1);
    made_fill(terms, sizeof terms, &made, 0);
}

static struct array_sum sum_of(int count)
{
    struct array_sum sum = {0};
    for (int i = 0; i < count; i++)
        array_sum_add(&sum, (double)terms[i]);
    return sum;
}

static float in_order(int count)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += terms[i];
    return sum;
}

static float in_parts(int count, int parts)
{
    float sum = 0;
    for (int part = 0; part < parts; part++) {
        float of_part = 0;
        for (int i = part; i < count; i += parts)
            of_part += terms[i];
        sum += of_part;
    }
    return sum;
}

static void sums_in_any_order_are_within_the_bound(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fill_random(seed);
        for (int count = 1; count <= TERMS; count += 1 + count / 3) {
            const struct array_sum sum = sum_of(count);
            const double bound = array_sum_bound(&sum);
            assert_true(fabs(in_order(count) - sum.value) <= bound);
            assert_true(fabs(in_parts(count, 7) - sum.value) <= bound);
            assert_true(fabs(in_parts(count, 256) - sum.value) <= bound);
        }
    }
}

static void a_missing_term_of_a_long_sum_is_found(void **state)
{
    (void)state;
    int found = 0;
    fill_random(1);
    const struct array_sum sum = sum_of(TERMS);
    for (int i = 0; i < TERMS; i++)
        found += fabs((double)terms[i]) > array_sum_bound(&sum);
    assert_true(found > TERMS * 9 / 10);
}

static void sums_that_fp32_holds_are_exact(void **state)
{
    (void)state;
    for (int i = 0; i < TERMS; i++)
        terms[i] = (float)(i % 31 - 15) * 0x1p-30f;
    struct array_sum sum = sum_of(TERMS);
    assert_true(array_sum_bound(&sum) == 0);
    assert_true((double)in_order(TERMS) == sum.value && (double)in_parts(TERMS, 256) == sum.value);
    array_sum_add(&sum, 1); /* of all digits, the last are below FP32's */
    assert_true(array_sum_bound(&sum) > 0);
    struct array_sum none = {0};
    array_sum_add(&none, 0);
    array_sum_add(&none, -0.0);
    assert_true(none.value == 0 && none.terms == 0 && array_sum_bound(&none) == 0);
}

static void the_largest_exact_sum_is_2_to_the_24_quanta(void **state)
{
    (void)state;
    struct array_sum sum = {0};
    array_sum_add(&sum, 0x1p24 - 3);
    array_sum_add(&sum, -3);
    assert_true(array_sum_bound(&sum) == 0);
    array_sum_add(&sum, 1);
    assert_true(array_sum_bound(&sum) > 0);
    sum = (struct array_sum){0};
    array_sum_add(&sum, 0x1p-149 * 5);
    assert_true(array_sum_bound(&sum) == 0);
    array_sum_add(&sum, 0x1p-150); /* a product that underflows */
    assert_true(array_sum_bound(&sum) >= 0x1p-150);
}

static void zeros_do_not_widen_the_bound(void **state)
{
    (void)state;
    fill_random(3);
    struct array_sum sum = sum_of(10);
    const double bound = array_sum_bound(&sum);
    for (int i = 0; i < 1000; i++)
        array_sum_add(&sum, 0);
    assert_true(array_sum_bound(&sum) == bound && bound <= 10.001 * 0x1p-24 * sum.magnitude);
}

static void products_are_terms(void **state)
{
    (void)state;
    fill_random(4);
    for (int count = 1; count <= TERMS / 2; count += count) {
        struct array_sum sum = {0};
        float fused = 0, rounded = 0;
        for (int i = 0; i < count; i++) {
            const float x = terms[i], y = terms[TERMS / 2 + i];
            array_sum_add(&sum, (double)x * y);
            const float product = x * y;
            rounded += product;
            fused = fmaf(x, y, fused);
        }
        assert_true(fabs(rounded - sum.value) <= array_sum_bound(&sum));
        assert_true(fabs(fused - sum.value) <= array_sum_bound(&sum));
    }
}

static void the_bound_of_a_very_long_sum_is_finite(void **state)
{
    (void)state;
    const double k = 0x1p28;
    const struct array_sum sum = {
        .value = 9000, .magnitude = k / 2, .squares = k / 3, .terms = (int64_t)k, .is_rounded = true};
    assert_true(array_sum_bound(&sum) < 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_in_any_order_are_within_the_bound),
        cmocka_unit_test(a_missing_term_of_a_long_sum_is_found),
        cmocka_unit_test(sums_that_fp32_holds_are_exact),
        cmocka_unit_test(the_largest_exact_sum_is_2_to_the_24_quanta),
        cmocka_unit_test(zeros_do_not_widen_the_bound),
        cmocka_unit_test(products_are_terms),
        cmocka_unit_test(the_bound_of_a_very_long_sum_is_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
