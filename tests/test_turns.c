/* Several processes as one round: which time counts, and what becomes of rounds that are not whole. */
#include "gate_rows.h"
#include "turns.h"

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

static void assert_round(size_t i, const char *name, const char *sitting, long round, double time_s)
{
    assert_string_equal(recording.items[i].name, name);
    assert_string_equal(recording.items[i].sitting, sitting);
    assert_int_equal(recording.items[i].round, round);
    assert_true(recording.items[i].time_s == time_s);
}

static void the_least_time_of_the_turns_is_the_rounds(void **state)
{
    (void)state;
    static const double times_s[] = {3e-5, 1e-5, 2e-5, 6e-5, 5e-5, 4e-5};
    for (int turn = 0; turn < 6; turn++) {
        gate_row(&rows, GATE_CPU_ROW, turn, times_s[turn]);
        gate_row(&rows, GATE_GPU_ROW, turn, 2 * times_s[turn]);
        gate_row(&rows, GATE_CPU_ROW, turn, 3 * times_s[turn], "sitting", "tuesday");
    }
    record();
    assert_true(turns_fold_whole(&recording, TURNS, &error));
    assert_int_equal(recording.count, 6);
    assert_round(0, GATE_CPU_ROW, "monday", 0, times_s[1]);
    assert_round(1, GATE_CPU_ROW, "monday", 1, times_s[5]);
    assert_round(2, GATE_CPU_ROW, "tuesday", 0, 3 * times_s[1]);
    assert_round(3, GATE_CPU_ROW, "tuesday", 1, 3 * times_s[5]);
    assert_round(4, GATE_GPU_ROW, "monday", 0, 2 * times_s[1]);
    assert_round(5, GATE_GPU_ROW, "monday", 1, 2 * times_s[5]);
    assert_int_equal(recording.items[4].line, 6); /* whose time it is */
}

static void one_turn_is_a_round(void **state)
{
    (void)state;
    for (int turn = 0; turn < 4; turn++)
        gate_row(&rows, GATE_CPU_ROW, turn, 1e-5 * (turn + 1));
    record();
    assert_true(turns_fold(&recording, TURNS_ALONE, &error) && turns_fold_whole(&recording, TURNS_ALONE, &error));
    assert_int_equal(recording.count, 4);
    for (int turn = 0; turn < 4; turn++)
        assert_round((size_t)turn, GATE_CPU_ROW, "monday", turn, 1e-5 * (turn + 1));
}

static void the_worst_status_is_the_rounds(void **state)
{
    (void)state;
    static const char *const statuses[][TURNS] = {
        {"ok", "skipped", "ok"}, {"skipped", "failed", "ok"}, {"failed", "skipped", "ok"}, {"ok", "ok", "failed"}};
    static const enum status worst[] = {STATUS_SKIPPED, STATUS_FAILED, STATUS_FAILED, STATUS_FAILED};
    for (int turn = 0; turn < 4 * TURNS; turn++) {
        const char *status = statuses[turn / TURNS][turn % TURNS];
        gate_row(&rows, GATE_CPU_ROW, turn, 1e-5, "status", status, "reason", status);
    }
    record();
    assert_true(turns_fold(&recording, TURNS, &error));
    assert_int_equal(recording.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(recording.items[i].status, worst[i]);
        assert_string_equal(recording.items[i].reason, status_name(worst[i]));
        assert_true(isnan(recording.items[i].time_s));
    }
}

static void what_marks_a_turn_marks_the_round(void **state)
{
    (void)state;
    gate_row(&rows, GATE_GPU_ROW, 0, 1e-5, "tick_s", "1e-6");
    gate_row(&rows, GATE_GPU_ROW, 1, 2e-5, "tick_s", "3e-6", "launch_bound", "yes");
    gate_row(&rows, GATE_GPU_ROW, 2, 2e-5, "tick_s", "2e-6", "slowdown_pct", "5");
    gate_row(&rows, GATE_GPU_ROW, 3, 1e-5);
    record();
    assert_true(turns_fold(&recording, TURNS, &error));
    assert_int_equal(recording.count, 2);
    assert_true(recording.items[0].tick_s > 2.9e-7 && recording.items[0].tick_s < 3.1e-7);
    assert_true(recording.items[0].launch_bound && recording.items[0].slowed);
    assert_false(recording.items[1].launch_bound || recording.items[1].slowed);
}

static void a_round_that_is_not_whole_stays_only_where_it_may(void **state)
{
    (void)state;
    for (int turn = 0; turn < TURNS + 2; turn++)
        gate_row(&rows, GATE_CPU_ROW, turn, 1e-5 * (turn + 1));
    record();
    assert_true(turns_fold(&recording, TURNS, &error));
    assert_int_equal(recording.count, 2);
    assert_round(1, GATE_CPU_ROW, "monday", 1, 1e-5 * (TURNS + 1));
    recording_free(&recording);
    record();
    assert_true(turns_fold_whole(&recording, TURNS, &error));
    assert_int_equal(recording.count, 1);
    assert_round(0, GATE_CPU_ROW, "monday", 0, 1e-5);
}

static void a_file_without_a_whole_round_is_refused(void **state)
{
    (void)state;
    gate_row(&rows, GATE_CPU_ROW, 1, 1e-5);
    gate_row(&rows, GATE_CPU_ROW, 2, 1e-5);
    gate_row(&rows, GATE_CPU_ROW, 3, 1e-5);
    record();
    assert_false(turns_fold_whole(&recording, TURNS, &error));
    assert_string_equal(error.text,
                        "rows.csv: no row has rounds 0 to 2 of a sitting, expected 3, of which the least counts");
}

static void turns_of_two_machines_are_no_round(void **state)
{
    (void)state;
    gate_row(&rows, GATE_CPU_ROW, 0, 1e-5);
    gate_row(&rows, GATE_CPU_ROW, 1, 1e-5, "host", "beta");
    record();
    assert_false(turns_fold(&recording, TURNS, &error));
    assert_string_equal(error.text,
                        GATE_CPU_ROW ": host is 'alpha' in rows.csv and 'beta' in rows.csv, expected the same "
                                     "machine; --other-device compares all the same");
}

#define FOLDED(test) cmocka_unit_test_setup_teardown(test, forget, clean)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDED(the_least_time_of_the_turns_is_the_rounds),
        FOLDED(one_turn_is_a_round),
        FOLDED(the_worst_status_is_the_rounds),
        FOLDED(what_marks_a_turn_marks_the_round),
        FOLDED(a_round_that_is_not_whole_stays_only_where_it_may),
        FOLDED(a_file_without_a_whole_round_is_refused),
        FOLDED(turns_of_two_machines_are_no_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
