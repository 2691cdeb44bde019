/* Programs that take turns: when one hangs, and what becomes of it. */
#include "bench/gate/sitting.h"
#include "bench/measure/measure.h"
#include "bench/place/devices.h"
#include "gate_files.h"
#include "tests/unit.h"

/* Hours pass from one look at the clock to the next while the new program runs; with `awaited`, once that file is
 * there. */
static bool time_flies;
static const char *awaited;

static void step(size_t turn, const char *arm)
{
    time_flies = strcmp(arm, "new") == 0;
}

static double now(void)
{
    static double clock_s;
    return time_flies && (!awaited || access(awaited, F_OK) == 0) ? clock_s += 7200 : clock_s;
}

static void put_program(const char *path, const char *script)
{
    char text[128];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
    file_put(path, text);
    assert_int_equal(chmod(path, 0755), 0);
}

/* Of the clock above: how often is looked depends on it. */
static const double limit_s = 0.01;

/* Writes rows.csv of these rows, and runs ./base, which prints it, with ./new. The first of the limits is that of a
 * row, the other that of a process. */
static struct sitting run(const struct gate_rows *rows, const char *script, double row_limit_s, double process_limit_s)
{
    static char *const none[] = {NULL};
    static struct gate_options options;
    options = (struct gate_options){
        .arguments = {"./base", "./new"}, .argument_count = 2, .flags = none, .process_limit_s = process_limit_s};
    struct sitting sitting;
    struct error error = {""};
    char *text = gate_text(rows);
    file_put("rows.csv", text);
    free(text);
    put_program("base", "cat rows.csv");
    put_program("new", script);
    assert_true(sitting_make(&sitting, &options, &error));
    strcpy(sitting.terms.id, "monday");
    sitting.terms.row_limit_s = row_limit_s;
    sitting.terms.clock = (struct host_clock){now, never_interrupted};
    sitting.terms.step = step;
    if (sitting_run(&sitting, 0, 3, NULL, &error) != SITTING_DONE)
        fail_msg("%s", error.text);
    return sitting;
}

/* One that hangs in its first row, and one that takes too long in its second. */
TEST(a_program_that_is_killed_has_failed_in_the_rows_that_it_owes)
{
    for (int late = 0; late < 2; late++) {
        struct gate_rows rows = {0};
        gate_row(&rows, GATE_GPU_ROW, 0, 1e-5);
        gate_row(&rows, "matmul/z/z/hot", 0, 1e-5);
        awaited = late ? "written" : NULL;
        remove("written");
        struct sitting sitting =
            late ? run(&rows, "head -n 2 rows.csv; printf '1,matmul/z'; : >written; exec sleep 3600", 1e9, limit_s)
                 : run(&rows, "exec sleep 3600", limit_s, 0);
        const struct recording *other = &sitting.arms[1].recording;
        assert_int_equal(sitting.arms[0].recording.count, 2); /* no second round */
        assert_int_equal(other->count, 2);
        assert_string_equal(other->items[0].name, GATE_GPU_ROW);
        assert_int_equal(other->items[0].status, late ? STATUS_OK : STATUS_FAILED);
        assert_int_equal(other->items[1].status, STATUS_FAILED);
        assert_non_null(strstr(other->items[1].reason,
                               late ? "its process took longer than 0.01 s and was killed" : "its process hung"));
        sitting_free(&sitting);
    }
}

TEST(a_command_that_writes_too_much_is_ended)
{
    static char *const none[] = {NULL};
    static const char *const floods[] = {"yes", "yes >&2"};
    for (size_t i = 0; i < LENGTH(floods); i++) {
        struct gate_options options = {.arguments = {"echo name,round,seconds; echo a,0,1", floods[i]},
                                       .argument_count = 2,
                                       .runs_commands = true,
                                       .flags = none,
                                       .process_limit_s = 1e6};
        struct sitting sitting;
        struct error error = {""};
        awaited = NULL;
        assert_true(sitting_make(&sitting, &options, &error));
        sitting.terms.results_bytes_max = 1 << 16;
        sitting.terms.clock = (struct host_clock){now, never_interrupted};
        sitting.terms.step = step;
        assert_int_equal(sitting_run(&sitting, 0, 1, NULL, &error), SITTING_FAILED);
        assert_non_null(strstr(error.text, " writes more than 65536 bytes, "));
        assert_true(sitting.terms.longest_s < options.process_limit_s);
        sitting_free(&sitting);
    }
}

TEST(the_last_time_and_number_of_samples_say_when_a_program_hangs)
{
    char *const flags[] = {"--min-time=5",         "--min-time=7s", "--samples-per-row=3",
                           "--samples-per-row=11", "--filter=x",    NULL};
    struct gate_options options = {.arguments = {"program"}, .argument_count = 1, .flags = flags};
    struct sitting sitting;
    MUST(sitting_make(&sitting, &options, &error));
    assert_true(sitting.terms.row_limit_s == stopping_row_limit_s(false, 7, 11, FEASIBLE_SLOW_FLOP_LIMIT));
    sitting_free(&sitting);
}
