/* Which texts are numbers. */
#include "bench/base/plain_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char *const no_numbers[] = {"",    " 1",  "1 ",  "+1",  "-1",       "0x10", "1x", "inf", "nan", "1,5",
                                         "1_0", "\t1", "1\n", "--1", "infinity", "e5",   "1e", ".",   "1e+", "1e5.0"};
enum { NO_NUMBERS = sizeof no_numbers / sizeof no_numbers[0] };

static void integers_are_digits(void **state)
{
    (void)state;
    uint64_t number;
    for (size_t i = 0; i < NO_NUMBERS; i++)
        assert_false(number_read_integer(no_numbers[i], 0, UINT64_MAX, &number));
    assert_false(number_read_integer("1e3", 0, UINT64_MAX, &number));
    assert_false(number_read_integer("1.0", 0, UINT64_MAX, &number));
    assert_true(number_read_integer("007", 7, 7, &number) && number == 7);
}

static void integers_have_a_range(void **state)
{
    (void)state;
    uint64_t number;
    assert_true(number_read_integer("3", 3, 5, &number) && number == 3);
    assert_true(number_read_integer("5", 3, 5, &number) && number == 5);
    assert_false(number_read_integer("2", 3, 5, &number));
    assert_false(number_read_integer("6", 3, 5, &number));
    assert_true(number_read_integer("18446744073709551615", 0, UINT64_MAX, &number) && number == UINT64_MAX);
    assert_false(number_read_integer("18446744073709551616", 0, UINT64_MAX, &number));
}

static void decimals_are_plain(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double number;
    } good[] = {{"5", 5}, {"0.5", 0.5}, {".5", 0.5}, {"5.", 5}, {"5e-3", 5e-3}, {"5E+1", 50}, {"1e1", 10}};
    double number;
    for (size_t i = 0; i < NO_NUMBERS; i++)
        assert_false(number_read_positive(no_numbers[i], NULL, 1e300, &number));
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(number_read_positive(good[i].text, NULL, 1e300, &number) && number == good[i].number);
}

static void decimals_have_a_range(void **state)
{
    (void)state;
    double number;
    static const char *const outside[] = {"0", "0.0", "1e-400", "10.01", "1e308", "1e999"};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        assert_false(number_read_positive(outside[i], NULL, 10, &number));
    assert_true(number_read_positive("10", NULL, 10, &number) && number == 10);
}

static void a_unit_may_follow(void **state)
{
    (void)state;
    double number;
    assert_true(number_read_positive("2s", "s", 10, &number) && number == 2);
    assert_true(number_read_positive("2", "s", 10, &number) && number == 2);
    static const char *const wrong[] = {"s", "2ss", "2 s", "2sx", "2m"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(number_read_positive(wrong[i], "s", 10, &number));
    assert_false(number_read_positive("2s", NULL, 10, &number));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_digits), cmocka_unit_test(integers_have_a_range),
        cmocka_unit_test(decimals_are_plain),  cmocka_unit_test(decimals_have_a_range),
        cmocka_unit_test(a_unit_may_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
