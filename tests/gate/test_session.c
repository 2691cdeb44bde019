/* Programs that take turns: when one hangs, and what becomes of it. */
#include "bench/gate/arms.h"
#include "bench/gate/session.h"
#include "bench/measure/stopping.h"
#include "bench/place/feasible.h"
#include "gate_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int never(void)
{
    return 0;
}

/* Hours pass from one look at the clock to the next while the new program runs; with `awaited`, once that file is
 * there. */
static bool time_flies;
static const char *awaited;

static void step(size_t turn, const char *arm)
{
    (void)turn;
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
    gate_put(path, text);
    assert_int_equal(chmod(path, 0755), 0);
}

/* Of the clock above: how often is looked depends on it. */
static const double limit_s = 0.01;

static struct session session_of(struct arm *arms, double row_limit_s, double process_limit_s)
{
    static const char *const flags[] = {NULL};
    return (struct session){.id = "monday",
                            .flags = flags,
                            .arms = arms,
                            .arm_count = 2,
                            .turns = 1,
                            .row_limit_s = row_limit_s,
                            .process_limit_s = process_limit_s,
                            .now = now,
                            .interrupted = never,
                            .step = step};
}

static void a_program_that_hangs_is_killed_and_its_rows_have_failed(void **state)
{
    (void)state;
    struct gate_rows rows = {0};
    struct arm arms[] = {{.program = "./base", .recording = {.name = "base"}},
                         {.program = "./new", .recording = {.name = "new"}}};
    struct session session = session_of(arms, limit_s, 0);
    struct error error = {""};
    gate_row(&rows, GATE_GPU_ROW, 0, 1e-5);
    char *text = gate_text(&rows);
    gate_put("rows.csv", text);
    free(text);
    put_program("base", "cat rows.csv");
    put_program("new", "exec sleep 3600");
    if (session_run(&session, 0, 3, NULL, &error) != SESSION_DONE)
        fail_msg("%s", error.text);
    assert_int_equal(arms[0].recording.count, 1); /* no second round */
    assert_int_equal(arms[1].recording.count, 1);
    assert_int_equal(arms[1].recording.items[0].status, STATUS_FAILED);
    assert_string_equal(arms[1].recording.items[0].name, GATE_GPU_ROW);
    assert_non_null(strstr(arms[1].recording.items[0].reason, "its process hung"));
    recording_free(&arms[0].recording);
    recording_free(&arms[1].recording);
}

static void a_program_that_takes_too_long_is_killed_and_its_last_rows_have_failed(void **state)
{
    (void)state;
    struct gate_rows rows = {0};
    struct arm arms[] = {{.program = "./base", .recording = {.name = "base"}},
                         {.program = "./new", .recording = {.name = "new"}}};
    struct session session = session_of(arms, 1e9, limit_s);
    struct error error = {""};
    gate_row(&rows, GATE_GPU_ROW, 0, 1e-5);
    gate_row(&rows, "matmul/z/z/hot", 0, 1e-5);
    char *text = gate_text(&rows);
    gate_put("rows.csv", text);
    free(text);
    put_program("base", "cat rows.csv");
    put_program("new", "head -n 2 rows.csv; printf '1,matmul/z'; : >written; exec sleep 3600");
    remove("written");
    awaited = "written";
    if (session_run(&session, 0, 3, NULL, &error) != SESSION_DONE)
        fail_msg("%s", error.text);
    awaited = NULL;
    assert_int_equal(arms[0].recording.count, 2); /* no second round */
    assert_int_equal(arms[1].recording.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct observation *row = &arms[1].recording.items[i];
        bool is_timed = strcmp(row->name, GATE_GPU_ROW) == 0;
        assert_int_equal(row->status, is_timed ? STATUS_OK : STATUS_FAILED);
        assert_true(is_timed || strcmp(row->reason, "its process took longer than 0.01 s and was killed") == 0);
    }
    recording_free(&arms[0].recording);
    recording_free(&arms[1].recording);
}

static void the_last_min_time_says_when_a_program_hangs(void **state)
{
    (void)state;
    char *const flags[] = {"--min-time=5", "--min-time=7s", "--filter=x", NULL};
    struct gate_options options = {.arguments = {"program"}, .argument_count = 1, .flags = flags};
    struct arms arms;
    struct error error;
    assert_true(arms_make(&options, &arms, &error));
    assert_true(arms.row_limit_s == stopping_row_limit_s(false, 7, FEASIBLE_SLOW_FLOP_LIMIT));
    arms_free(&arms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_that_hangs_is_killed_and_its_rows_have_failed),
        cmocka_unit_test(a_program_that_takes_too_long_is_killed_and_its_last_rows_have_failed),
        cmocka_unit_test(the_last_min_time_says_when_a_program_hangs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
