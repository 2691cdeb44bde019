/* Two levels of times are told from one that spreads. */
#include "bench/gate/levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { COUNT = 20 };

/* Twenty times that spread by 0.2 us, of which `upper` are `apart` longer. */
static bool find(size_t upper, double apart, double least, struct levels *levels)
{
    double times_s[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        times_s[(7 * i) % COUNT] = 79.2e-6 + 0.2e-6 * (double)(i % 5) / 4 + (i < upper ? apart : 0);
    return levels_find(times_s, COUNT, least, levels);
}

static void two_levels_are_found_and_counted(void **state)
{
    (void)state;
    struct levels levels;
    assert_true(find(15, 3.2e-6, 0.01, &levels));
    assert_int_equal(levels.lower_count, 5);
    assert_int_equal(levels.upper_count, 15);
    assert_true(levels.lower_s > 79.2e-6 && levels.lower_s < 79.4e-6);
    assert_true(levels.upper_s > 82.4e-6 && levels.upper_s < 82.6e-6);
    assert_true(find(2, 3.2e-6, 0.01, &levels) && find(18, 3.2e-6, 0.01, &levels));
}

static void one_level_is_none(void **state)
{
    (void)state;
    struct levels levels;
    assert_false(find(0, 0, 0.001, &levels));
    assert_false(find(10, 0.7e-6, 0.001, &levels)); /* the gap is less than three times the spread */
    assert_true(find(10, 0.9e-6, 0.001, &levels));
    assert_false(find(10, 0.9e-6, 0.01, &levels)); /* and of no weight */
}

static void a_single_process_is_no_level(void **state)
{
    (void)state;
    struct levels levels;
    double few[] = {1, 2, 2};
    assert_false(find(1, 3.2e-6, 0.01, &levels));
    assert_false(find(19, 3.2e-6, 0.01, &levels));
    assert_false(levels_find(few, 3, 0.01, &levels));
    assert_false(levels_find(few, 0, 0.01, &levels));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_levels_are_found_and_counted),
        cmocka_unit_test(one_level_is_none),
        cmocka_unit_test(a_single_process_is_no_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
