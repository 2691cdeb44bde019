/* Processes: what they say, how they end, and what becomes of those that hang. */
#include "bench/base/exit_status.h"
#include "bench/base/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_S = 3600 };
static int signal_number;
static char heard[256];

static int interrupted(const void *self)
{
    (void)self;
    return signal_number;
}

/* Hours pass from one look at the clock to the next, once it goes. */
static bool time_flies;
static double clock_s;

static double now(void)
{
    return time_flies ? clock_s += 2 * LIMIT_S : clock_s;
}

static int set_up(void **state)
{
    (void)state;
    signal_number = 0;
    time_flies = false;
    heard[0] = '\0';
    return 0;
}

static struct process shell(char *const argv[4])
{
    return (struct process){
        .program = "sh", .argv = argv, .interrupted = interrupted, .silence_s = LIMIT_S, .now = now};
}

static struct process_end run_shell(const char *script, struct process *changed)
{
    char *const argv[] = {"sh", "-c", (char *)(size_t)script, NULL};
    struct process process = shell(argv);
    struct process_end end;
    struct error error = {""};
    if (changed) {
        changed->program = process.program;
        changed->argv = argv;
        changed->interrupted = interrupted;
        changed->silence_s = LIMIT_S;
        changed->now = now;
        process = *changed;
    }
    if (!process_run(&process, &end, &error))
        fail_msg("%s", error.text);
    return end;
}

static void what_it_says_and_how_it_ends_comes_back(void **state)
{
    (void)state;
    struct process_end end = run_shell("echo out; echo err >&2; echo extra >&3; exit 7", NULL);
    assert_string_equal(end.text[PROCESS_OUT], "out\n");
    assert_string_equal(end.text[PROCESS_ERR], "err\n");
    assert_string_equal(end.text[PROCESS_EXTRA], "extra\n");
    assert_int_equal(end.bytes[PROCESS_EXTRA], 6);
    assert_int_equal(end.status, 7);
    assert_string_equal(end.how, "ended with exit status 7");
    assert_false(end.hung);
    process_end_free(&end);
}

static void more_than_a_pipe_holds_comes_back(void **state)
{
    (void)state;
    struct process_end end = run_shell("head -c 3000000 /dev/zero | tr '\\0' x >&3; head -c 300000 /dev/zero", NULL);
    assert_int_equal(end.bytes[PROCESS_EXTRA], 3000000);
    assert_int_equal(end.text[PROCESS_EXTRA][2999999], 'x');
    assert_int_equal(end.bytes[PROCESS_OUT], 300000);
    process_end_free(&end);
}

static void a_crash_is_told_from_an_exit(void **state)
{
    (void)state;
    struct process_end end = run_shell("kill -SEGV $$", NULL);
    assert_int_equal(end.status, EXIT_SIGNAL_BASE + SIGSEGV);
    assert_non_null(strstr(end.how, "signal 11"));
    assert_false(end.hung);
    process_end_free(&end);
}

/* Takes whole lines. */
static size_t take_lines(void *self, const char *text, size_t bytes)
{
    (void)self;
    size_t taken = bytes;
    while (taken > 0 && text[taken - 1] != '\n')
        taken--;
    strncat(heard, text, taken);
    return taken;
}

static void what_is_not_taken_is_offered_again(void **state)
{
    (void)state;
    struct process process = {.take = {[PROCESS_OUT] = take_lines}};
    struct process_end end = run_shell("printf one; printf 'two\\nthree\\nfour'", &process);
    assert_string_equal(heard, "onetwo\nthree\n");
    assert_string_equal(end.text[PROCESS_OUT], "four");
    process_end_free(&end);
}

static size_t take_and_let_time_pass(void *self, const char *text, size_t bytes)
{
    time_flies = true;
    return take_lines(self, text, bytes);
}

static void a_process_that_says_nothing_is_killed(void **state)
{
    (void)state;
    struct process process = {.take = {[PROCESS_OUT] = take_and_let_time_pass}};
    struct process_end end = run_shell("trap '' INT TERM; echo begun; exec sleep 3600", &process);
    assert_true(end.hung);
    assert_string_equal(heard, "begun\n");
    assert_int_equal(end.status, EXIT_SIGNAL_BASE + SIGKILL);
    assert_non_null(strstr(end.how, "hung"));
    process_end_free(&end);
}

static size_t take_and_interrupt(void *self, const char *text, size_t bytes)
{
    signal_number = SIGTERM;
    return take_lines(self, text, bytes);
}

static void an_interruption_is_passed_on(void **state)
{
    (void)state;
    struct process process = {.take = {[PROCESS_OUT] = take_and_interrupt}};
    struct process_end end =
        run_shell("tail -f /dev/null & trap 'kill $!; echo heard it; exit 143' TERM; echo begun; wait", &process);
    assert_string_equal(heard, "begun\nheard it\n");
    assert_int_equal(end.status, EXIT_SIGNAL_BASE + SIGTERM);
    process_end_free(&end);
}

static void what_cannot_be_run_is_said(void **state)
{
    (void)state;
    char *const argv[] = {"none", NULL};
    struct process process = {
        .program = "./not-there", .argv = argv, .interrupted = interrupted, .silence_s = 1, .now = now};
    struct process_end end;
    struct error error;
    assert_false(process_run(&process, &end, &error));
    assert_string_equal(error.text, "./not-there: cannot be run (No such file or directory)");
}

static void the_last_line_is_the_last_that_is_not_empty(void **state)
{
    (void)state;
    static const char *const texts[][2] = {{"a\nb\n", "b"}, {"a\nb", "b"}, {"a\n\n\n", "a"},
                                           {"", ""},        {"\n", ""},    {"long line", "long li"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char line[8];
        process_last_line(texts[i][0], line, sizeof line);
        assert_string_equal(line, texts[i][1]);
    }
    char line[8];
    process_last_line(NULL, line, sizeof line);
    assert_string_equal(line, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_it_says_and_how_it_ends_comes_back, set_up),
        cmocka_unit_test_setup(more_than_a_pipe_holds_comes_back, set_up),
        cmocka_unit_test_setup(a_crash_is_told_from_an_exit, set_up),
        cmocka_unit_test_setup(what_is_not_taken_is_offered_again, set_up),
        cmocka_unit_test_setup(a_process_that_says_nothing_is_killed, set_up),
        cmocka_unit_test_setup(an_interruption_is_passed_on, set_up),
        cmocka_unit_test_setup(what_cannot_be_run_is_said, set_up),
        cmocka_unit_test_setup(the_last_line_is_the_last_that_is_not_empty, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
