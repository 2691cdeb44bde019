/* A slowdown put in on purpose: which rows get it, how large it is, and that none of them passes for a result. */
#include "fake_run.h"
#include "slowdown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_near(double seen, double expected, double tolerance)
{
    if (!(fabs(seen - expected) <= tolerance))
        fail_msg("saw %g, expected %g within %g", seen, expected, tolerance);
}

static void run_slowed(const char *wish, const struct rung *rungs, size_t count)
{
    struct run_outcome outcome;
    struct error error = {""};
    result_count = 0;
    options.slowdown = wish;
    if (!run(rungs, count, &outcome, &error))
        fail_msg("%s", error.text);
}

static int set_up_exact(void **state)
{
    set_up(state);
    fake.noise = 0;
    fake.tick_s = 1e-9;
    memcpy(options.modes, modes, sizeof options.modes);
    options.mode_count = MODE_COUNT;
    return 0;
}

static void a_row_is_slowed_by_what_was_wished_in_every_mode(void **state)
{
    (void)state;
    static const double wishes_pct[] = {12.5, 100, 1000};
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
    for (size_t w = 0; w < sizeof wishes_pct / sizeof wishes_pct[0]; w++) {
        char wish[32];
        snprintf(wish, sizeof wish, "/right/:%g", wishes_pct[w]);
        run_slowed(wish, rungs, 1);
        for (size_t i = 0; i < MODE_COUNT; i++) {
            assert_int_equal(results[i].status, STATUS_OK);
            assert_near(results[i].statistics.median / usual_s[i], 1 + wishes_pct[w] / 100, 0.01);
            assert_near(results[i].slowdown_pct, wishes_pct[w], 0.1);
            assert_string_equal(results[i].conditions.marks, "slowed");
        }
    }
}

static void a_row_too_short_for_the_wish_says_what_it_got(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("right", fake_right)};
    options.mode_count = 3; /* those without the host's time */
    fake.launch_s = 0.9e-6; /* and 0.1 to look at the clock: 20 % of the kernel */
    run_slowed(".:5", rungs, 1);
    for (size_t i = 0; i < 3; i++) {
        assert_near(results[i].slowdown_pct, 20, 0.2);
        assert_near(results[i].statistics.median, 1.2 * FAKE_KERNEL_NS * 1e-9, 0.02e-6);
        assert_string_equal(results[i].conditions.marks, "slowed");
    }
}

static void nothing(const struct matmul_problem *problem)
{
    (void)problem;
}

/* Takes half the time where another launch is before it. */
static const char *faster_behind_another(const void *problem, void *stream)
{
    size_t letters = strlen(fake.profile);
    bool is_behind = letters > 0 && fake.profile[letters - 1] == 'S';
    const char *trouble = fake_right(problem, stream);
    if (!is_behind)
        fake_launch(stream, nothing, problem, FAKE_KERNEL_NS * 1e-9);
    return trouble;
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

/* The device gets slower all the time, from 5 us a call to many times as much when the row itself is measured. */
static const char *slower_and_slower(const void *problem, void *stream)
{
    const char *trouble = fake_right(problem, stream);
    fake_launch(stream, nothing, problem, FAKE_KERNEL_NS * 1e-9 * 300 * fake.host_s);
    return trouble;
}

static void what_drifts_is_not_taken_for_the_launch(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("slower", slower_and_slower)};
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    fake.launch_s = 0.4e-6; /* and 0.1 to look at the clock: 3 % of the 16 us half-way */
    run_slowed(".:1", rungs, 1);
    assert_near(results[0].slowdown_pct, 3, 0.2);
}

/* Counts how often calls behind another launch begin, and so the turns with it; a row of many calls is one more. */
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
    const char *trouble = fake_right(problem, stream);
    if (call_s > 0 || (is_behind && (turns == 2 || (is_busy_in_all_turns && turns <= 3))))
        fake_launch(stream, nothing, problem, call_s > 0 ? call_s : busy_turn_s);
    return trouble;
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

static void one_turn_in_which_others_are_busy_does_not_count(void **state)
{
    (void)state;
    busy_turn_s = 50e-6;
    run_counted(0);
    assert_int_equal(turns, 3 + 1);
    assert_near(results[0].slowdown_pct, 40, 0.1);
    assert_near(results[0].statistics.median, 1.4 * FAKE_KERNEL_NS * 1e-9, 0.05e-6);
}

static void a_host_that_is_busy_in_all_turns_is_not_taken_for_the_launch(void **state)
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

static void what_a_call_costs_on_the_host_is_part_of_it(void **state)
{
    (void)state;
    struct rung rungs[] = {host_rung("right", fake_right, 0)};
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    fake.call_s = 0.2e-6; /* 4 % of the kernel */
    run_slowed(".:1", rungs, 1);
    assert_near(results[0].slowdown_pct, 4, 0.2);
    run_slowed(".:40", rungs, 1);
    assert_near(results[0].slowdown_pct, 40, 0.2);
}

static void a_long_row_is_calibrated_in_few_turns(void **state)
{
    (void)state;
    run_counted(20 * options.min_time_s); /* a single sample makes the row */
    assert_int_equal(turns, 1);
    assert_near(results[0].slowdown_pct, 40, 0.1);
    set_up_exact(state);
    run_counted(2.5 * options.min_time_s); /* the time is up in the fourth of seven turns */
    assert_int_equal(turns, 3 + 1);
    assert_near(results[0].slowdown_pct, 40, 0.1);
}

static bool has_been_busy(void)
{
    return strchr(fake.profile, 'S');
}

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

static void wrong_rungs_are_found_all_the_same(void **state)
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

/* The last sample of a row is that of the answer, and in hot it has more launches than the letters go back. */
static void the_answer_is_checked_without_the_further_launch(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("right", fake_right)};
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    fake.tick_s = 32e-9;
    run_slowed(".:5", rungs, 1);
    assert_true(results[0].iterations >= (int64_t)sizeof fake.profile);
    assert_non_null(strstr(fake.profile, "LLLL"));
    assert_false(has_been_busy());
}

static bool saw_unpinned;

static const char *looks_at_pins(const void *problem, void *stream)
{
    saw_unpinned = saw_unpinned || (has_been_busy() && fake.pinned == 0);
    return fake_right(problem, stream);
}

static void pinned_transfers_are_calibrated_as_such(void **state)
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

static void trouble_with_the_further_launch_fails_the_row(void **state)
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

/* So long that a single sample makes a row. The signal comes in that call for this size, from 1; the first verifies. */
static int calls, interrupting_call;

static const char *long_and_interrupted(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    const char *trouble = fake_right(problem, stream);
    if (p->m != FAKE_COUNTED_M)
        return trouble;
    fake_launch(stream, nothing, problem, 0.02);
    if (++calls == interrupting_call)
        interrupt_after = 0;
    return trouble;
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
    run_slowed(".:50", rungs, 1); /* without a signal there is a row */
    assert_int_equal(result_count, 1);
}

/* What the wish makes of rows a/b/hot and a/b/cold. */
static bool choose(const char *wish, double pct[2], struct error *error)
{
    static const struct workload workload = {"w:1", {1, 2, 3}, 0};
    const struct rung rung = device_rung("right", fake_right);
    struct row rows[] = {{.workload = &workload, .rung = &rung, .mode = &mode_hot},
                         {.workload = &workload, .rung = &rung, .mode = &mode_cold}};
    struct selection selection = {rows, 2};
    *error = (struct error){""};
    bool ok = slowdown_choose(wish, &selection, error);
    for (size_t i = 0; i < 2; i++)
        pct[i] = rows[i].slowdown_pct;
    return ok;
}

static void rows_are_chosen_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *wish;
        double hot, cold;
    } chosen[] = {
        {NULL, 0, 0},          {"/hot$:5", 5, 0},    {"ight/c:2.5", 0, 2.5},     {"(hot|cold):1000", 1000, 1000},
        {"w:1/.*hot:7", 7, 0}, {"w:[0-9]/:3", 3, 3}, {"^matmul/w:1e2", 100, 100}};
    double pct[2];
    struct error error;
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        if (!choose(chosen[i].wish, pct, &error))
            fail_msg("%s", error.text);
        assert_true(pct[0] == chosen[i].hot && pct[1] == chosen[i].cold);
    }
}

static void what_is_no_slowdown_is_refused_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *wish, *text;
    } refused[] = {{"", "expected REGEX:PERCENT"},
                   {"hot", "expected REGEX:PERCENT"},
                   {"5", "expected REGEX:PERCENT"},
                   {":5", "expected REGEX:PERCENT"},
                   {"hot:", "expected REGEX:PERCENT"},
                   {"hot:x", "above 0 and at most 1000"},
                   {"hot:5%", "above 0 and at most 1000"},
                   {"hot:5 ", "above 0 and at most 1000"},
                   {"hot:0", "above 0 and at most 1000"},
                   {"hot:-5", "above 0 and at most 1000"},
                   {"hot:1000.5", "above 0 and at most 1000"},
                   {"hot:nan", "above 0 and at most 1000"},
                   {"hot:inf", "above 0 and at most 1000"},
                   {"hot:1e-400", "above 0 and at most 1000"},
                   {"5:hot", "above 0 and at most 1000"},
                   {"[:5", "not a POSIX extended regular expression"},
                   {"warm:5", "matches none of the 2 selected rows"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        double pct[2];
        struct error error;
        char flag[32];
        if (choose(refused[i].wish, pct, &error))
            fail_msg("%s is accepted", refused[i].wish);
        snprintf(flag, sizeof flag, "--slowdown=%s: ", refused[i].wish);
        if (strncmp(error.text, flag, strlen(flag)) != 0 || !strstr(error.text, refused[i].text) ||
            strchr(error.text, '\n'))
            fail_msg("'%s' does not say '%s' of '%s'", error.text, refused[i].text, flag);
    }
}

/* Before anything is measured, and nothing is left of the selection. */
static void a_slowdown_of_no_row_selects_nothing(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct registry registry = {entries, ENTRIES, ops, OPS, rungs, 1};
    struct selection selection;
    struct error error;
    options.slowdown = "/left/:5";
    assert_false(selection_make(&registry, &options, &selection, &error));
    assert_non_null(strstr(error.text, "--slowdown=/left/:5"));
}

#define EXACT(test) cmocka_unit_test_setup_teardown(test, set_up_exact, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXACT(a_row_is_slowed_by_what_was_wished_in_every_mode),
        EXACT(a_row_too_short_for_the_wish_says_what_it_got),
        EXACT(a_launch_never_costs_less_than_nothing),
        EXACT(one_turn_in_which_others_are_busy_does_not_count),
        EXACT(a_host_that_is_busy_in_all_turns_is_not_taken_for_the_launch),
        EXACT(what_a_call_costs_on_the_host_is_part_of_it),
        EXACT(a_long_row_is_calibrated_in_few_turns),
        EXACT(what_drifts_is_not_taken_for_the_launch),
        cmocka_unit_test_setup_teardown(a_slowed_row_has_no_speedup_and_others_keep_theirs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_slowed_row_is_no_baseline, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_rungs_are_found_all_the_same, set_up, tear_down),
        EXACT(the_answer_is_checked_without_the_further_launch),
        EXACT(pinned_transfers_are_calibrated_as_such),
        EXACT(trouble_with_the_further_launch_fails_the_row),
        EXACT(a_row_of_no_time_cannot_be_slowed),
        cmocka_unit_test_setup_teardown(an_interruption_ends_the_row, set_up_exact, tear_down),
        EXACT(rows_are_chosen_by_name),
        EXACT(what_is_no_slowdown_is_refused_in_one_line),
        EXACT(a_slowdown_of_no_row_selects_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
