/* Seeded numbers: the published test vectors, and the properties that inputs rely on. */
#include "bench/base/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>

enum { MANY = 1 << 20 };

static void bits_are_those_of_splitmix64(void **state)
{
    (void)state;
    static const uint64_t expected[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),  UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821),
    };
    for (uint64_t i = 0; i < 5; i++)
        assert_int_equal(seeded_bits(1234567, i), expected[i]);
    assert_int_equal(seeded_bits(0, 0), UINT64_C(0xE220A8397B1DCDAF));
}

/* FNV-1a test vectors published by its authors. */
static void a_text_has_bits_of_its_own(void **state)
{
    (void)state;
    assert_int_equal(seeded_text_bits(7, ""), seeded_bits(7, UINT64_C(0xCBF29CE484222325)));
    assert_int_equal(seeded_text_bits(7, "a"), seeded_bits(7, UINT64_C(0xAF63DC4C8601EC8C)));
    assert_int_equal(seeded_text_bits(8, "foobar"), seeded_bits(8, UINT64_C(0x85944171F73967E8)));
}

static void a_number_depends_on_its_place_alone(void **state)
{
    (void)state;
    float forwards[100];
    for (uint64_t i = 0; i < 100; i++)
        forwards[i] = seeded_signed_unit(7, i);
    for (uint64_t i = 100; i-- > 0;)
        assert_true(seeded_signed_unit(7, i) == forwards[i]);
}

static void numbers_stand_in_minus_one_to_one(void **state)
{
    (void)state;
    double least = 1, largest = -1;
    for (uint64_t i = 0; i < MANY; i++) {
        double x = (double)seeded_signed_unit(42, i);
        assert_true(x >= -1 && x <= 1);
        least = fmin(least, x);
        largest = fmax(largest, x);
    }
    assert_true(least < -0.9999 && largest > 0.9999);
}

/* The last bit tells numbers of 24 bits from rounded ones. */
static void numbers_of_any_size_have_24_bits(void **state)
{
    (void)state;
    int odd = 0, odd_below_a_hundredth = 0, below_a_hundredth = 0;
    for (uint64_t i = 0; i < MANY; i++) {
        float x = seeded_signed_unit(42, i);
        int exponent;
        bool is_odd = fmodf(frexpf(fabsf(x), &exponent) * 0x1p24f, 2) == 1;
        odd += is_odd;
        below_a_hundredth += fabsf(x) < 0.01f;
        odd_below_a_hundredth += fabsf(x) < 0.01f && is_odd;
    }
    assert_in_range(odd, MANY * 49 / 100, MANY * 51 / 100);
    assert_in_range(odd_below_a_hundredth, below_a_hundredth * 45 / 100, below_a_hundredth * 55 / 100);
}

/* The mean of n of these numbers has a standard deviation of 1 / sqrt(3 n), here 5.6e-4. */
static void numbers_are_uniform_around_zero(void **state)
{
    (void)state;
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < MANY; i++) {
        double x = (double)seeded_signed_unit(42, i);
        sum += x;
        squares += x * x;
    }
    assert_true(fabs(sum / MANY) < 0.003);
    assert_true(fabs(squares / MANY - 1.0 / 3.0) < 0.003);
}

static void neighbours_do_not_depend_on_each_other(void **state)
{
    (void)state;
    double sum = 0;
    for (uint64_t i = 0; i + 1 < MANY; i++)
        sum += (double)seeded_signed_unit(42, i) * (double)seeded_signed_unit(42, i + 1);
    assert_true(fabs(sum / MANY) < 0.002);
}

static void other_seeds_give_other_numbers(void **state)
{
    (void)state;
    int equal = 0;
    for (uint64_t i = 0; i < 1000; i++)
        equal += seeded_signed_unit(1, i) == seeded_signed_unit(2, i);
    assert_true(equal <= 1);
}

/* If one stream were another one shifted, A and B would hold the same numbers. */
static void streams_do_not_repeat_each_other(void **state)
{
    (void)state;
    uint64_t a = seeded_stream(42, 0), b = seeded_stream(42, 1);
    assert_int_not_equal(a, seeded_stream(43, 0));
    for (uint64_t shift = 0; shift < 10000; shift++) {
        assert_int_not_equal(seeded_bits(a, shift), seeded_bits(b, 0));
        assert_int_not_equal(seeded_bits(b, shift), seeded_bits(a, 0));
        assert_int_not_equal(seeded_bits(42, shift), seeded_bits(a, 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_those_of_splitmix64),           cmocka_unit_test(a_text_has_bits_of_its_own),
        cmocka_unit_test(a_number_depends_on_its_place_alone),    cmocka_unit_test(numbers_stand_in_minus_one_to_one),
        cmocka_unit_test(numbers_of_any_size_have_24_bits),       cmocka_unit_test(numbers_are_uniform_around_zero),
        cmocka_unit_test(neighbours_do_not_depend_on_each_other), cmocka_unit_test(other_seeds_give_other_numbers),
        cmocka_unit_test(streams_do_not_repeat_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
