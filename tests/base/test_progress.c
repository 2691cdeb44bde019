/* The progress line where stderr is no terminal, as in the log of a CI job. */
#include "bench/base/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int kept_stderr;

static int take_stderr(void **state)
{
    (void)state;
    fflush(stderr);
    kept_stderr = dup(STDERR_FILENO);
    int file = open("stderr.txt", O_RDWR | O_CREAT | O_TRUNC, 0666);
    return kept_stderr < 0 || dup2(file, STDERR_FILENO) < 0 || close(file) != 0;
}

static int give_stderr_back(void **state)
{
    (void)state;
    return dup2(kept_stderr, STDERR_FILENO) < 0 || close(kept_stderr) != 0;
}

static void assert_written(const char *expected)
{
    char text[1024] = "";
    fflush(stderr);
    FILE *file = fopen("stderr.txt", "rb");
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[bytes] = '\0';
    assert_string_equal(text, expected);
}

/* 40 steps of `step_s` seconds, as a session of the gate makes them. */
static void run_steps(enum choice wanted, double step_s)
{
    struct progress progress = progress_make(wanted, 40, 1000);
    progress_log_minutes(&progress, wanted, "processes");
    for (size_t done = 0; done < 40; done++)
        progress_step(&progress, done, done % 2 ? "base" : "new", 1000 + step_s * (double)done);
    progress_clear(&progress);
}

static void a_log_gets_one_plain_line_per_minute(void **state)
{
    (void)state;
    run_steps(CHOICE_AUTO, 4);
    assert_written("15 of at most 40 processes, about 2 min left\n"
                   "30 of at most 40 processes, about 40 s left\n");
}

static void steps_longer_than_a_minute_have_a_line_each(void **state)
{
    (void)state;
    struct progress progress = progress_make(CHOICE_AUTO, 4, 0);
    progress_log_minutes(&progress, CHOICE_AUTO, "processes");
    for (size_t done = 0; done < 3; done++)
        progress_step(&progress, done, "base", 100 * (double)done);
    assert_written("1 of at most 4 processes, about 5 min left\n"
                   "2 of at most 4 processes, about 3 min left\n");
}

static void a_run_of_less_than_a_minute_says_nothing(void **state)
{
    (void)state;
    run_steps(CHOICE_AUTO, 1.5);
    assert_written("");
}

static void off_is_off(void **state)
{
    (void)state;
    run_steps(CHOICE_OFF, 4);
    assert_written("");
}

static void on_has_a_line_for_each_step(void **state)
{
    (void)state;
    struct progress progress = progress_make(CHOICE_ON, 2, 0);
    progress_log_minutes(&progress, CHOICE_ON, "processes");
    progress_step(&progress, 0, "process 1 of base", 0);
    progress_step(&progress, 1, "process 1 of new", 4);
    assert_written("[1/2] process 1 of base\n[2/2] process 1 of new, about 4 s left\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, take_stderr, give_stderr_back)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_log_gets_one_plain_line_per_minute),
        TEST(steps_longer_than_a_minute_have_a_line_each),
        TEST(a_run_of_less_than_a_minute_says_nothing),
        TEST(off_is_off),
        TEST(on_has_a_line_for_each_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
