/* Which rung was handed over to: the one whose kernel ran, and none after it was forgotten. */
#include "bench/table/registry.h"
#include "tests/unit.h"

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

TEST(the_other_rung_gets_the_call_and_its_error_comes_back)
{
    int problem, stream;
    assert_string_equal(rung_hand_over(fails, &problem, &problem), "equal");
    assert_null(rung_hand_over(fails, &problem, &stream));
}

TEST(the_last_of_a_chain_is_named)
{
    hand_over_forget();
    assert_null(hand_over_variant(&registry));
    (void)rung_hand_over(hands_over, NULL, NULL);
    assert_string_equal(hand_over_variant(&registry), "fails");
    hand_over_forget();
    assert_null(hand_over_variant(&registry));
}

TEST(a_part_that_hands_over_leaves_the_rung_its_own)
{
    int problem, stream;
    hand_over_forget();
    assert_string_equal(rung_run_part(hands_over, &problem, &problem), "equal");
    assert_null(rung_run_part(hands_over, &problem, &stream));
    assert_null(hand_over_variant(&registry));
    (void)rung_hand_over(fails, NULL, NULL);
    (void)rung_run_part(hands_over_to_none, NULL, NULL);
    assert_string_equal(hand_over_variant(&registry), "fails");
}

static const char *lacks_tensor_cores(unsigned traits)
{
    return traits & RUNG_FP16X3 ? "no tensor cores" : NULL;
}

TEST(a_rung_runs_where_the_device_lacks_nothing_and_without_what_is_not_wanted)
{
    static const struct backend backends[] = {{.lacks = lacks_tensor_cores}, {.lacks = NULL}};
    static const struct backend_entry entries[] = {{.backend = &backends[0]}, {.backend = &backends[1]}};
    for (int i = 0; i < 2; i++) {
        const struct rung own[] = {{.run = fails, .backend = &entries[i], .traits = RUNG_FP16X3},
                                   {.run = hands_over, .backend = &entries[i], .traits = RUNG_HOPPER}};
        const struct registry has = {.rungs = own, .rung_count = 2};
        assert_int_equal(registry_runs(&has, fails, 0), i == 1);
        assert_false(registry_runs(&has, fails, RUNG_FP16X3));
        assert_true(registry_runs(&has, hands_over, RUNG_FP16X3));
        assert_false(registry_runs(&has, no_rung, 0));
    }
}

TEST(what_is_no_rung_is_unknown)
{
    (void)rung_hand_over(no_rung, NULL, NULL);
    assert_string_equal(hand_over_variant(&registry), "unknown");
}
