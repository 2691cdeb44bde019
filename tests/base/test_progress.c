/* The progress line where stderr is no terminal, as in the log of a CI job. */
#include "bench/base/progress.h"
#include "tests/unit.h"

static int kept_stderr;

static int take_stderr(void **state)
{
    kept_stderr = stream_redirect(stderr, "stderr.txt");
    return 0;
}

static int give_stderr_back(void **state)
{
    stream_restore(stderr, kept_stderr);
    return 0;
}

static void assert_written(const char *expected)
{
    char text[1024];
    fflush(stderr);
    file_get("stderr.txt", text, sizeof text);
    assert_string_equal(text, expected);
}

/* As a sitting of the gate makes its steps. */
static void run_steps(enum choice wanted, size_t steps, double step_s)
{
    progress_begin(wanted, steps, true, 1000);
    for (size_t done = 0; done < steps; done++)
        progress_step(done, done % 2 ? "base" : "new", 1000 + step_s * (double)done);
    progress_clear();
}

TEST(a_log_gets_a_plain_line_per_minute_at_most)
{
    run_steps(CHOICE_AUTO, 40, 1.5); /* less than a minute */
    run_steps(CHOICE_OFF, 40, 4);
    assert_written("");
    run_steps(CHOICE_AUTO, 40, 4);
    run_steps(CHOICE_AUTO, 3, 100);
    assert_written("[16/40] base, about 2 min left\n"
                   "[31/40] new, about 40 s left\n"
                   "[2/3] base, about 3 min left\n"
                   "[3/3] new, about 2 min left\n");
}

TEST(on_has_a_line_for_each_step)
{
    run_steps(CHOICE_ON, 2, 4);
    assert_written("[1/2] new\n[2/2] base, about 4 s left\n");
}

TEST(the_first_of_many_steps_foretell_nothing)
{
    static const char start[] = "[1/30] new\n[2/30] base\n[3/30] new, about 2 min left\n";
    char text[2048];
    run_steps(CHOICE_ON, 30, 4);
    fflush(stderr);
    file_get("stderr.txt", text, sizeof text);
    assert_int_equal(strncmp(text, start, sizeof start - 1), 0);
}

AROUND_EACH_TEST(take_stderr, give_stderr_back)
