/* Processes: what they say, how they end, and what becomes of those that hang. */
#include "bench/base/interrupt.h"
#include "bench/base/process.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const double limit_s = 0.01; /* of the clock below: how often is looked depends on it */
static int signal_number;
static char heard[256];
static int looks;

static int interrupted(void)
{
    return signal_number;
}

/* Hours pass from one look at the clock to the next, once it goes. */
static bool time_flies;
static double clock_s;

static double now(void)
{
    return time_flies ? clock_s += 2 * limit_s : clock_s;
}

static int set_up(void **state)
{
    signal_number = 0;
    time_flies = false;
    heard[0] = '\0';
    looks = 0;
    return 0;
}

static struct process shell(char *const argv[4])
{
    return (struct process){
        .program = "sh", .argv = argv, .interrupted = interrupted, .silence_s = &limit_s, .now = now};
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
        changed->interrupted = changed->interrupted ? changed->interrupted : interrupted;
        changed->silence_s = changed->silence_s ? changed->silence_s : &limit_s;
        changed->now = changed->now ? changed->now : now;
        process = *changed;
    }
    if (!process_run(&process, &end, &error))
        fail_msg("%s", error.text);
    return end;
}

static void what_it_says_and_how_it_ends_comes_back(void **state)
{
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
    struct process_end end = run_shell("head -c 3000000 /dev/zero | tr '\\0' x >&3; head -c 300000 /dev/zero", NULL);
    assert_int_equal(end.bytes[PROCESS_EXTRA], 3000000);
    assert_int_equal(end.text[PROCESS_EXTRA][2999999], 'x');
    assert_int_equal(end.bytes[PROCESS_OUT], 300000);
    process_end_free(&end);
}

static void a_crash_is_told_from_an_exit(void **state)
{
    struct process_end end = run_shell("kill -SEGV $$", NULL);
    assert_int_equal(end.status, EXIT_SIGNAL_BASE + SIGSEGV);
    assert_non_null(strstr(end.how, "signal 11"));
    assert_false(end.hung);
    process_end_free(&end);
}

/* Takes whole lines. */
static size_t take_lines(void *self, const char *text, size_t bytes)
{
    size_t taken = bytes;
    while (taken > 0 && text[taken - 1] != '\n')
        taken--;
    const size_t space = sizeof heard - 1 - strlen(heard); /* some write for ever */
    strncat(heard, text, taken < space ? taken : space);
    return taken;
}

static void what_is_not_taken_is_offered_again(void **state)
{
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

static size_t take_a_line(void *self, const char *text, size_t bytes)
{
    const char *end = memchr(text, '\n', bytes);
    size_t taken = end ? (size_t)(end + 1 - text) : 0;
    strncat(heard, text, taken);
    time_flies = true;
    return taken;
}

static void all_that_came_is_offered_before_the_process_is_killed(void **state)
{
    struct process process = {.take = {[PROCESS_OUT] = take_a_line}};
    struct process_end end = run_shell("printf 'one\ntwo\nthree'; exec sleep 3600", &process);
    assert_true(end.hung);
    assert_string_equal(heard, "one\ntwo\n");
    assert_string_equal(end.text[PROCESS_OUT], "three");
    process_end_free(&end);
}

static void a_process_that_says_nothing_is_killed(void **state)
{
    struct process process = {.take = {[PROCESS_OUT] = take_and_let_time_pass}};
    struct process_end end = run_shell("trap '' INT TERM; echo begun; exec sleep 3600", &process);
    assert_true(end.hung);
    assert_string_equal(heard, "begun\n");
    assert_int_equal(end.status, EXIT_SIGNAL_BASE + SIGKILL);
    assert_non_null(strstr(end.how, "hung"));
    process_end_free(&end);
}

/* Hours pass at once, as they do where this process is stopped for a while; then the child goes on. */
static double now_after_a_stop(void)
{
    if (heard[0] != '\0' && ++looks == 2) {
        clock_s += 7200;
        fclose(fopen("goes-on", "w"));
    }
    return clock_s;
}

static void a_stop_of_both_processes_is_no_hang(void **state)
{
    remove("goes-on");
    struct process process = {.take = {[PROCESS_OUT] = take_lines}, .now = now_after_a_stop};
    struct process_end end = run_shell("echo begun; until [ -e goes-on ]; do :; done; echo ended", &process);
    assert_false(end.hung);
    assert_string_equal(heard, "begun\nended\n");
    process_end_free(&end);
}

static void what_a_process_leaves_behind_is_not_waited_for(void **state)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* what it leaves becomes a child of this process */
    struct process_end end = run_shell("sleep 60 & echo $!; exit 3", NULL);
    int left = atoi(end.text[PROCESS_OUT]);
    assert_int_equal(waitpid(left, NULL, WNOHANG), 0); /* it has not ended */
    kill(left, SIGKILL);
    assert_int_equal(waitpid(left, NULL, 0), left);
    assert_false(end.hung);
    assert_int_equal(end.status, 3);
    process_end_free(&end);
}

static size_t take_and_interrupt(void *self, const char *text, size_t bytes)
{
    signal_number = SIGTERM;
    return take_lines(self, text, bytes);
}

static void an_interruption_is_passed_on(void **state)
{
    struct process process = {.take = {[PROCESS_OUT] = take_and_interrupt}};
    struct process_end end =
        run_shell("tail -f /dev/null & trap 'kill $!; echo heard it; exit 143' TERM; echo begun; wait", &process);
    assert_string_equal(heard, "begun\nheard it\n");
    assert_int_equal(end.status, EXIT_SIGNAL_BASE + SIGTERM);
    process_end_free(&end);
}

static void nothing_to_rescue(void)
{
}

/* The child has the handlers of its parent until it is another program. */
static void an_interruption_is_not_lost_while_a_process_begins(void **state)
{
    interrupt_install(nothing_to_rescue);
    for (int i = 0; i < 5; i++) {
        signal_number = SIGTERM;
        struct process_end end = run_shell("exec sleep 3600", NULL);
        assert_int_equal(end.signal, SIGTERM);
        process_end_free(&end);
    }
    interrupt_drop();
}

/* SIGTERM as soon as the process that has said its number is stopped. */
static int interrupted_once_it_is_stopped(void)
{
    siginfo_t info = {0};
    bool stopped = heard[0] != '\0' && waitid(P_PID, (id_t)atoi(heard), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0;
    return stopped && info.si_pid != 0 ? SIGTERM : 0;
}

static void a_stopped_process_is_interrupted_too(void **state)
{
    struct process process = {.take = {[PROCESS_OUT] = take_lines}, .interrupted = interrupted_once_it_is_stopped};
    struct process_end end = run_shell("echo $$; kill -STOP $$; exec sleep 3600", &process);
    assert_int_equal(end.status, EXIT_SIGNAL_BASE + SIGTERM);
    assert_false(end.hung);
    process_end_free(&end);
}

/* It has closed its streams, and goes on. */
static void a_process_that_closes_its_streams_is_killed_too(void **state)
{
    struct process process = {.take = {[PROCESS_OUT] = take_and_let_time_pass}};
    struct process_end end = run_shell("echo begun; exec >&- 2>&- 3>&-; exec sleep 3600", &process);
    assert_true(end.hung);
    process_end_free(&end);
}

static void noise_is_no_answer(void **state)
{
    struct process process = {.take = {[PROCESS_OUT] = take_and_let_time_pass}, .is_asked = true, .memory = dup(0)};
    struct process_end end = run_shell("echo begun; while :; do echo noise; echo noise >&2; done", &process);
    close(process.memory);
    assert_true(end.hung);
    process_end_free(&end);
}

static size_t take_interrupt_and_let_time_pass(void *self, const char *text, size_t bytes)
{
    signal_number = SIGTERM;
    time_flies = true;
    return bytes;
}

/* On a busy machine the shell may be silent for some looks. */
static const double no_limit_s = 1e9;

static void a_process_that_ignores_the_signal_is_killed(void **state)
{
    struct process process = {.take = {[PROCESS_OUT] = take_interrupt_and_let_time_pass}, .silence_s = &no_limit_s};
    struct process_end end = run_shell("trap '' TERM; echo begun; while :; do echo on; done", &process);
    assert_int_equal(end.signal, SIGKILL);
    assert_false(end.hung);
    process_end_free(&end);
}

static size_t take_all_and_let_time_pass(void *self, const char *text, size_t bytes)
{
    time_flies = true;
    return bytes;
}

static void a_process_that_takes_too_long_is_killed_although_it_talks(void **state)
{
    struct process process = {
        .take = {[PROCESS_OUT] = take_all_and_let_time_pass}, .silence_s = &no_limit_s, .limit_s = 0.05};
    struct process_end end = run_shell("while :; do echo on; done", &process);
    assert_true(end.overran);
    assert_false(end.hung);
    assert_int_equal(end.signal, SIGKILL);
    assert_string_equal(end.how, "took longer than 0.05 s and was killed");
    process_end_free(&end);
}

static void *sleep_on(void *unused)
{
    sleep(3600);
    return unused;
}

static void end_main_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, sleep_on, NULL);
    pthread_exit(NULL);
}

static void a_process_without_its_main_thread_is_killed(void **state)
{
    char *const argv[4] = {"test_process", "end"};
    struct process process = shell(argv);
    struct process_end end;
    struct error error;
    process.program = "/proc/self/exe";
    assert_true(process_run(&process, &end, &error));
    assert_string_equal(end.how, "lost its main thread and was killed");
    assert_false(end.hung);
    process_end_free(&end);
}

/* Ends the process by a signal, long after its main thread and when it is told to. */
static pthread_t main_thread;
static int told_fd;

static void *outlive_main_thread(void *unused)
{
    char byte;
    pthread_join(main_thread, NULL);
    if (write(STDOUT_FILENO, "alone", 5) == 5 && read(told_fd, &byte, 1) == 1)
        raise(SIGKILL);
    return unused;
}

static void leave_to_another_thread(const char *fd)
{
    pthread_t thread;
    main_thread = pthread_self();
    told_fd = atoi(fd);
    pthread_create(&thread, NULL, outlive_main_thread, NULL);
    pthread_exit(NULL);
}

static const double a_second_between_looks_s = 4;

static bool is_alone;
static int tell_fd;

static size_t hear_that_it_is_alone(void *self, const char *text, size_t bytes)
{
    is_alone = true;
    return bytes;
}

/* Tells it when there has been a look at it. */
static int tell_after_a_look(void)
{
    looks += is_alone;
    if (looks == 2)
        assert_int_equal(write(tell_fd, "", 1), 1);
    return 0;
}

static void threads_that_end_one_by_one_are_waited_for(void **state)
{
    int ends[2];
    char fd[16];
    assert_int_equal(pipe(ends), 0);
    int high = fcntl(ends[0], F_DUPFD, 10); /* above those that the process gets */
    snprintf(fd, sizeof fd, "%d", high);
    tell_fd = ends[1];
    char *const argv[4] = {"test_process", "leave", fd};
    struct process process = shell(argv);
    struct process_end end;
    struct error error;
    process.program = "/proc/self/exe";
    process.silence_s = &a_second_between_looks_s;
    process.interrupted = tell_after_a_look;
    process.take[PROCESS_OUT] = hear_that_it_is_alone;
    assert_true(process_run(&process, &end, &error));
    assert_true(is_alone);
    assert_string_equal(end.how, "was ended by signal 9 (Killed)");
    process_end_free(&end);
    close(high);
    close(ends[0]);
    close(ends[1]);
}

static void its_input_is_empty(void **state)
{
    struct process_end end = run_shell("cat; [ ! -t 0 ]", NULL);
    assert_int_equal(end.status, 0);
    assert_int_equal(end.bytes[PROCESS_OUT], 0);
    process_end_free(&end);
}

static void what_cannot_be_run_is_said(void **state)
{
    char *const argv[] = {"none", NULL};
    struct process process = {
        .program = "./not-there", .argv = argv, .interrupted = interrupted, .silence_s = &limit_s, .now = now};
    struct process_end end;
    struct error error;
    assert_false(process_run(&process, &end, &error));
    assert_string_equal(error.text, "./not-there: cannot be run (No such file or directory)");
}

static void the_last_line_is_the_last_that_is_not_empty(void **state)
{
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_it_says_and_how_it_ends_comes_back, set_up),
        cmocka_unit_test_setup(more_than_a_pipe_holds_comes_back, set_up),
        cmocka_unit_test_setup(a_crash_is_told_from_an_exit, set_up),
        cmocka_unit_test_setup(what_is_not_taken_is_offered_again, set_up),
        cmocka_unit_test_setup(all_that_came_is_offered_before_the_process_is_killed, set_up),
        cmocka_unit_test_setup(a_process_that_says_nothing_is_killed, set_up),
        cmocka_unit_test_setup(a_stop_of_both_processes_is_no_hang, set_up),
        cmocka_unit_test_setup(what_a_process_leaves_behind_is_not_waited_for, set_up),
        cmocka_unit_test_setup(an_interruption_is_passed_on, set_up),
        cmocka_unit_test_setup(an_interruption_is_not_lost_while_a_process_begins, set_up),
        cmocka_unit_test_setup(a_stopped_process_is_interrupted_too, set_up),
        cmocka_unit_test_setup(a_process_that_closes_its_streams_is_killed_too, set_up),
        cmocka_unit_test_setup(noise_is_no_answer, set_up),
        cmocka_unit_test_setup(a_process_that_ignores_the_signal_is_killed, set_up),
        cmocka_unit_test_setup(a_process_that_takes_too_long_is_killed_although_it_talks, set_up),
        cmocka_unit_test_setup(its_input_is_empty, set_up),
        cmocka_unit_test_setup(a_process_without_its_main_thread_is_killed, set_up),
        cmocka_unit_test_setup(threads_that_end_one_by_one_are_waited_for, set_up),
        cmocka_unit_test_setup(what_cannot_be_run_is_said, set_up),
        cmocka_unit_test_setup(the_last_line_is_the_last_that_is_not_empty, set_up),
    };
    if (argc > 2)
        leave_to_another_thread(argv[2]);
    if (argc > 1)
        end_main_thread();
    alarm(300); /* one that waits for ever has failed */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
