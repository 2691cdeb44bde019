/* --slowdown: a slowed row is marked, is no baseline and has no speed-up, and wrong rungs are still found. */
#include "slowed_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static void a_slowed_row_has_no_speedup_and_others_keep_theirs(void **state)
{
    (void)state;
    struct rung rungs[] = {host_rung("cpu_scalar", fake_right, RUNG_BASELINE), device_rung("gpu", fake_right)};
    run_slowed("/gpu/hot$:100", rungs, 2);
    for (size_t i = 0; i < result_count; i++) {
        bool slowed = strcmp(results[i].name, "matmul/small/gpu/hot") == 0;
        assert_int_equal(isnan(results[i].speedup), slowed);
        assert_int_equal(!isnan(results[i].slowdown_pct), slowed);
        assert_string_equal(results[i].conditions.marks, slowed ? "slowed" : "");
        assert_string_equal(results[i].baseline, slowed ? "" : "cpu_scalar");
        assert_int_equal(result_is_fair(&results[i]), !slowed);
    }
    const struct result *scalar = find("matmul/small/cpu_scalar/hot"), *e2e = find("matmul/small/gpu/e2e");
    assert_true(scalar->speedup == 1 && e2e->speedup == scalar->statistics.median / e2e->statistics.median);
}

static void a_slowed_row_is_no_baseline(void **state)
{
    (void)state;
    struct rung rungs[] = {host_rung("cpu_scalar", fake_right, RUNG_BASELINE), device_rung("gpu", fake_right)};
    run_slowed("cpu_scalar/hot:100", rungs, 2);
    for (size_t i = 0; i < result_count; i++) {
        bool compares_with_cold = strcmp(results[i].mode, "cold") == 0;
        assert_int_equal(!isnan(results[i].speedup), compares_with_cold);
        assert_string_equal(results[i].baseline, compares_with_cold ? "cpu_scalar" : "");
    }
}

static void wrong_rungs_are_still_found(void **state)
{
    rung_function *const wrong[] = {fake_zeros,
                                    fake_wrong_from_the_hundredth_call,
                                    fake_writes_behind_from_the_hundredth_call,
                                    fake_changes_last_bit,
                                    fake_idle_from_the_third_call,
                                    fake_other_stream};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        set_up(state);
        struct rung rungs[] = {device_rung("wrong", wrong[i]), device_rung("right", fake_right)};
        run_slowed(".:30", rungs, 2);
        assert_int_equal(find("matmul/small/wrong/hot")->status, STATUS_FAILED);
        assert_int_equal(find("matmul/small/right/hot")->status, STATUS_OK);
    }
}

/* The last sample of a row gives the answer. In hot it has more launches than fake.profile can hold. */
static void the_answer_is_checked_without_the_extra_launch(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("right", fake_right)};
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    fake.tick_s = 32e-9;
    run_slowed(".:5", rungs, 1);
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

static void pinned_transfers_are_calibrated_with_pinned_memory(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("right", looks_at_pins)};
    options.modes[0] = &mode_e2e;
    options.mode_count = 1;
    run_slowed(".:50", rungs, 1);
    assert_int_equal(results[0].status, STATUS_OK);
    assert_false(saw_unpinned);
}

static const char *fails_beside_another(const void *problem, void *stream)
{
    return has_been_busy() ? "no more room beside the other" : fake_right(problem, stream);
}

static void an_error_of_the_extra_launch_fails_the_row(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("right", fails_beside_another)};
    options.mode_count = 1;
    run_slowed(".:50", rungs, 1);
    assert_int_equal(results[0].status, STATUS_FAILED);
    assert_string_equal(results[0].reason, "failed while timed: no more room beside the other");
}

static void a_row_of_no_time_cannot_be_slowed(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("right", fake_right)};
    options.mode_count = 1;
    fake.tick_s = 1e-3;
    run_slowed(".:50", rungs, 1);
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

static void an_interruption_ends_the_row(void **state)
{
    for (interrupting_call = 2; interrupting_call <= 4; interrupting_call++) {
        set_up_exact(state);
        options.mode_count = 1;
        calls = 0;
        struct rung rungs[] = {device_rung("long", long_and_interrupted)};
        run_slowed(".:50", rungs, 1);
        assert_int_equal(calls, interrupting_call);
        assert_int_equal(result_count, 0);
    }
    set_up_exact(state);
    options.mode_count = 1;
    interrupting_call = 0;
    struct rung rungs[] = {device_rung("long", long_and_interrupted)};
    run_slowed(".:50", rungs, 1); /* no signal: the row is there */
    assert_int_equal(result_count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_slowed_row_has_no_speedup_and_others_keep_theirs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_slowed_row_is_no_baseline, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_rungs_are_still_found, set_up, tear_down),
        EXACT(the_answer_is_checked_without_the_extra_launch),
        EXACT(pinned_transfers_are_calibrated_with_pinned_memory),
        EXACT(an_error_of_the_extra_launch_fails_the_row),
        EXACT(a_row_of_no_time_cannot_be_slowed),
        cmocka_unit_test_setup_teardown(an_interruption_ends_the_row, set_up_exact, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
