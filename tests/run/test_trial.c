/* One row: whether its rung is right all along, how near it comes to the ceiling, and what state its device is in. */
#include "tests/fakes/fake_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static void a_wrong_rung_gets_no_number_and_the_others_go_on(void **state)
{
    (void)state;
    rung_function *const wrong[] = {fake_nan,
                                    fake_zeros,
                                    fake_one_element,
                                    fake_wrong_from_the_hundredth_call,
                                    fake_writes_behind_from_the_hundredth_call,
                                    fake_changes_last_bit,
                                    fake_cached_by_pointer,
                                    fake_idle_from_the_third_call,
                                    fake_idle_when_pointer_known,
                                    fake_writes_behind,
                                    fake_ruins_its_input,
                                    fake_other_stream,
                                    fake_waits,
                                    fake_fails_to_launch};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        set_up(state);
        struct rung rungs[] = {host_rung("cpu_scalar", fake_right, RUNG_BASELINE), device_rung("wrong", wrong[i]),
                               device_rung("right", fake_right)};
        struct run_outcome outcome;
        struct error error;
        assert_true(run(rungs, 3, &outcome, &error));
        if (outcome.ok < 5 || outcome.failed == 0)
            fail_msg("wrong rung %zu: %zu ok, %zu failed", i, outcome.ok, outcome.failed);
        const struct result *last = find("matmul/small/wrong/hot");
        assert_int_equal(last->status, STATUS_FAILED);
        assert_true(isnan(last->statistics.median) && isnan(last->speedup) && isnan(last->gflops));
        assert_true(strlen(last->reason) > 10);
        assert_int_equal(find("matmul/small/right/hot")->status, STATUS_OK);
    }
}

/* In one mode alone, so that no other mode's poison shows it. */
static void a_rung_idle_after_its_first_timed_call_is_found(void **state)
{
    (void)state;
    options.mode_count = 1;
    struct rung rungs[] = {device_rung("idle", fake_idle_from_the_third_call)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.failed, 1);
    assert_int_equal(outcome.ok, 0);
}

static void a_row_says_how_near_it_is_to_the_ceiling(void **state)
{
    (void)state;
    fake.ceiling_bytes_s = 3e9; /* 6 kB or so in 2 us, of the kernel's 5 */
    fake.launch_s = 0.1e-6;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.ok, 3);
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

static void a_row_faster_than_the_ceiling_is_an_error_without_a_number(void **state)
{
    (void)state;
    options.mode_count = 2;
    fake.ceiling_bytes_s = 1e9; /* 7 kB in 7 us at best, and the kernel needs 5 */
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.failed, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_non_null(strstr(results[i].reason, "error in the measurement"));
        assert_true(isnan(results[i].statistics.median) && isnan(results[i].floor_s));
        assert_null(results[i].sample_s);
    }
}

static void a_floor_that_the_timer_cannot_tell_from_the_row_is_unknown(void **state)
{
    (void)state;
    options.mode_count = 1;
    fake.ceiling_bytes_s = 1e9;
    fake.tick_s = 2e-6;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.ok, 1);
    assert_true(isnan(results[0].floor_s));
    assert_string_equal(results[0].ceiling, "");
}

static void a_row_carries_the_state_of_its_device(void **state)
{
    (void)state;
    strcpy(fake.state.throttled, "power-cap");
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    const struct result *hot = find("matmul/small/right/hot");
    assert_true(fabs(hot->conditions.sm_clock_mhz - 1980) < 1e-3);
    assert_string_equal(hot->conditions.marks, "throttled");
    assert_true(hot->sample_s != NULL);
}

/* Where rows may take half a second, and then of those that did. */
static void energy_is_asked_for_where_rows_may_be_long(void **state)
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
        struct rung rungs[] = {device_rung("right", fake_right)};
        struct run_outcome outcome;
        struct error error;
        assert_true(run(rungs, 1, &outcome, &error));
        assert_int_equal(outcome.ok, 1);
        assert_int_equal(fake.energy_looks, cases[i].min_time_s < 0.05 ? 0 : cases[i].known ? 2 : 1);
        assert_int_equal(!isnan(results[0].conditions.energy_j), cases[i].known);
        if (cases[i].known)
            assert_true(fabs(results[0].conditions.energy_j - 100 * results[0].conditions.energy_over_s) < 1);
    }
}

static void only_pinned_transfers_pin(void **state)
{
    (void)state;
    options.modes[0] = &mode_e2e_pageable;
    options.modes[1] = &mode_graph;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.ok, 3);
    assert_string_equal(find("matmul/small/right/e2e_pageable")->transfer, "pageable");
    assert_string_equal(find("matmul/small/right/graph")->transfer, "");
}

static void a_rung_that_leaves_its_work_out_of_the_graph_is_found(void **state)
{
    (void)state;
    options.modes[0] = &mode_graph;
    options.mode_count = 1;
    struct rung rungs[] = {device_rung("eager", fake_works_while_recorded)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.failed, 1);
}

/* The host's CPUs may have been busy while the ceiling was measured. */
static void a_host_row_faster_than_the_ceiling_is_marked(void **state)
{
    (void)state;
    options.mode_count = 2;
    fake.ceiling_bytes_s = 1e9;
    struct rung rungs[] = {host_rung("cpu_scalar", fake_right, RUNG_BASELINE)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.ok, 2);
    assert_string_equal(results[0].conditions.marks, "over-ceiling");
    assert_true(results[0].ceiling_pct > 102);
}

static void three_per_cent_too_fast_is_too_fast(void **state)
{
    (void)state;
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    fake.tick_s = 1e-9;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    double bytes = 4.0 * (FAKE_COUNTED_M * 20 + 20 * 30 + FAKE_COUNTED_M * 30);
    for (int i = 0; i < 2; i++) {
        fake.noise = 0;
        fake.ceiling_bytes_s = bytes / (FAKE_KERNEL_NS * 1e-9 * (i ? 1.04 : 1.01));
        result_count = 0;
        assert_true(run(rungs, 1, &outcome, &error));
        assert_int_equal(outcome.failed, i);
    }
}

static void memory_that_cannot_be_pinned_fails_its_rows_alone(void **state)
{
    (void)state;
    fake.pin_error = "no more pages";
    fake.pins_until_error = 1;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.ok, 2);
    assert_int_equal(outcome.failed, 1);
    assert_non_null(strstr(find("matmul/small/right/e2e")->reason, "no more pages"));
    assert_int_equal(fake.pinned, 0);
}

/* The second rung finds its host memory pinned: its three matrices could not be pinned again. */
static void memory_stays_pinned_in_rows_that_transfer_nothing(void **state)
{
    (void)state;
    fake.pin_error = "no more pages";
    fake.pins_until_error = 3;
    struct rung rungs[] = {device_rung("one", fake_right), device_rung("two", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 2, &outcome, &error));
    assert_int_equal(outcome.ok, 6);
    assert_int_equal(fake.pinned, 0);
}

static const char *loaded(const struct rung *rung)
{
    (void)rung;
    return NULL;
}

/* A user's kernel, which takes sizes as int. Others are tried at far sizes by --verify alone. */
static void a_kernel_of_the_users_own_that_was_not_tried_at_far_sizes_is_marked(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("own", fake_right), device_rung("ours", fake_right)};
    struct run_outcome outcome;
    struct error error;
    rungs[0].load = loaded;
    rungs[0].traits = rungs[1].traits = RUNG_INT_SIZES;
    assert_true(run(rungs, 2, &outcome, &error));
    assert_int_equal(outcome.ok, 6);
    assert_string_equal(find("matmul/small/own/hot")->conditions.marks, "far-unverified");
    assert_string_equal(find("matmul/small/ours/hot")->conditions.marks, "");
}

static void an_unordered_rung_may_round_differently(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("unordered", fake_changes_last_bit)};
    rungs[0].traits = RUNG_UNORDERED;
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.ok, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_wrong_rung_gets_no_number_and_the_others_go_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rung_idle_after_its_first_timed_call_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(energy_is_asked_for_where_rows_may_be_long, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_says_how_near_it_is_to_the_ceiling, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_faster_than_the_ceiling_is_an_error_without_a_number, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_floor_that_the_timer_cannot_tell_from_the_row_is_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_carries_the_state_of_its_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_pinned_transfers_pin, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rung_that_leaves_its_work_out_of_the_graph_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_host_row_faster_than_the_ceiling_is_marked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(three_per_cent_too_fast_is_too_fast, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_that_cannot_be_pinned_fails_its_rows_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_stays_pinned_in_rows_that_transfer_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_kernel_of_the_users_own_that_was_not_tried_at_far_sizes_is_marked, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_unordered_rung_may_round_differently, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
