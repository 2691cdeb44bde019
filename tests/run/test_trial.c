/* One row: whether its rung is right all along, how near it comes to the ceiling, and what state its device is in. */
#include "tests/fakes/fake_run.h"
#include "tests/unit.h"

AROUND_EACH_TEST(set_up, tear_down)

TEST(a_wrong_rung_gets_no_number_and_the_others_go_on)
{
    rung_function *const wrong[] = {fake_nan,
                                    fake_wrong_from_the_hundredth_call,
                                    fake_writes_behind_from_the_hundredth_call,
                                    fake_idle_from_the_third_call,
                                    fake_idle_when_pointer_known,
                                    fake_fails_to_launch};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        set_up(state);
        RUN(device_rung("wrong", wrong[i]), device_rung("right", fake_right));
        if (outcomes.ok < 3 || outcomes.failed == 0)
            fail_msg("wrong rung %zu: %zu ok, %zu failed", i, outcomes.ok, outcomes.failed);
        const struct result *last = find("matmul/small/wrong/hot");
        assert_int_equal(last->status, STATUS_FAILED);
        assert_true(isnan(last->statistics.median) && isnan(last->speedup) && isnan(last->gflops));
        assert_true(strlen(last->reason) > 10);
        assert_int_equal(find("matmul/small/right/hot")->status, STATUS_OK);
    }
}

/* In one mode only, so that no other mode's poison shows it. */
TEST(what_works_only_before_it_is_timed_is_found)
{
    static const struct {
        const struct mode *mode;
        rung_function *function;
    } cases[] = {{&mode_cold, fake_idle_from_the_third_call}, {&mode_graph, fake_works_while_recorded}};
    for (size_t i = 0; i < 2; i++) {
        set_up(state);
        options.modes[0] = cases[i].mode;
        options.mode_count = 1;
        RUN(device_rung("idle", cases[i].function));
        assert_int_equal(outcomes.failed, 1);
        assert_int_equal(outcomes.ok, 0);
    }
}

TEST(a_row_says_how_near_it_is_to_the_ceiling)
{
    fake.ceiling_bytes_s = 3e9; /* 6 kB or so in 2 us, of the kernel's 5 */
    fake.launch_s = 0.1e-6;
    RUN(device_rung("right", fake_right));
    assert_int_equal(outcomes.ok, 3);
    const struct result *hot = find("matmul/small/right/hot"), *e2e = find("matmul/small/right/e2e");
    assert_string_equal(hot->ceiling, "read");
    assert_true(fabs(hot->floor_s - hot->bytes / 3e9) < 0.2e-6);
    assert_true(hot->floor_bytes_s == hot->floor_s && hot->floor_flops_s < hot->floor_s);
    assert_true(hot->bytes_written == FAKE_COUNTED_M * 30 * sizeof(float));
    assert_true(hot->ceiling_pct > 30 && hot->ceiling_pct < 90);
    assert_true(fabs(hot->empty_kernel_s - 0.1e-6) < fake.tick_s);
    assert_string_equal(e2e->ceiling, "transfer");
    assert_true(e2e->ceiling_pct > 10 && e2e->ceiling_pct < 100);
}

static player_start *usual_start;
static struct board *seen;

static struct link *start_and_see(const struct registry *registry, const struct rung *stranger, struct board *board,
                                  int fd, struct error *error)
{
    seen = board;
    return usual_start(registry, stranger, board, fd, error);
}

/* In its last call, which comes when the samples are there. */
static const char *writes_to_the_board(const void *problem, void *stream)
{
    seen->measured.stop_reason = (enum stop_reason)0x10000000;
    seen->measured.statistics.count = SIZE_MAX;
    seen->measured.iterations = INT64_MAX;
    return fake_right(problem, stream);
}

TEST(what_a_player_writes_cannot_harm_the_judge)
{
    usual_start = fake_start;
    fake_start = start_and_see;
    const struct rung rungs[] = {device_rung("hostile", writes_to_the_board), device_rung("right", fake_right)};
    (void)run(rungs, 2);
    const struct result *hostile = find("matmul/small/hostile/hot");
    assert_string_equal(hostile->stop_reason, "");
    assert_true(hostile->iterations <= STOPPING_MAX_SAMPLES);
    assert_int_equal(find("matmul/small/right/hot")->status, STATUS_OK);
}

TEST(a_floor_that_the_timer_cannot_tell_from_the_row_is_unknown)
{
    options.mode_count = 1;
    fake.ceiling_bytes_s = 1e9;
    fake.tick_s = 2e-6;
    RUN(device_rung("right", fake_right));
    assert_int_equal(outcomes.ok, 1);
    assert_true(isnan(results[0].floor_s));
    assert_string_equal(results[0].ceiling, "");
}

/* Where rows may take half a second, and then of those that did. */
TEST(energy_is_asked_for_where_rows_may_be_long)
{
    static const struct {
        double min_time_s;
        bool known;
    } cases[] = {{0.04, false}, {0.1, false}, {0.6, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_up(state);
        fake.state.power_w = 100;
        options.mode_count = 1;
        options.min_time_s = cases[i].min_time_s;
        RUN(device_rung("long", fake_takes_long));
        assert_int_equal(outcomes.ok, 1);
        assert_int_equal(fake.energy_looks, cases[i].min_time_s < 0.05 ? 0 : cases[i].known ? 2 : 1);
        assert_int_equal(!isnan(results[0].conditions.energy_j), cases[i].known);
        if (cases[i].known)
            assert_true(fabs(results[0].conditions.energy_j - 100 * results[0].conditions.energy_over_s) < 1);
    }
}

/* For no fault of the rung's. */
TEST(memory_that_cannot_be_pinned_costs_only_the_rows_that_need_it)
{
    fake.pin_error = "no more pages";
    fake.pins_until_error = 1;
    options.modes[options.mode_count++] = &mode_e2e_pageable;
    RUN(device_rung("right", fake_right));
    assert_int_equal(outcomes.ok, 3);
    assert_int_equal(outcomes.skipped, 1);
    assert_non_null(strstr(find("matmul/small/right/e2e")->reason, "no more pages"));
    assert_string_equal(find("matmul/small/right/e2e_pageable")->transfer, "pageable");
    assert_string_equal(find("matmul/small/right/hot")->transfer, "");
}

TEST(an_unordered_rung_may_round_differently)
{
    struct rung unordered = device_rung("unordered", fake_changes_last_bit);
    unordered.traits = RUNG_UNORDERED;
    RUN(unordered);
    assert_int_equal(outcomes.ok, 3);
}
