/* What belongs together: the columns in which two rows must agree to be compared, rounds in pairs if both files are of
 * one sitting, otherwise two samples, and several processes as one round. */
#include "bench/gate/recording.h"
#include "gate_files.h"
#include "tests/unit.h"

static struct gate_rows rows;
static struct recording recording;
static struct error error;

static int start(void **state)
{
    rows = (struct gate_rows){0};
    error = (struct error){""};
    return gate_files_start(state);
}

static int end(void **state)
{
    recording_free(&recording);
    return gate_files_end(state);
}

AROUND_EACH_TEST(start, end)

/* Makes two files with one row, of one sitting or of two. */
static void make_files(const char *name, bool paired)
{
    gate_files_start(NULL);
    for (int round = 0; round < 3; round++) {
        gate_row(&base_rows, name, round, 1e-5);
        gate_row(&new_rows, name, round, 1e-5);
    }
    if (!paired)
        gate_unpair();
}

static void assert_column_refused(const char *name, const char *column, const char *what)
{
    char line[400];
    snprintf(line, sizeof line, "%s: %s is '%s' in base.csv and 'else' in new.csv, expected the same %s", name, column,
             gate_cell(&base_rows, column), what);
    gate_assert_refused(line);
}

static const char work[] = "work", machine[] = "machine; --other-device compares anyway", library[] = "library";

/* What must be the same in a device's rows, and in a host's; libraries only in two runs, and with --other-device only
 * the work. */
static const struct {
    const char *column, *of_device, *of_host; /* NULL: it may differ; empty: it would make it a row of a host */
} columns[] = {
    {"shape", work, work},
    {"precision", work, work},
    {"transfer", work, work},
    {"flush", work, work},
    {"seed", work, work},
    {"input", work, work},
    {"device", machine, machine},
    {"device_uuid", machine, machine},
    {"driver_version", machine, machine},
    {"cuda_version", library, library},
    {"blas_version", library, library},
    {"sm_clock_set_mhz", machine, machine},
    {"power_limit_w", machine, machine},
    {"host", NULL, machine},
    {"threads", "", machine},
    {"affinity", NULL, machine},
    {"governor", NULL, machine},
};

/* Changes one column only, in all rounds of the new file or in the last one. */
TEST(rows_of_one_work_and_machine_are_compared)
{
    for (size_t i = 0; i < 16 * sizeof columns / sizeof columns[0]; i++) {
        const bool on_host = i & 1, paired = i & 2, in_all = i & 4, other_device = i & 8;
        const char *column = columns[i / 16].column, *name = on_host ? GATE_CPU_ROW : GATE_GPU_ROW;
        const char *what = on_host ? columns[i / 16].of_host : columns[i / 16].of_device;
        if (what && !what[0])
            continue;
        make_files(name, paired);
        compare_options.other_device = other_device;
        (in_all ? gate_set_all : gate_set)(&new_rows, column, "else");
        if (what == work || (what && !other_device && !(what == library && paired))) {
            assert_column_refused(name, column, what == work ? work : machine);
        } else {
            gate_compare();
            assert_true(compared.rows[0].has_evidence);
        }
    }
}

TEST(one_file_is_of_one_machine)
{
    make_files(GATE_GPU_ROW, false);
    gate_set(&base_rows, "device_uuid", "GPU-2");
    gate_assert_refused(
        "matmul/mnist/cuda_tiled/hot: device_uuid is 'GPU-1' in base.csv and 'GPU-2' in base.csv, expected "
        "the same machine; --other-device compares anyway");
}

TEST(machines_of_two_runs_are_known)
{
    static const char *const needed[][2] = {{GATE_GPU_ROW, "device_uuid"}, {GATE_CPU_ROW, "host"}};
    for (int i = 0; i < 4; i++) {
        const char *name = needed[i / 2][0], *column = needed[i / 2][1];
        bool paired = i % 2;
        char line[400];
        make_files(name, paired);
        gate_set_all(&base_rows, column, "");
        gate_set_all(&new_rows, column, "");
        snprintf(line, sizeof line,
                 "%s: %s is empty in base.csv, so it may be another machine; --other-device compares anyway", name,
                 column);
        if (!paired)
            gate_assert_refused(line);
        compare_options.other_device = !paired;
        gate_compare();
        assert_int_equal(compared.paired, paired);
    }
    make_files(GATE_GPU_ROW, false);
    gate_set_all(&base_rows, "host", "");
    gate_compare();
}

TEST(rounds_of_two_sittings_are_two_samples)
{
    gate_rounds(&base_rows, GATE_GPU_ROW, 1e-5, 0.1);
    gate_rounds(&new_rows, GATE_GPU_ROW, 1.02e-5, 0.1, "tick_s", "2e-6");
    for (size_t i = 0; i < 4; i++)
        gate_row(&base_rows, GATE_GPU_ROW, (int)(10 + i), 1e-5, "tick_s", i == 1 ? "6e-7" : "5e-7");
    gate_unpair();
    gate_compare();
    assert_false(compared.paired);
    const struct evidence *e = &compared.rows[0].evidence;
    assert_int_equal(e->base_rounds, 14);
    assert_int_equal(e->new_rounds, 10);
    assert_true(e->p_slower > 0.05 && e->p_slower < 0.5 && e->p_error > 0);
    assert_close(e->tick_s, 6e-8); /* the largest tick of the base */
    assert_true(e->limits.threshold == 0.03 && e->limits.clear == 0.06);
    double p = e->p_slower;
    compare_options.seed = 1;
    gate_compare();
    assert_true(compared.rows[0].evidence.p_slower != p);
}

TEST(a_round_of_another_sitting_is_another)
{
    gate_add_to_both(GATE_GPU_ROW, 1);
    gate_row(&new_rows, GATE_GPU_ROW, 3, 1e-5, "sitting", "tuesday");
    gate_assert_refused("rounds do not pair: " GATE_GPU_ROW
                        " is in round 3 of sitting tuesday in new.csv and not in base.csv");
    gate_row(&base_rows, GATE_GPU_ROW, 3, 1e-5, "sitting", "tuesday");
    gate_compare();
}

/* All rounds are in both files, but one row lacks a round. */
TEST(rows_that_lack_a_round_are_refused)
{
    static const int lacking[] = {0, 4, 9};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++) {
            gate_files_start(state);
            gate_add_to_both(GATE_GPU_ROW, 1);
            for (int round = 0; round < 10; round++) {
                if (side == 0 || round != lacking[i])
                    gate_row(&base_rows, "zz", round, 1e-5);
                if (side == 1 || round != lacking[i])
                    gate_row(&new_rows, "zz", round, 1e-5);
            }
            char line[120];
            snprintf(line, sizeof line, "rounds do not pair: zz is in round %d of sitting monday in %s and not in %s",
                     lacking[i], side ? "new.csv" : "base.csv", side ? "base.csv" : "new.csv");
            gate_assert_refused(line);
            gate_unpair();
            gate_compare();
        }
}

enum { TURNS = 3 };

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

static void fold(void)
{
    if (!rounds_fold(&recording, TURNS, &error))
        fail_msg("%s", error.text);
}

TEST(the_least_time_of_the_turns_is_the_rounds)
{
    static const double times_s[] = {3e-5, 1e-5, 2e-5, 6e-5, 5e-5, 4e-5};
    for (int turn = 0; turn < 6; turn++) {
        gate_row(&rows, GATE_CPU_ROW, turn, times_s[turn]);
        gate_row(&rows, GATE_CPU_ROW, turn, 3 * times_s[turn], "sitting", "tuesday");
    }
    for (int turn = 0; turn < TURNS; turn++) {
        gate_row(&rows, "matmul/mnist/cpu_a/hot", turn, 2 * times_s[turn], "threads", "1");
        gate_row(&rows, "matmul/mnist/cpu_a/hot", turn, times_s[turn], "threads", "1", "sitting", "tuesday");
    }
    record();
    fold();
    assert_int_equal(recording.count, 6);
    assert_round(0, "matmul/mnist/cpu_a/hot", "monday", 0, 2 * times_s[1]);
    assert_round(1, "matmul/mnist/cpu_a/hot", "tuesday", 0, times_s[1]);
    assert_round(2, GATE_CPU_ROW, "monday", 0, times_s[1]);
    assert_round(3, GATE_CPU_ROW, "monday", 1, times_s[5]);
    assert_round(4, GATE_CPU_ROW, "tuesday", 0, 3 * times_s[1]);
    assert_round(5, GATE_CPU_ROW, "tuesday", 1, 3 * times_s[5]);
    assert_int_equal(recording.items[2].line, 4); /* the line of that time */
    for (size_t i = 0; i < recording.count; i++)
        assert_true(observation_is_usable(&recording.items[i]));
}

TEST(statuses_of_turns_become_the_rounds)
{
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

TEST(what_marks_a_turn_marks_the_round)
{
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

TEST(a_row_that_lacks_turns_is_not_usable)
{
    for (int turn = 0; turn < TURNS; turn++)
        gate_row(&rows, GATE_CPU_ROW, turn, 1e-5);
    gate_row(&rows, "matmul/mnist/cpu_a/hot", 1, 1e-5, "threads", "1");
    record();
    rounds_drop_unfinished((struct recording *[]){&recording}, 1, TURNS);
    fold();
    assert_int_equal(recording.count, 2);
    assert_true(recording.items[0].partial && !recording.items[1].partial);
}

static struct recording other;

TEST(a_round_that_was_interrupted_is_left_out_of_both_unless_a_row_failed_in_it)
{
    static const struct {
        int turns[2], left[2]; /* of each recording */
        const char *last;
    } cases[] = {{{6, 6}, {6, 6}, "ok"}, {{5, 4}, {3, 3}, "ok"}, {{6, 5}, {3, 3}, "ok"},    {{4, 3}, {3, 3}, "ok"},
                 {{5, 5}, {3, 3}, "ok"}, {{6, 3}, {6, 3}, "ok"}, {{5, 5}, {5, 5}, "failed"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct recording *const both[] = {&recording, &other};
        for (int side = 0; side < 2; side++) {
            rows = (struct gate_rows){0};
            for (int turn = 0; turn < cases[i].turns[side]; turn++)
                gate_row(&rows, GATE_CPU_ROW, turn, 1e-5);
            if (side == 1)
                gate_set(&rows, "status", cases[i].last);
            if (strcmp(gate_cell(&rows, "status"), "failed") == 0)
                gate_set(&rows, "time_median_s", "");
            assert_true(gate_record(&rows, side ? "other.csv" : "rows.csv", both[side], &error));
        }
        rounds_drop_unfinished((struct recording *[]){&recording, &other}, 2, TURNS);
        assert_int_equal(recording.count, cases[i].left[0]);
        assert_int_equal(other.count, cases[i].left[1]);
        recording_free(&recording);
        recording_free(&other);
    }
}

TEST(turns_of_two_machines_are_no_round)
{
    gate_row(&rows, GATE_CPU_ROW, 0, 1e-5, "host", "gamma", "status", "failed");
    gate_row(&rows, GATE_CPU_ROW, 1, 1e-5);
    gate_row(&rows, GATE_CPU_ROW, 2, 1e-5, "host", "beta");
    record();
    assert_false(rounds_fold(&recording, TURNS, &error));
    assert_string_equal(error.text, "rows.csv: lines 3 and 4 differ in work or machine, expected turns of one round");
}
