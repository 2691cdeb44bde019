/* What the gate reads of a CSV file of rungbench, and what it refuses with one clear line. */
#include "gate_files.h"
#include "tests/unit.h"

static struct gate_rows rows;
static struct recording recording; /* of these rows */

static int clean(void **state)
{
    recording_free(&recording);
    rows = (struct gate_rows){0};
    return 0;
}

static void record(void)
{
    recording_free(&recording);
    MUST(gate_record(&rows, "rows.csv", &recording, &error));
}

static void assert_refused(const char *expected)
{
    struct error error = {""};
    recording_free(&recording);
    assert_false(gate_record(&rows, "rows.csv", &recording, &error));
    assert_string_equal(error.text, expected);
    assert_int_equal(recording.count, 0);
    assert_null(recording.items);
    assert_null(recording.texts);
}

/* The file of three rows whose second is wrong in this column. */
static void assert_cell_refused(const char *column, const char *value, const char *expected)
{
    char line[200];
    rows = (struct gate_rows){0};
    gate_row(&rows, GATE_GPU_ROW, 0, 1e-5);
    gate_row(&rows, GATE_GPU_ROW, 1, 1e-5, column, value);
    gate_row(&rows, GATE_GPU_ROW, 2, 1e-5);
    snprintf(line, sizeof line, "rows.csv: line 3: %s is '%.40s', expected %s", column, value, expected);
    assert_refused(line);
}

AROUND_EACH_TEST(clean, clean)

TEST(all_that_is_compared_is_read)
{
    gate_row(&rows, GATE_GPU_ROW, 3, 2e-5, "transfer", "pinned", "flush", "read", "affinity", "0-7", "governor",
             "performance");
    record();
    assert_int_equal(recording.count, 1);
    const struct observation *o = &recording.items[0];
    assert_string_equal(o->name, GATE_GPU_ROW);
    assert_string_equal(o->sitting, "monday");
    assert_int_equal(o->round, 3);
    assert_int_equal(o->status, STATUS_OK);
    assert_string_equal(o->reason, "");
    assert_true(o->time_s == 2e-5);
    assert_true(fabs(o->tick_s - 5e-8) < 1e-20); /* of one of ten iterations */
    assert_false(o->launch_bound || o->slowed);
    assert_true(o->on_host);
    assert_int_equal(o->line, 2);
    for (enum column_id i = 0; i < RESULT_COLUMNS; i++) /* most of them the file lacks */
        assert_string_equal(o->text[i], gate_cell(&rows, result_columns[i].name));
}

TEST(rows_that_were_not_timed_have_reasons)
{
    gate_row(&rows, "a", 0, 0, "status", "skipped", "reason", "no GPU", "launch_bound", "");
    gate_row(&rows, "b", 0, 0, "status", "failed", "reason", "\"wrong, by far\"", "samples", "");
    record();
    assert_int_equal(recording.items[0].status, STATUS_SKIPPED);
    assert_string_equal(recording.items[0].reason, "no GPU");
    assert_true(isnan(recording.items[0].time_s));
    assert_int_equal(recording.items[1].status, STATUS_FAILED);
    assert_string_equal(recording.items[1].reason, "wrong, by far");
    assert_true(isnan(recording.items[1].time_s) && recording.items[1].tick_s == 0);
    for (int i = 0; i < 2; i++) {
        rows.count = 0;
        gate_row(&rows, GATE_GPU_ROW, 0, 1e-5, "status", i ? "failed" : "skipped");
        gate_set(&rows, "time_median_s", "1e-5");
        assert_refused("rows.csv: line 2: time_median_s is '1e-5', expected nothing, for the row is not ok");
    }
}

TEST(marks_are_read)
{
    gate_row(&rows, "a", 0, 1, "launch_bound", "yes");
    gate_row(&rows, "b", 0, 1, "slowdown_pct", "5");
    gate_row(&rows, "c", 0, 1, "tick_s", "");
    gate_row(&rows, "d", 0, 1, "transfer", "pinned");
    gate_row(&rows, "e", 0, 1, "threads", "4");
    gate_row(&rows, "f", 0, 1e-10, "samples", "7", "iterations", "7", "tick_s", "1e-10");
    gate_row(&rows, "g", 0, 1e6);
    record();
    assert_true(recording.items[0].launch_bound && !recording.items[0].slowed && !recording.items[0].on_host);
    assert_true(!recording.items[1].launch_bound && recording.items[1].slowed);
    assert_true(recording.items[2].tick_s == 0);
    assert_true(recording.items[3].on_host && recording.items[4].on_host);
    assert_true(recording.items[5].time_s == 1e-10 && recording.items[5].tick_s == 1e-10);
    assert_true(recording.items[6].time_s == 1e6);
    rows.count = 0;
    gate_row(&rows, "f", 0, 1e-6, "samples", "10", "iterations", "20", "tick_s", "2.1e-6");
    assert_refused("rows.csv: line 2: tick_s is '2.1e-6', expected no more than the time that it is to tell apart");
}

/* Rows of which only the last round's answer is another one: that has failed. */
TEST(an_answer_is_the_same_in_every_round)
{
    static const struct {
        const char *before, *last, *code;
        enum status status;
    } table[] = {
        {"feed", "feed", "1", STATUS_OK}, {"feed", "beef", "1", STATUS_FAILED},
        {"feed", "beef", "2", STATUS_OK}, /* of another build */
        {"", "beef", "1", STATUS_OK},     {"feed", "", "1", STATUS_OK},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        clean(state);
        gate_row(&rows, GATE_GPU_ROW, 0, 1e-5, "answer", table[i].before, "code", "1");
        gate_row(&rows, GATE_GPU_ROW, 1, 1e-5, "answer", "", "code", "1");
        gate_row(&rows, GATE_GPU_ROW, 2, 1e-5, "answer", table[i].last, "code", table[i].code);
        gate_row(&rows, "z", 2, 1e-5, "answer", "dead", "code", "1");
        record();
        bool fails = table[i].status == STATUS_FAILED;
        assert_int_equal(recording.items[2].status, table[i].status);
        assert_int_equal(isnan(recording.items[2].time_s), fails);
        assert_string_equal(recording.items[2].reason,
                            fails ? "not the same in every round: its verified answer has the digest beef, and in "
                                    "another round it had feed"
                                  : "");
        assert_int_equal(recording.items[3].status, STATUS_OK);
    }
}

/* A run that broke off owes the rows that the other run has in its round. */
TEST(what_a_run_owes_is_added_as_failed)
{
    gate_row(&rows, "a", 0, 1);
    gate_row(&rows, "a", 1, 1);
    gate_row(&rows, "b", 1, 1);
    gate_row(&rows, "c", 1, 1);
    gate_row(&rows, "d", 1, 1, "sitting", "tuesday");
    record();
    struct recording model = recording;
    rows.count = 0;
    gate_row(&rows, "b", 1, 2);
    MUST(gate_record(&rows, "broken.csv", &recording, &error));
    recording_add_owed(&recording, &model, "monday", 1, STATUS_FAILED, "broke off");
    assert_int_equal(recording.count, 3);
    static const char *const names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        const struct observation *o = &recording.items[i];
        bool owed = i != 1;
        assert_string_equal(o->name, names[i]);
        assert_int_equal(o->round, 1);
        assert_string_equal(o->sitting, "monday");
        assert_int_equal(o->status, owed ? STATUS_FAILED : STATUS_OK);
        assert_string_equal(o->reason, owed ? "broke off" : "");
        assert_int_equal(isnan(o->time_s), owed);
    }
    recording_free(&model);
}

TEST(no_needed_column_may_be_missing)
{
    static const char *const needed[] = {
        "schema",        "name",           "status",        "reason",       "sitting",
        "round",         "time_min_s",     "time_median_s", "tick_s",       "samples",
        "iterations",    "launch_bound",   "git_rev",       "shape",        "precision",
        "transfer",      "flush",          "seed",          "input",        "device",
        "device_uuid",   "driver_version", "cuda_version",  "blas_version", "sm_clock_set_mhz",
        "power_limit_w", "host",           "threads",       "affinity",     "governor"};
    char line[200];
    gate_row(&rows, GATE_GPU_ROW, 0, 1e-5);
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        rows.without = needed[i];
        snprintf(line, sizeof line, "rows.csv: no column '%s', expected a CSV file that rungbench --out wrote",
                 rows.without);
        assert_refused(line);
    }
    rows.without = "slowdown_pct";
    record();
    assert_false(recording.items[0].slowed);
}

/* Of a row that the host has a part in, the least sample counts; of a device's, the median. */
TEST(a_round_has_one_time)
{
    gate_row(&rows, GATE_GPU_ROW, 0, 2e-5, "time_min_s", "1e-5");
    record();
    assert_true(recording.items[0].time_s == 2e-5);
    gate_set(&rows, "transfer", "pinned");
    record();
    assert_true(recording.items[0].time_s == 1e-5);
    rows.count = 0;
    gate_row(&rows, GATE_CPU_ROW, 0, 2e-5, "time_min_s", "1e-5");
    record();
    assert_true(recording.items[0].time_s == 1e-5);
    static const char *const wrong[] = {"", "0", "2.1e-5", "nan"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char line[160];
        gate_set(&rows, "time_min_s", wrong[i]);
        snprintf(line, sizeof line, "rows.csv: line 2: time_min_s is '%s', expected seconds from 1e-10 to the median",
                 wrong[i]);
        assert_refused(line);
    }
}

TEST(other_cells_hold_what_can_be)
{
    static const struct {
        const char *column, *values[23], *expected;
    } table[] = {
        {"schema", {"2", "", "0"}, "1: no other way of writing results is known"},
        {"name", {""}, "a text"},
        {"status", {"fine", "", "OK"}, "ok, skipped or failed"},
        {"sitting", {""}, "a text"},
        {"round", {"-1", "1.5", "", "nan", "1e10"}, "an integer from 0"},
        {"tick_s", {"-1e-9", "1.5", "?"}, "seconds from 0 to 1, or nothing"},
        {"samples", {"0", "", "inf"}, "a count of 1 or more"},
        {"iterations", {"99", ""}, "a count, no less than the samples"},
        {"launch_bound", {"", "maybe"}, "yes or no"},
        {"time_median_s",
         {"",      "0",       "-1",    "nan",  "NaN",   "inf",   "1e300", "1e-5x",  "x",     " 1",   "0x1p-20",
          "1 e-5", "9.9e-11", "1.1e6", "-inf", "1e-5s", "1e999", "1e",    "1e-320", "-1e-5", "1..5", "."},
         "seconds from 1e-10 to 1e6"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (const char *const *value = table[i].values; *value; value++)
            assert_cell_refused(table[i].column, *value, table[i].expected);
}

TEST(no_round_is_there_twice)
{
    gate_row(&rows, "a", 0, 1e-5);
    gate_row(&rows, "a", 0, 1e-5);
    assert_refused("rows.csv: lines 2 and 3 are both a in round 0 of sitting monday");
    rows.count = 0;
    gate_row(&rows, GATE_GPU_ROW, 1, 1e-5);
    gate_row(&rows, GATE_GPU_ROW, 0, 1e-5);
    gate_row(&rows, GATE_GPU_ROW, 1, 2e-5);
    assert_refused("rows.csv: lines 2 and 4 are both matmul/mnist/cuda_tiled/hot in round 1 of sitting monday");
    gate_set(&rows, "sitting", "tuesday");
    record();
    assert_int_equal(recording.count, 3);
}
