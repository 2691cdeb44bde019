/* --slowdown: the size of the slowdown. */
#include "slowed_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static void a_row_is_slowed_as_requested_in_every_mode(void **state)
{
    (void)state;
    static const double requested_pct[] = {12.5, 100, 1000};
    double usual_s[MODE_COUNT];
    struct rung rungs[] = {device_rung("right", fake_right)};
    fake.launch_s = 0.2e-6;
    run_slowed(NULL, rungs, 1);
    assert_int_equal(result_count, MODE_COUNT);
    for (size_t i = 0; i < MODE_COUNT; i++) {
        usual_s[i] = results[i].statistics.median;
        assert_true(isnan(results[i].slowdown_pct));
        assert_string_equal(results[i].conditions.marks, "");
    }
    for (size_t r = 0; r < sizeof requested_pct / sizeof requested_pct[0]; r++) {
        char value[32];
        snprintf(value, sizeof value, "/right/:%g", requested_pct[r]);
        run_slowed(value, rungs, 1);
        for (size_t i = 0; i < MODE_COUNT; i++) {
            assert_int_equal(results[i].status, STATUS_OK);
            assert_near(results[i].statistics.median / usual_s[i], 1 + requested_pct[r] / 100, 0.01);
            assert_near(results[i].slowdown_pct, requested_pct[r], 0.1);
            assert_string_equal(results[i].conditions.marks, "slowed");
        }
    }
}

static void a_row_too_short_for_the_request_reports_its_slowdown(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("right", fake_right)};
    options.mode_count = 3; /* the modes without host time */
    fake.launch_s = 0.9e-6; /* plus 0.1 us to read the clock: 20 % of the kernel */
    run_slowed(".:5", rungs, 1);
    for (size_t i = 0; i < 3; i++) {
        assert_near(results[i].slowdown_pct, 20, 0.2);
        assert_near(results[i].statistics.median, 1.2 * FAKE_KERNEL_NS * 1e-9, 0.02e-6);
        assert_string_equal(results[i].conditions.marks, "slowed");
    }
}

/* Takes half the time if it follows the launch that slows. */
static const char *faster_behind_another(const void *problem, void *stream)
{
    size_t letters = strlen(fake.profile);
    bool is_behind = letters > 0 && fake.profile[letters - 1] == 'S';
    const char *error = fake_right(problem, stream);
    if (!is_behind)
        fake_launch(stream, nothing, problem, FAKE_KERNEL_NS * 1e-9);
    return error;
}

static void a_launch_never_costs_less_than_nothing(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("faster", faster_behind_another)};
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    run_slowed(".:50", rungs, 1);
    assert_near(results[0].slowdown_pct, 50, 0.1);
    assert_near(results[0].statistics.median, (FAKE_KERNEL_NS + 100 + 0.5 * 2 * FAKE_KERNEL_NS) * 1e-9, 0.02e-6);
}

/* The device becomes slower all the time: from 6 us per call to many times as much when the row is measured. */
static double since_s; /* the first call on the size that is timed */
static const char *slower_and_slower(const void *problem, void *stream)
{
    const char *error = fake_right(problem, stream);
    if (isnan(since_s) && ((const struct matmul_problem *)problem)->m == FAKE_COUNTED_M)
        since_s = fake.host_s;
    if (!isnan(since_s))
        fake_launch(stream, nothing, problem, FAKE_KERNEL_NS * 1e-9 * (1 + 336 * (fake.host_s - since_s)));
    return error;
}

static void drift_is_not_counted_as_the_cost_of_the_launch(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("slower", slower_and_slower)};
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    since_s = NAN;
    fake.launch_s = 0.4e-6; /* plus 0.1 us to read the clock: 3 % of the 16 us half-way */
    run_slowed(".:1", rungs, 1);
    assert_near(results[0].slowdown_pct, 3, 0.2);
}

/* Counts the turns with the launch: each starts where a call follows one for the first time. A row of many calls counts
 * as one more. */
static int turns;
static double call_s, busy_turn_s;
static bool is_busy_in_all_turns;

static const char *counts_turns(const void *problem, void *stream)
{
    static bool was_behind;
    size_t letters = strlen(fake.profile);
    bool is_behind = letters > 0 && fake.profile[letters - 1] == 'S';
    turns += is_behind && !was_behind;
    was_behind = is_behind;
    const char *error = fake_right(problem, stream);
    if (call_s > 0 || (is_behind && (turns == 2 || (is_busy_in_all_turns && turns <= 3))))
        fake_launch(stream, nothing, problem, call_s > 0 ? call_s : busy_turn_s);
    return error;
}

static void run_counted(double seconds)
{
    struct rung rungs[] = {device_rung("counts", counts_turns)};
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    call_s = seconds;
    turns = 0;
    run_slowed(".:40", rungs, 1);
    assert_int_equal(results[0].status, STATUS_OK);
}

static void one_disturbed_turn_does_not_count(void **state)
{
    (void)state;
    busy_turn_s = 50e-6;
    run_counted(0);
    assert_int_equal(turns, 3 + 1);
    assert_near(results[0].slowdown_pct, 40, 0.1);
    assert_near(results[0].statistics.median, 1.4 * FAKE_KERNEL_NS * 1e-9, 0.05e-6);
}

static void a_busy_host_is_not_counted_as_the_cost_of_the_launch(void **state)
{
    (void)state;
    struct rung rungs[] = {host_rung("counts", counts_turns, 0)};
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    fake.call_s = 1e-9;
    busy_turn_s = FAKE_KERNEL_NS * 1e-9;
    is_busy_in_all_turns = true;
    turns = 0;
    run_slowed(".:40", rungs, 1);
    is_busy_in_all_turns = false;
    assert_near(results[0].slowdown_pct, 40, 0.5);
    assert_near(results[0].statistics.min, (1.4 * FAKE_KERNEL_NS + 100) * 1e-9, 0.05e-6);
}

static void the_cost_of_a_call_on_the_host_is_part_of_the_slowdown(void **state)
{
    (void)state;
    struct rung rungs[] = {host_rung("right", fake_right, 0)};
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    fake.call_s = 0.2e-6; /* 4 % of the kernel's time */
    run_slowed(".:1", rungs, 1);
    assert_near(results[0].slowdown_pct, 4, 0.2);
    run_slowed(".:40", rungs, 1);
    assert_near(results[0].slowdown_pct, 40, 0.2);
}

static void a_long_row_is_calibrated_in_few_turns(void **state)
{
    (void)state;
    run_counted(1); /* the row has a single sample */
    assert_int_equal(turns, 1);
    assert_near(results[0].slowdown_pct, 40, 0.1);
    set_up_exact(state);
    run_counted(2.5 * options.min_time_s); /* the time is up in the fourth of seven turns */
    assert_int_equal(turns, 3 + 1);
    assert_near(results[0].slowdown_pct, 40, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXACT(a_row_is_slowed_as_requested_in_every_mode),
        EXACT(a_row_too_short_for_the_request_reports_its_slowdown),
        EXACT(a_launch_never_costs_less_than_nothing),
        EXACT(one_disturbed_turn_does_not_count),
        EXACT(a_busy_host_is_not_counted_as_the_cost_of_the_launch),
        EXACT(the_cost_of_a_call_on_the_host_is_part_of_the_slowdown),
        EXACT(a_long_row_is_calibrated_in_few_turns),
        EXACT(drift_is_not_counted_as_the_cost_of_the_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
