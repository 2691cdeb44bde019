/* Processes: what they say, how they end, and what becomes of those that hang. */
#include "bench/base/interrupt.h"
#include "bench/base/process.h"
#include "tests/unit.h"

#include <sys/prctl.h>

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
    alarm(300); /* one that waits for ever has failed */
    signal_number = 0;
    time_flies = false;
    heard[0] = '\0';
    looks = 0;
    return 0;
}

AROUND_EACH_TEST(set_up, NULL)

static struct process_end run_program(const char *program, char *const *argv, struct process process)
{
    struct process_end end;
    process.program = program;
    process.argv = argv;
    process.interrupted = process.interrupted ? process.interrupted : interrupted;
    process.silence_s = process.silence_s ? process.silence_s : &limit_s;
    process.now = process.now ? process.now : now;
    MUST(process_run(&process, &end, &error));
    return end;
}

static struct process_end run_shell(const char *script, struct process process)
{
    return run_program("sh", (char *[]){"sh", "-c", (char *)(size_t)script, NULL}, process);
}

static const struct process plain;

TEST(what_it_says_and_how_it_ends_comes_back)
{
    struct process_end end = run_shell("echo out; echo err >&2; echo extra >&3; exit 7", plain);
    assert_string_equal(end.text[PROCESS_OUT], "out\n");
    assert_string_equal(end.text[PROCESS_ERR], "err\n");
    assert_string_equal(end.text[PROCESS_EXTRA], "extra\n");
    assert_int_equal(end.bytes[PROCESS_EXTRA], 6);
    assert_int_equal(end.status, 7);
    assert_string_equal(end.how, "ended with exit status 7");
    assert_false(end.hung);
    process_end_free(&end);
}

TEST(more_than_a_pipe_holds_comes_back)
{
    struct process_end end = run_shell("head -c 3000000 /dev/zero | tr '\\0' x >&3; head -c 300000 /dev/zero", plain);
    assert_int_equal(end.bytes[PROCESS_EXTRA], 3000000);
    assert_int_equal(end.text[PROCESS_EXTRA][2999999], 'x');
    assert_int_equal(end.bytes[PROCESS_OUT], 300000);
    process_end_free(&end);
}

/* What happens when it is heard: lines are taken, all or one at a time, else all that there is; a signal comes; and
 * time flies. */
enum { TAKES_LINES = 1, TAKES_A_LINE = 2, IS_INTERRUPTED = 4, LETS_TIME_PASS = 8 };
static int listening;

static size_t take(void *self, const char *text, size_t bytes)
{
    const char *first = memchr(text, '\n', bytes);
    size_t taken = bytes;
    signal_number = listening & IS_INTERRUPTED ? SIGTERM : signal_number;
    time_flies = time_flies || (listening & LETS_TIME_PASS);
    if (!(listening & (TAKES_LINES | TAKES_A_LINE)))
        return bytes;
    while (taken > 0 && text[taken - 1] != '\n')
        taken--;
    if ((listening & TAKES_A_LINE) && first)
        taken = (size_t)(first + 1 - text);
    const size_t space = sizeof heard - 1 - strlen(heard); /* some write for ever */
    strncat(heard, text, taken < space ? taken : space);
    return taken;
}

/* SIGTERM as soon as the process that has said its number is stopped. */
static int interrupted_once_it_is_stopped(void)
{
    siginfo_t info = {0};
    bool stopped = heard[0] != '\0' && waitid(P_PID, (id_t)atoi(heard), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0;
    return stopped && info.si_pid != 0 ? SIGTERM : 0;
}

/* On a busy machine the shell may be silent for some looks. */
static const double no_limit_s = 1e9;

TEST(processes_are_heard_and_those_that_hang_are_killed)
{
    enum { KILLED = EXIT_SIGNAL_BASE + SIGKILL, ENDED = EXIT_SIGNAL_BASE + SIGTERM };
    static const struct {
        const char *what, *script;
        int listening;
        const char *heard, *left; /* what was taken of its output, and was not; NULL: any, of one that talks on */
        int status;
        const char *how;
        bool hung;
        double limit_s;
        int (*interrupted)(void);
    } cases[] = {
        {"a crash is told from an exit", "kill -SEGV $$", 0, "", "", EXIT_SIGNAL_BASE + SIGSEGV, .how = "signal 11"},
        {"its input is empty", "cat; [ ! -t 0 ]", 0, "", "", .status = 0},
        {"what is not taken is offered again", "printf one; printf 'two\\nthree\\nfour'", TAKES_LINES,
         "onetwo\nthree\n", "four", .status = 0},
        {"all that came is offered before it is killed", "printf 'one\ntwo\nthree'; exec sleep 3600",
         TAKES_A_LINE | LETS_TIME_PASS, "one\ntwo\n", "three", KILLED, .hung = true},
        {"it says nothing", "trap '' INT TERM; echo begun; exec sleep 3600", TAKES_LINES | LETS_TIME_PASS, "begun\n",
         "", KILLED, "hung", .hung = true},
        {"it has closed its streams", "echo begun; exec >&- 2>&- 3>&-; exec sleep 3600", TAKES_LINES | LETS_TIME_PASS,
         "begun\n", "", KILLED, .hung = true},
        {"an interruption is passed on",
         "tail -f /dev/null & trap 'kill $!; echo heard it; exit 143' TERM; echo begun; wait",
         TAKES_LINES | IS_INTERRUPTED, "begun\nheard it\n", "", .status = ENDED},
        {"a stopped process is interrupted too", "echo $$; kill -STOP $$; exec sleep 3600", TAKES_LINES, NULL, "",
         ENDED, .interrupted = interrupted_once_it_is_stopped},
        {"it ignores the signal", "trap '' TERM; echo begun; while :; do echo on; done",
         IS_INTERRUPTED | LETS_TIME_PASS, "", NULL, .status = KILLED},
        {"it takes too long, although it talks", "while :; do echo on; done", LETS_TIME_PASS, "", NULL, KILLED,
         "took longer than 0.05 s and was killed", .limit_s = 0.05},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_up(state);
        listening = cases[i].listening;
        struct process_end end =
            run_shell(cases[i].script, (struct process){.take = {[PROCESS_OUT] = take},
                                                        .interrupted = cases[i].interrupted,
                                                        .limit_s = cases[i].limit_s,
                                                        .silence_s = cases[i].left ? NULL : &no_limit_s});
        if (end.hung != cases[i].hung || end.status != cases[i].status || end.overran != (cases[i].limit_s > 0))
            fail_msg("%s: hung %d, status %d, %s", cases[i].what, end.hung, end.status, end.how);
        if (cases[i].how)
            assert_non_null(strstr(end.how, cases[i].how));
        if (cases[i].heard)
            assert_string_equal(heard, cases[i].heard);
        if (cases[i].left)
            assert_string_equal(end.text[PROCESS_OUT], cases[i].left);
        process_end_free(&end);
    }
}

TEST(noise_is_no_answer)
{
    listening = LETS_TIME_PASS;
    struct process process = {.take = {[PROCESS_OUT] = take}, .is_asked = true, .memory = dup(0)};
    struct process_end end = run_shell("echo begun; while :; do echo noise; echo noise >&2; done", process);
    close(process.memory);
    assert_true(end.hung);
    process_end_free(&end);
}

/* Hours pass at once, as they do where this process is stopped for a while; then the child goes on. */
static double now_after_a_stop(void)
{
    if (heard[0] != '\0' && ++looks == 2) {
        clock_s += 7200;
        file_put("goes-on", "");
    }
    return clock_s;
}

TEST(a_stop_of_both_processes_is_no_hang)
{
    remove("goes-on");
    listening = TAKES_LINES;
    struct process process = {.take = {[PROCESS_OUT] = take}, .now = now_after_a_stop};
    struct process_end end = run_shell("echo begun; until [ -e goes-on ]; do :; done; echo ended", process);
    assert_false(end.hung);
    assert_string_equal(heard, "begun\nended\n");
    process_end_free(&end);
}

TEST(what_a_process_leaves_behind_is_not_waited_for)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* what it leaves becomes a child of this process */
    struct process_end end = run_shell("sleep 60 & echo $!; exit 3", plain);
    int left = atoi(end.text[PROCESS_OUT]);
    assert_int_equal(waitpid(left, NULL, WNOHANG), 0); /* it has not ended */
    kill(left, SIGKILL);
    assert_int_equal(waitpid(left, NULL, 0), left);
    assert_false(end.hung);
    assert_int_equal(end.status, 3);
    process_end_free(&end);
}

static void nothing_to_rescue(void)
{
}

/* The child has the handlers of its parent until it is another program. */
TEST(an_interruption_is_not_lost_while_a_process_begins)
{
    interrupt_install(nothing_to_rescue);
    for (int i = 0; i < 5; i++) {
        signal_number = SIGTERM;
        struct process_end end = run_shell("exec sleep 3600", plain);
        assert_int_equal(end.signal, SIGTERM);
        process_end_free(&end);
    }
    interrupt_drop();
}

TEST(what_cannot_be_run_is_said)
{
    char *const argv[] = {"none", NULL};
    struct process process = {
        .program = "./not-there", .argv = argv, .interrupted = interrupted, .silence_s = &limit_s, .now = now};
    struct process_end end;
    struct error error;
    assert_false(process_run(&process, &end, &error));
    assert_string_equal(error.text, "./not-there: cannot be run (No such file or directory)");
}

TEST(the_last_line_is_the_last_that_is_not_empty)
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
