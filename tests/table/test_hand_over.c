/* Which rung was handed over to: the one whose kernel ran, and none after it was forgotten. */
#include "bench/table/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char *fails(const void *problem, void *stream)
{
    return problem == stream ? "equal" : NULL;
}

static const char *hands_over(const void *problem, void *stream)
{
    return rung_hand_over(fails, problem, stream);
}

static const char *no_rung(const void *problem, void *stream)
{
    return fails(problem, stream);
}

static const char *hands_over_to_none(const void *problem, void *stream)
{
    return rung_hand_over(no_rung, problem, stream);
}

static const struct rung rungs[] = {
    {.variant = "hands_over", .run = hands_over}, {.variant = "absent"}, {.variant = "fails", .run = fails}};
static const struct registry registry = {.rungs = rungs, .rung_count = 3};

static void the_other_rung_gets_the_call_and_its_error_comes_back(void **state)
{
    (void)state;
    int problem, stream;
    assert_string_equal(rung_hand_over(fails, &problem, &problem), "equal");
    assert_null(rung_hand_over(fails, &problem, &stream));
}

static void the_last_of_a_chain_is_named(void **state)
{
    (void)state;
    hand_over_forget();
    assert_null(hand_over_variant(&registry));
    (void)rung_hand_over(hands_over, NULL, NULL);
    assert_string_equal(hand_over_variant(&registry), "fails");
    hand_over_forget();
    assert_null(hand_over_variant(&registry));
}

static void a_part_that_hands_over_leaves_the_rung_its_own(void **state)
{
    (void)state;
    int problem, stream;
    hand_over_forget();
    assert_string_equal(rung_run_part(hands_over, &problem, &problem), "equal");
    assert_null(rung_run_part(hands_over, &problem, &stream));
    assert_null(hand_over_variant(&registry));
    (void)rung_hand_over(fails, NULL, NULL);
    (void)rung_run_part(hands_over_to_none, NULL, NULL);
    assert_string_equal(hand_over_variant(&registry), "fails");
}

static void what_is_no_rung_is_unknown(void **state)
{
    (void)state;
    (void)rung_hand_over(no_rung, NULL, NULL);
    assert_string_equal(hand_over_variant(&registry), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_rung_gets_the_call_and_its_error_comes_back),
        cmocka_unit_test(the_last_of_a_chain_is_named),
        cmocka_unit_test(a_part_that_hands_over_leaves_the_rung_its_own),
        cmocka_unit_test(what_is_no_rung_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
