/* Several processes as one round: the time that counts, and incomplete rounds. */
#include "bench/gate/rounds.h"
#include "gate_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

enum { TURNS = 3 };

static struct gate_rows rows;
static struct recording recording;
static struct error error;

static int forget(void **state)
{
    (void)state;
    rows = (struct gate_rows){0};
    error = (struct error){""};
    return 0;
}

static int clean(void **state)
{
    (void)state;
    recording_free(&recording);
    return 0;
}

static void record(void)
{
    if (!gate_record(&rows, "rows.csv", &recording, &error))
        fail_msg("%s", error.text);
}

static void assert_round(size_t i, const char *name, const char *session, long round, double time_s)
{
    assert_string_equal(recording.items[i].name, name);
    assert_string_equal(recording.items[i].session, session);
    assert_int_equal(recording.items[i].round, round);
    assert_true(recording.items[i].time_s == time_s);
}

static void fold(void)
{
    if (!rounds_fold(&recording, TURNS, &error))
        fail_msg("%s", error.text);
}

static void the_least_time_of_the_turns_is_the_rounds(void **state)
{
    (void)state;
    static const double times_s[] = {3e-5, 1e-5, 2e-5, 6e-5, 5e-5, 4e-5};
    for (int turn = 0; turn < 6; turn++) {
        gate_row(&rows, GATE_CPU_ROW, turn, times_s[turn]);
        gate_row(&rows, "matmul/mnist/cpu_other/hot", turn, 2 * times_s[turn], "threads", "1");
        gate_row(&rows, GATE_CPU_ROW, turn, 3 * times_s[turn], "sitting", "tuesday");
    }
    record();
    fold();
    assert_int_equal(recording.count, 6);
    assert_round(0, "matmul/mnist/cpu_other/hot", "monday", 0, 2 * times_s[1]);
    assert_round(1, "matmul/mnist/cpu_other/hot", "monday", 1, 2 * times_s[5]);
    assert_round(2, GATE_CPU_ROW, "monday", 0, times_s[1]);
    assert_round(3, GATE_CPU_ROW, "monday", 1, times_s[5]);
    assert_round(4, GATE_CPU_ROW, "tuesday", 0, 3 * times_s[1]);
    assert_round(5, GATE_CPU_ROW, "tuesday", 1, 3 * times_s[5]);
    assert_int_equal(recording.items[2].line, 5); /* the line of that time */
    for (size_t i = 0; i < recording.count; i++)
        assert_true(observation_is_usable(&recording.items[i]));
}

static void sittings_of_one_round_each_stay_apart(void **state)
{
    (void)state;
    for (int turn = 0; turn < TURNS; turn++) {
        gate_row(&rows, GATE_CPU_ROW, turn, 1e-5);
        gate_row(&rows, GATE_CPU_ROW, turn, 2e-5, "sitting", "tuesday");
    }
    record();
    fold();
    assert_int_equal(recording.count, 2);
    assert_round(0, GATE_CPU_ROW, "monday", 0, 1e-5);
    assert_round(1, GATE_CPU_ROW, "tuesday", 0, 2e-5);
}

static void one_turn_is_a_round_of_any_row(void **state)
{
    (void)state;
    for (int turn = 0; turn < 4; turn++)
        gate_row(&rows, GATE_GPU_ROW, turn, 1e-5 * (turn + 1));
    record();
    assert_true(rounds_drop_unfinished((struct recording *[]){&recording}, 1, TURNS_ALONE, &error));
    assert_true(rounds_fold(&recording, TURNS_ALONE, &error));
    assert_int_equal(recording.count, 4);
    for (int turn = 0; turn < 4; turn++)
        assert_round((size_t)turn, GATE_GPU_ROW, "monday", turn, 1e-5 * (turn + 1));
}

static void statuses_of_turns_become_the_rounds(void **state)
{
    (void)state;
    static const struct {
        const char *turns[TURNS];
        enum status status;
        bool partial;
    } rounds[] = {{{"ok", "skipped", "ok"}, STATUS_OK, true},
                  {{"skipped", "failed", "ok"}, STATUS_FAILED, true},
                  {{"failed", "skipped", "ok"}, STATUS_FAILED, true},
                  {{"ok", "ok", "failed"}, STATUS_FAILED, true},
                  {{"skipped", "ok", "ok"}, STATUS_OK, true},
                  {{"skipped", "skipped", "skipped"}, STATUS_SKIPPED, false},
                  {{"failed", "failed", "failed"}, STATUS_FAILED, false}};
    enum { ROUNDS = sizeof rounds / sizeof rounds[0] };
    for (int turn = 0; turn < ROUNDS * TURNS; turn++) {
        const char *status = rounds[turn / TURNS].turns[turn % TURNS];
        gate_row(&rows, GATE_CPU_ROW, turn, 1e-5 * (turn + 1), "status", status, "reason", status);
    }
    record();
    fold();
    assert_int_equal(recording.count, ROUNDS);
    for (size_t i = 0; i < ROUNDS; i++) {
        const struct observation *round = &recording.items[i];
        assert_int_equal(round->status, rounds[i].status);
        assert_string_equal(round->reason, status_name(round->status));
        assert_int_equal(round->partial, rounds[i].partial);
        assert_int_equal(isnan(round->time_s), round->status != STATUS_OK);
        assert_int_equal(round->round, i);
        assert_false(observation_is_usable(round));
    }
    assert_true(recording.items[0].time_s < 1.1e-5 && recording.items[4].time_s < 14.1e-5);
}

static void what_marks_a_turn_marks_the_round(void **state)
{
    (void)state;
    gate_row(&rows, GATE_CPU_ROW, 0, 1e-5, "tick_s", "1e-6");
    gate_row(&rows, GATE_CPU_ROW, 1, 2e-5, "tick_s", "3e-6", "launch_bound", "yes");
    gate_row(&rows, GATE_CPU_ROW, 2, 2e-5, "tick_s", "2e-6", "slowdown_pct", "5");
    for (int turn = TURNS; turn < 2 * TURNS; turn++)
        gate_row(&rows, GATE_CPU_ROW, turn, 1e-5);
    record();
    fold();
    assert_int_equal(recording.count, 2);
    assert_true(recording.items[0].tick_s > 2.9e-7 && recording.items[0].tick_s < 3.1e-7);
    assert_true(recording.items[0].launch_bound && recording.items[0].slowed);
    assert_false(recording.items[1].launch_bound || recording.items[1].slowed);
}

static void a_row_that_lacks_turns_is_not_usable(void **state)
{
    (void)state;
    for (int turn = 0; turn < TURNS; turn++)
        gate_row(&rows, GATE_CPU_ROW, turn, 1e-5);
    gate_row(&rows, "matmul/mnist/cpu_other/hot", 1, 1e-5, "threads", "1");
    record();
    assert_true(rounds_drop_unfinished((struct recording *[]){&recording}, 1, TURNS, &error));
    fold();
    assert_int_equal(recording.count, 2);
    assert_true(recording.items[0].partial && !recording.items[1].partial);
}

static struct recording other;

/* Records `end` turns of a row, and `other_end` turns in the second recording. */
static void record_both(int end, int other_end, const char *last_status)
{
    for (int turn = 0; turn < other_end; turn++)
        gate_row(&rows, GATE_CPU_ROW, turn, 1e-5, "status", turn == other_end - 1 ? last_status : "ok");
    if (!gate_record(&rows, "other.csv", &other, &error))
        fail_msg("%s", error.text);
    rows = (struct gate_rows){0};
    for (int turn = 0; turn < end; turn++)
        gate_row(&rows, GATE_CPU_ROW, turn, 1e-5);
    record();
    assert_true(rounds_drop_unfinished((struct recording *[]){&recording, &other}, 2, TURNS, &error));
}

static void a_round_that_was_interrupted_is_left_out_of_both(void **state)
{
    (void)state;
    static const int ends[][4] = {/* turns in each recording, and turns that are left in each */
                                  {6, 6, 6, 6}, {5, 4, 3, 3}, {6, 5, 3, 3}, {4, 3, 3, 3}, {5, 5, 3, 3}, {6, 3, 6, 3}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        record_both(ends[i][0], ends[i][1], "ok");
        assert_int_equal(recording.count, ends[i][2]);
        assert_int_equal(other.count, ends[i][3]);
        recording_free(&recording);
        recording_free(&other);
        rows = (struct gate_rows){0};
    }
}

static void a_failure_in_it_is_not_left_out(void **state)
{
    (void)state;
    record_both(5, 5, "failed");
    assert_int_equal(recording.count, 5);
    assert_int_equal(other.count, 5);
    recording_free(&other);
}

static void turns_of_two_machines_are_no_round(void **state)
{
    (void)state;
    gate_row(&rows, GATE_CPU_ROW, 0, 1e-5, "host", "gamma", "status", "failed");
    gate_row(&rows, GATE_CPU_ROW, 1, 1e-5);
    gate_row(&rows, GATE_CPU_ROW, 2, 1e-5, "host", "beta");
    record();
    assert_false(rounds_fold(&recording, TURNS, &error));
    assert_string_equal(error.text, "rows.csv: lines 3 and 4 differ in work or machine, expected turns of one round");
}

static void rows_of_a_gpu_have_no_turns(void **state)
{
    (void)state;
    gate_row(&rows, GATE_GPU_ROW, 0, 1e-5);
    record();
    assert_false(rounds_fold(&recording, TURNS, &error));
    assert_string_equal(error.text,
                        "rows.csv: line 2: " GATE_GPU_ROW " is not a CPU row, expected only CPU rows with --cpu-only");
}

#define FOLDED(test) cmocka_unit_test_setup_teardown(test, forget, clean)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDED(the_least_time_of_the_turns_is_the_rounds),
        FOLDED(sittings_of_one_round_each_stay_apart),
        FOLDED(one_turn_is_a_round_of_any_row),
        FOLDED(statuses_of_turns_become_the_rounds),
        FOLDED(what_marks_a_turn_marks_the_round),
        FOLDED(a_row_that_lacks_turns_is_not_usable),
        FOLDED(a_round_that_was_interrupted_is_left_out_of_both),
        FOLDED(a_failure_in_it_is_not_left_out),
        FOLDED(turns_of_two_machines_are_no_round),
        FOLDED(rows_of_a_gpu_have_no_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
