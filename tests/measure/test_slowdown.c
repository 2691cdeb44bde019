/* --slowdown: the size of the slowdown, and what else becomes of a slowed row. */
#include "tests/fakes/fake_run.h"
#include "tests/unit.h"

/* Runs the rungs with --slowdown=VALUE, or without it (NULL). */
static void run_slowed(const char *value, const struct rung *rungs, size_t count)
{
    options.slowdown = value;
    if (run(rungs, count) != EXIT_RIGHT)
        fail_msg("%s", run_error.text);
}

/* All modes, on a device without noise and with a fine timer. */
static int set_up_exact(void **state)
{
    set_up(state);
    fake.noise = 0;
    fake.tick_s = 1e-9;
    memcpy(options.modes, modes, sizeof options.modes);
    options.mode_count = MODE_COUNT;
    return 0;
}

static void use_only(const struct mode *mode)
{
    options.modes[0] = mode;
    options.mode_count = 1;
}

/* One rung, in that mode. */
static void run_one(const char *value, const struct mode *mode, struct rung rung)
{
    use_only(mode);
    run_slowed(value, &rung, 1);
}

static void nothing(const struct matmul_problem *problem)
{
}

/* Whether one of the latest launches was one that slows a row. */
static bool has_been_busy(void)
{
    return strchr(fake.profile, 'S');
}

TEST(a_row_is_slowed_as_requested_in_every_mode)
{
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
            assert_within(results[i].statistics.median / usual_s[i], 1 + requested_pct[r] / 100, 0.01);
            assert_within(results[i].slowdown_pct, requested_pct[r], 0.1);
            assert_string_equal(results[i].conditions.marks, "slowed");
        }
    }
}

TEST(a_row_too_short_for_the_request_reports_its_slowdown)
{
    struct rung rungs[] = {device_rung("right", fake_right)};
    options.mode_count = 3; /* the modes without host time */
    fake.launch_s = 0.9e-6; /* plus 0.1 us to read the clock: 20 % of the kernel */
    run_slowed(".:5", rungs, 1);
    for (size_t i = 0; i < 3; i++) {
        assert_within(results[i].slowdown_pct, 20, 0.2);
        assert_within(results[i].statistics.median, 1.2 * FAKE_KERNEL_NS * 1e-9, 0.02e-6);
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

TEST(a_launch_never_costs_less_than_nothing)
{
    run_one(".:50", &mode_hot, device_rung("faster", faster_behind_another));
    assert_within(results[0].slowdown_pct, 50, 0.1);
    assert_within(results[0].statistics.median, (FAKE_KERNEL_NS + 100 + 0.5 * 2 * FAKE_KERNEL_NS) * 1e-9, 0.02e-6);
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

TEST(drift_is_not_counted_as_the_cost_of_the_launch)
{
    since_s = NAN;
    fake.launch_s = 0.4e-6; /* plus 0.1 us to read the clock: 3 % of the 16 us half-way */
    run_one(".:1", &mode_hot, device_rung("slower", slower_and_slower));
    assert_within(results[0].slowdown_pct, 3, 0.2);
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
    call_s = seconds;
    turns = 0;
    run_one(".:40", &mode_hot, device_rung("counts", counts_turns));
    assert_int_equal(results[0].status, STATUS_OK);
}

TEST(one_disturbed_turn_does_not_count)
{
    busy_turn_s = 50e-6;
    run_counted(0);
    assert_int_equal(turns, 3 + 1);
    assert_within(results[0].slowdown_pct, 40, 0.1);
    assert_within(results[0].statistics.median, 1.4 * FAKE_KERNEL_NS * 1e-9, 0.05e-6);
}

TEST(a_busy_host_is_not_counted_as_the_cost_of_the_launch)
{
    fake.call_s = 1e-9;
    busy_turn_s = FAKE_KERNEL_NS * 1e-9;
    is_busy_in_all_turns = true;
    turns = 0;
    run_one(".:40", &mode_hot, host_rung("counts", counts_turns, 0));
    is_busy_in_all_turns = false;
    assert_within(results[0].slowdown_pct, 40, 0.5);
    assert_within(results[0].statistics.min, (1.4 * FAKE_KERNEL_NS + 100) * 1e-9, 0.05e-6);
}

TEST(the_cost_of_a_call_on_the_host_is_part_of_the_slowdown)
{
    fake.call_s = 0.2e-6; /* 4 % of the kernel's time */
    run_one(".:1", &mode_hot, host_rung("right", fake_right, 0));
    assert_within(results[0].slowdown_pct, 4, 0.2);
    run_one(".:40", &mode_hot, host_rung("right", fake_right, 0));
    assert_within(results[0].slowdown_pct, 40, 0.2);
}

TEST(a_row_of_a_single_sample_is_slowed_too)
{
    run_counted(1);
    assert_int_equal(turns, 3);
    assert_within(results[0].slowdown_pct, 40, 0.1);
}

TEST(wrong_rungs_are_still_found)
{
    rung_function *const wrong[] = {fake_zeros, fake_writes_behind_from_the_hundredth_call, fake_changes_last_bit};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        set_up(state);
        struct rung rungs[] = {device_rung("wrong", wrong[i]), device_rung("right", fake_right)};
        run_slowed(".:30", rungs, 2);
        assert_int_equal(find("matmul/small/wrong/hot")->status, STATUS_FAILED);
        assert_int_equal(find("matmul/small/right/hot")->status, STATUS_OK);
    }
}

/* The last sample of a row gives the answer. In hot it has more launches than fake.profile can hold. */
TEST(the_answer_is_checked_without_the_extra_launch)
{
    fake.tick_s = 32e-9;
    run_one(".:5", &mode_hot, device_rung("right", fake_right));
    assert_true(results[0].iterations / (int64_t)results[0].statistics.count >= (int64_t)sizeof fake.profile);
    assert_non_null(strstr(fake.profile, "LLLL"));
    assert_false(has_been_busy());
}

static bool saw_unpinned;

static const char *looks_at_pins(const void *problem, void *stream)
{
    saw_unpinned = saw_unpinned || (has_been_busy() && fake.pinned == 0);
    return fake_right(problem, stream);
}

TEST(pinned_transfers_are_calibrated_with_pinned_memory)
{
    run_one(".:50", &mode_e2e, device_rung("right", looks_at_pins));
    assert_int_equal(results[0].status, STATUS_OK);
    assert_false(saw_unpinned);
}

static const char *fails_beside_another(const void *problem, void *stream)
{
    return has_been_busy() ? "no more room beside the other" : fake_right(problem, stream);
}

TEST(an_error_of_the_extra_launch_fails_the_row)
{
    run_one(".:50", modes[0], device_rung("right", fails_beside_another));
    assert_int_equal(results[0].status, STATUS_FAILED);
    assert_string_equal(results[0].reason, "failed while timed: no more room beside the other");
}

TEST(a_row_of_no_time_cannot_be_slowed)
{
    fake.tick_s = 1e-3;
    run_one(".:50", modes[0], device_rung("right", fake_right));
    assert_int_equal(results[0].status, STATUS_FAILED);
    assert_non_null(strstr(results[0].reason, "too short for the timer"));
    assert_true(isnan(results[0].slowdown_pct));
}

/* A call is so long that the row has a single sample. The signal arrives in call number `interrupting_call` for this
 * size, from 1; the first call verifies. */
static int calls, interrupting_call;

static const char *long_and_interrupted(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    const char *error = fake_right(problem, stream);
    if (p->m != FAKE_COUNTED_M)
        return error;
    fake_launch(stream, nothing, problem, 0.02);
    if (++calls == interrupting_call)
        interrupt_after = 0;
    return error;
}

TEST(an_interruption_ends_the_row)
{
    struct rung rungs[] = {device_rung("long", long_and_interrupted)};
    for (interrupting_call = 2; interrupting_call <= 5; interrupting_call++) {
        set_up_exact(state);
        options.mode_count = 1;
        calls = 0;
        run_slowed(".:50", rungs, 1);
        assert_int_equal(calls, interrupting_call);
        assert_int_equal(result_count, 0);
    }
    set_up_exact(state);
    options.mode_count = 1;
    interrupting_call = 0;
    run_slowed(".:50", rungs, 1); /* no signal: the row is there */
    assert_int_equal(result_count, 1);
}

AROUND_EACH_TEST(set_up_exact, tear_down)
