/* What a profiler sees: one launch, and nothing else. */
#include "bench/base/error.h"
#include "bench/run/profile.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"
#include "tests/unit.h"

static const struct rung rungs[] = {
    {.variant = "right", .op = &matmul_op, .backend = &fake_entry, .run = fake_right},
    {.variant = "wrong", .op = &matmul_op, .backend = &fake_entry, .run = fake_nan},
};
static const struct op *const ops[] = {&matmul_op};
static struct registry registry;
static struct options options;
static struct selection selection;

static int set_up(void **state)
{
    struct error error;
    fake_reset();
    fake_rungs_reset();
    registry = (struct registry){&fake_entry, 1, ops, 1, rungs, 2};
    options = (struct options){
        .suite = suite_find("none"),
        .modes = {&mode_cold, &mode_hot, &mode_graph, &mode_e2e, &mode_e2e_pageable},
        .mode_count = 5,
        .min_time_s = 0.001,
        .budget_s = INFINITY,
        .backend = {.device = -1},
        .user = {{&matmul_op, {"small", {8, 20, 30}, 0}}},
        .user_count = 1,
    };
    assert_int_equal(selection_make(&registry, &options, &selection, &error), EXIT_RIGHT);
    return 0;
}

static int tear_down(void **state)
{
    free(selection.rows);
    assert_int_equal(fake.blocks, 0);
    assert_int_equal(fake.open_count, 0);
    return 0;
}

static int profile(const char *name)
{
    const struct run run = {&options, &registry, {0}, {fake_now, never_interrupted}};
    return profile_row(&run, &selection, name);
}

static void assert_ends_with(const char *end)
{
    size_t length = strlen(fake.profile), wanted = strlen(end);
    if (length < wanted || strcmp(fake.profile + length - wanted, end) != 0)
        fail_msg("it ended with %s, expected %s", fake.profile, end);
}

AROUND_EACH_TEST(set_up, tear_down)

TEST(one_warm_launch_is_between_the_marks)
{
    assert_int_equal(profile("matmul/small/right/hot"), EXIT_RIGHT);
    assert_ends_with("L(L)");
    assert_true(fake.launches > 100); /* warmed up */
}

TEST(a_cold_one_follows_an_eviction)
{
    assert_int_equal(profile("matmul/small/right/cold"), EXIT_RIGHT);
    assert_ends_with("LE(L)");
}

TEST(a_name_may_leave_the_mode_out)
{
    assert_int_equal(profile("matmul/small/right"), EXIT_RIGHT);
    assert_ends_with("(L)");
    assert_int_equal(profile("matmul/small/righ"), EXIT_USAGE);
    assert_int_equal(profile("matmul/small"), EXIT_USAGE);
    assert_int_equal(profile("matmul/small/right/warm"), EXIT_USAGE);
    assert_int_equal(profile(""), EXIT_USAGE);
}

TEST(a_wrong_rung_is_not_launched_for_a_profiler)
{
    assert_int_equal(profile("matmul/small/wrong/hot"), EXIT_WRONG);
    assert_null(strchr(fake.profile, '('));
}

TEST(no_device_is_nothing_to_profile)
{
    fake.open_error = "no CUDA-capable device is detected";
    assert_int_equal(profile("matmul/small/right/hot"), EXIT_ALL_SKIPPED);
}
