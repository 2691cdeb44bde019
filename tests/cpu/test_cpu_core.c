/* Which of OpenBLAS's core types is older than a processor, and which is the best one that it can run. The instruction
 * sets are those of cpu_isa.h: 0 is none of these, 1 is AVX2, 2 is AVX-512. */
#include "cpu/backend/cpu_core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

static bool has_all(const char *core)
{
    (void)core;
    return true;
}

static bool has_haswell(const char *core)
{
    return strcmp(core, "Haswell") == 0;
}

static bool has_none(const char *core)
{
    (void)core;
    return false;
}

static void the_best_that_the_processor_can_run(void **state)
{
    (void)state;
    assert_string_equal(cpu_core_better("Prescott", 2, has_all), "SkylakeX");
    assert_string_equal(cpu_core_better("Prescott", 1, has_all), "Haswell");
    assert_null(cpu_core_better("Prescott", 0, has_all));
    assert_string_equal(cpu_core_better("Haswell", 2, has_all), "SkylakeX");
    assert_string_equal(cpu_core_better("Zen", 2, has_all), "SkylakeX");
}

static void only_what_the_library_has(void **state)
{
    (void)state;
    assert_string_equal(cpu_core_better("Prescott", 2, has_haswell), "Haswell");
    assert_null(cpu_core_better("Haswell", 2, has_haswell));
    assert_null(cpu_core_better("Prescott", 2, has_none));
}

static void what_suits_the_processor_is_kept(void **state)
{
    (void)state;
    assert_null(cpu_core_better("Zen", 1, has_all));
    assert_null(cpu_core_better("SkylakeX", 2, has_all));
    assert_null(cpu_core_better("Cooperlake", 2, has_all));
    assert_null(cpu_core_better("a core of next year", 2, has_all));
}

static void old_without_anything_better_is_old_all_the_same(void **state)
{
    (void)state;
    assert_true(cpu_core_is_old("Prescott", 1));
    assert_true(cpu_core_is_old("Haswell", 2));
    assert_false(cpu_core_is_old("Prescott", 0));
    assert_false(cpu_core_is_old("Haswell", 1));
    assert_false(cpu_core_is_old("a core of next year", 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_that_the_processor_can_run),
        cmocka_unit_test(only_what_the_library_has),
        cmocka_unit_test(what_suits_the_processor_is_kept),
        cmocka_unit_test(old_without_anything_better_is_old_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
