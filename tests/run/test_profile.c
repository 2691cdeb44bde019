/* What a profiler sees: one launch, and nothing else. */
#include "bench/base/error.h"
#include "bench/run/run.h"
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

AROUND_EACH_TEST(set_up, tear_down)

/* A name may leave the mode out; a cold launch follows an eviction, and a wrong rung is not launched. */
TEST(one_warm_launch_is_between_the_marks)
{
    static const struct {
        const char *name, *ends;
        int status;
    } cases[] = {{"matmul/small/right/hot", "L(L)", EXIT_RIGHT},
                 {"matmul/small/right/cold", "LE(L)", EXIT_RIGHT},
                 {"matmul/small/right", "(L)", EXIT_RIGHT},
                 {"matmul/small/righ", NULL, EXIT_USAGE},
                 {"matmul/small", NULL, EXIT_USAGE},
                 {"matmul/small/right/warm", NULL, EXIT_USAGE},
                 {"", NULL, EXIT_USAGE},
                 {"matmul/small/wrong/hot", NULL, EXIT_WRONG}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tear_down(state);
        set_up(state);
        assert_int_equal(profile(cases[i].name), cases[i].status);
        const char *mark = strchr(fake.profile, '('), *ends = cases[i].ends;
        if (!ends)
            assert_null(mark);
        else if (strlen(fake.profile) < strlen(ends) || strcmp(strchr(fake.profile, '\0') - strlen(ends), ends) != 0)
            fail_msg("%s ended with %s, expected %s", cases[i].name, fake.profile, ends);
        assert_true(!ends || fake.launches > 100); /* warmed up */
    }
}

TEST(no_device_is_nothing_to_profile)
{
    fake.open_error = "no CUDA-capable device is detected";
    assert_int_equal(profile("matmul/small/right/hot"), EXIT_ALL_SKIPPED);
}
