/* A player in a process of its own, and what a rung may do to that. The program that is started is this test itself,
 * which then plays. */
#include "bench/player/link.h"
#include "bench/run/run.h"
#include "tests/fakes/fake_run.h"
#include "tests/unit.h"

#include <limits.h>
#include <sys/resource.h>

/* The player's part. The rung "bad" is right, but for one misdeed, on the size of its rows. */

enum deed { FAULT, ABORT, KILL, TELL, END, QUIT, HANG, STOP, CLOSE, PRINT, WARN, LEAVE, COPY, FORGE, DEEDS };

static void hang(void)
{
    for (;;)
        pause();
}

static void warn(void)
{
    for (int i = 0; i < 30; i++)
        fputs("thread\n", stderr);
    fputs("test_link: said\n", stderr);
}

/* A copy that lives on as a player is asked instead of it, and prints. */
static void copy(void)
{
    static bool is_copy;
    pid_t child = is_copy ? 0 : fork();
    if (is_copy)
        printf("what a copy prints\n");
    else if (child == 0)
        is_copy = true;
    else
        waitpid(child, NULL, 0);
}

/* An answer, to whoever listens, before the true one. */
static void forge(void)
{
    const struct reply reply = {.outcome = OUTCOME_FAILED};
    for (int fd = 3; fd < 64; fd++)
        (void)!write(fd, &reply, sizeof reply);
}

static void commit(enum deed deed)
{
    volatile char *volatile nothing = (char *)(size_t)8;
    switch (deed) {
    case FAULT: *nothing = 1; break;
    case ABORT: abort();
    case KILL: raise(SIGKILL); break;
    case TELL: raise(SIGTERM); break;
    case END: exit(0);
    case QUIT: _exit(9);
    case STOP: raise(SIGSTOP); break;
    case CLOSE:
        for (int fd = 0; fd < 1024; fd++)
            close(fd);
        hang();
        break;
    case PRINT: printf("[3/9] matmul/small/right/hot\n"); break;
    case WARN: warn(); break;
    case LEAVE:
        if (fork() == 0)
            hang();
        break;
    case COPY: copy(); break;
    case FORGE: forge(); break;
    default: hang();
    }
}

/* On other sizes, if it is so much more. */
enum { IF_RAGGED = DEEDS };
static int misdeed;

static const char *bad(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    if ((p->m != FAKE_COUNTED_M) == (misdeed >= IF_RAGGED))
        commit((enum deed)(misdeed % DEEDS));
    return fake_right(problem, stream);
}

/* The same in both processes. */
enum { FIRST, BAD, LAST, OWN, RUNGS };
static struct rung rungs[RUNGS];
static struct registry registry;

static void make_registry(void)
{
    rungs[FIRST] = device_rung("first", fake_right);
    rungs[BAD] = device_rung("bad", bad);
    rungs[LAST] = device_rung("last", fake_right);
    rungs[OWN] = own_rung("own", bad);
    registry = (struct registry){entries, ENTRIES, ops, OPS, rungs, RUNGS};
}

/* Started with its misdeed, this program plays. */
static int play(int argc, char **argv)
{
    const struct run run = {&options, &registry, {0}, {fake_now, never_interrupted}};
    if (argc == 1)
        return RUN_TESTS;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    set_up(NULL);
    make_registry();
    misdeed = atoi(argv[1]);
    fake.multiprocessors = getenv("FAKE_GPU") ? 1 : 0;
    options.backend.untuned = getenv("UNTUNED");
    return run_player(&run);
}

/* The judge's part. */

static char *program;
static double open_limit_s;
static int bad_does; /* its misdeed */
static char messages[4096];

static void keep_message(const char *line)
{
    assert_true(strlen(messages) + strlen(line) + 2 < sizeof messages);
    strcat(strcat(messages, line), "\n");
}

static int interrupted(void)
{
    return interrupt_after >= 0 && (int64_t)result_count >= interrupt_after ? SIGTERM : 0;
}

static struct link *start(const struct registry *table, const struct rung *stranger, struct board *board, int fd,
                          struct error *error)
{
    static char deed[16], *programs[] = {NULL, NULL};
    static char *const flags[] = {deed, NULL};
    static struct link_settings settings;
    snprintf(deed, sizeof deed, "%d", bad_does);
    programs[0] = program;
    settings = (struct link_settings){.program = programs,
                                      .flags = flags,
                                      .open_limit_s = open_limit_s,
                                      .is_strangers = stranger != NULL,
                                      .now = host_now,
                                      .interrupted = interrupted,
                                      .message = keep_message};
    return link_start(&settings, table, board, fd, error);
}

static int set_up_processes(void **state)
{
    set_up(state);
    make_registry();
    fake_start = start;
    static char itself[] = "/proc/self/exe";
    program = itself;
    messages[0] = '\0';
    return 0;
}

/* What came of two calls. */
static struct called {
    enum outcome outcome, later; /* of the first, and of what is asked after both */
    char text[BOARD_TEXT_BYTES], left[160];
    bool has_printed;
} called;

static void call(int does, bool is_strangers, double limit_s)
{
    const struct rung *rung = &rungs[BAD];
    struct ask place = {.kind = ASK_PLACE, .workload = options.user[0].workload}, ask = {.kind = ASK_CALL},
               later = {.kind = ASK_CHANGED};
    struct reply reply;
    struct error error;
    int fd;
    struct board *board = board_make(&fd);
    bad_does = does;
    struct link *link = start(&registry, is_strangers ? rung : NULL, board, fd, &error);
    assert_non_null(link);
    assert_true(board_make_room(board, rung->op, &place.workload));
    assert_int_equal(link_ask(link, rung, &place, &reply), OUTCOME_DONE);
    link->limit_s = limit_s;
    called.outcome = link_ask(link, rung, &ask, &reply);
    snprintf(called.text, sizeof called.text, "%s", board->text);
    (void)link_ask(link, rung, &ask, &reply);
    called.later = link_ask(link, rung, &later, &reply);
    called.has_printed = link->has_printed;
    link_end(link, called.left, sizeof called.left);
    board_free(board, fd);
}

TEST(a_player_that_a_rung_ends_says_how)
{
    static const struct {
        enum deed does;
        double limit_s;
        const char *text;
    } cases[] = {{FAULT, INFINITY, "crashed: SIGSEGV at address 0x8"},
                 {ABORT, INFINITY, "crashed: SIGABRT"},
                 {KILL, INFINITY, "its process was ended by signal 9"},
                 {TELL, INFINITY, "its process was ended by signal 15"},
                 {END, INFINITY, "ended the process with exit status 0"},
                 {QUIT, INFINITY, "ended the process with exit status 9"},
                 {HANG, 0.5, "hung: it gave no answer for 0.5 s and was killed"},
                 {STOP, 0.5, "hung: it gave no answer for 0.5 s and was killed"},
                 {CLOSE, 0.5, "hung: it gave no answer for 0.5 s and was killed"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_up_processes(state);
        call(cases[i].does, false, cases[i].limit_s);
        assert_int_equal(called.outcome, OUTCOME_ENDED);
        assert_int_equal(called.later, OUTCOME_ENDED);
        if (strncmp(called.text, cases[i].text, strlen(cases[i].text)) != 0)
            fail_msg("saw '%s', expected '%s'", called.text, cases[i].text);
    }
}

TEST(what_cannot_play_has_ended_from_the_start)
{
    static struct {
        char program[16];
        const char *how;
        double open_limit_s;
    } programs[] = {{"/bin/false", "ended the process with exit status 1", 0},
                    {"/nowhere", "cannot be run", 0},
                    {"./hangs", "hung", 0.2}};
    FILE *hangs = fopen("hangs", "w");
    assert_non_null(hangs);
    fputs("#!/bin/sh\nexec sleep 1000\n", hangs);
    assert_int_equal(fclose(hangs) + chmod("hangs", 0700), 0);
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        struct error error;
        int fd;
        struct board *board = board_make(&fd);
        program = programs[i].program;
        open_limit_s = programs[i].open_limit_s;
        struct link *link = start(&registry, NULL, board, fd, &error);
        assert_true(link && link->has_ended);
        assert_non_null(strstr(link->how, programs[i].how));
        link_end(link, NULL, 0);
        board_free(board, fd);
        open_limit_s = 0;
    }
}

static int notes_of_devices(void)
{
    struct error error;
    int fd, count = 0;
    struct board *board = board_make(&fd);
    struct link *link = start(&registry, NULL, board, fd, &error);
    assert_non_null(link);
    for (size_t i = 0; i < link->devices.count; i++)
        count += link->devices.items[i].info.note_count;
    link_end(link, NULL, 0);
    board_free(board, fd);
    return count;
}

/* They are damaged, of which the device has a note. */
TEST(a_player_takes_the_constants_that_are_kept_for_its_gpu_unless_it_is_untuned)
{
    char home[PATH_MAX - 512];
    assert_int_equal(system("rm -rf home && mkdir -p home/rungbench && echo >home/rungbench/constants-"), 0);
    assert_non_null(getcwd(home, sizeof home - 8));
    setenv("XDG_CACHE_HOME", strcat(home, "/home"), 1);
    assert_int_equal(notes_of_devices(), 0);
    setenv("FAKE_GPU", "1", 1);
    assert_true(notes_of_devices() > 0);
    setenv("UNTUNED", "1", 1);
    assert_int_equal(notes_of_devices(), 0);
    unsetenv("FAKE_GPU");
    unsetenv("UNTUNED");
}

TEST(what_a_rung_prints_is_passed_on_and_not_believed)
{
    call(PRINT, false, INFINITY);
    assert_int_equal(called.outcome, OUTCOME_DONE);
    assert_true(called.has_printed);
    assert_string_equal(messages, "[3/9] matmul/small/right/hot\n[3/9] matmul/small/right/hot\n");
    call(WARN, false, INFINITY);
    assert_false(called.has_printed);
}

TEST(a_forged_answer_is_none)
{
    call(FORGE, false, INFINITY);
    assert_int_equal(called.outcome, OUTCOME_DONE);
    assert_int_equal(called.later, OUTCOME_DONE);
}

TEST(of_what_strangers_print_twenty_lines_are_passed_on)
{
    static const char *const last[] = {"test_link: what else is printed is left out\ntest_link: said\n",
                                       "thread\ntest_link: said\n"};
    for (int is_ours = 0; is_ours < 2; is_ours++) {
        set_up_processes(state);
        size_t lines = is_ours ? 62 : 23;
        call(WARN, !is_ours, INFINITY);
        for (const char *at = messages; (at = strchr(at, '\n')); at++)
            lines--;
        assert_int_equal(lines, 0);
        assert_non_null(strstr(messages, last[is_ours]));
        assert_false(called.has_printed);
    }
}

TEST(a_copy_of_the_player_answers_nothing)
{
    call(COPY, false, INFINITY);
    assert_int_equal(called.outcome, OUTCOME_DONE);
    assert_int_equal(called.later, OUTCOME_DONE);
    assert_false(called.has_printed);
    assert_string_equal(called.left, "");
}

TEST(a_process_that_is_left_behind_is_named_and_killed)
{
    long number;
    call(LEAVE, false, INFINITY);
    assert_int_equal(called.later, OUTCOME_DONE);
    assert_int_equal(sscanf(called.left, "%*[a-z_] (process %ld)", &number), 1);
    assert_int_equal(kill((pid_t)number, 0), -1);
}

/* Runs the first rung, a bad one of the table or of the user's own, and the last. */
static int judge(int does, int which)
{
    options.filter = which == OWN ? "-/bad/" : NULL;
    bad_does = does;
    return run(rungs, which == OWN ? RUNGS : OWN);
}

static void assert_only_it_fails(int which, const char *first, const char *others)
{
    size_t seen = 0;
    for (size_t i = 0; i < result_count; i++) {
        bool is_its = strcmp(results[i].variant, rungs[which].variant) == 0;
        assert_int_equal(results[i].status, is_its ? STATUS_FAILED : STATUS_OK);
        if (is_its && !strstr(results[i].reason, seen++ == 0 ? first : others))
            fail_msg("saw '%s', expected '%s', or '%s'", results[i].reason, first, others);
    }
    assert_true(seen > 0);
}

/* The rows that come next are measured by a new player, and the next round tries again. */
TEST(a_rung_that_ends_its_process_fails_alone)
{
    assert_int_equal(judge(QUIT, BAD), EXIT_RIGHT);
    assert_int_equal(result_count, 9);
    assert_only_it_fails(BAD, "ended the process with exit status 9",
                         "not run: the rung ended its process in row matmul/small/bad/cold");
    assert_int_equal(player_count, 2);
    options.rounds = facts.round_count = 2;
    assert_int_equal(judge(FAULT, BAD), EXIT_RIGHT);
    assert_int_equal(outcomes.ok, 12);
    assert_int_equal(outcomes.failed, 6);
}

TEST(so_does_one_that_ends_it_on_another_size)
{
    assert_int_equal(judge(IF_RAGGED + FAULT, BAD), EXIT_RIGHT);
    assert_only_it_fails(BAD, "crashed: SIGSEGV", "crashed: SIGSEGV");
    assert_int_equal(player_count, 2);
}

TEST(one_that_prints_fails_alone)
{
    assert_int_equal(judge(PRINT, BAD), EXIT_RIGHT);
    assert_only_it_fails(BAD, "prints to standard output", "prints to standard output");
}

/* Which rung of the table it was, nobody knows; a kernel of the user's own had the player for it alone. */
TEST(a_process_left_behind_fails_a_kernel_of_the_users_own)
{
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    assert_int_equal(judge(LEAVE, BAD), EXIT_RIGHT);
    assert_int_equal(outcomes.ok, 3);
    assert_non_null(strstr(notes, "a rung has left a process behind, which was killed: exe (process "));
    assert_int_equal(judge(LEAVE, OWN), EXIT_RIGHT);
    assert_only_it_fails(OWN, "leaves a process behind: exe (process ", "");
}

TEST(a_player_that_cannot_begin_fails_its_round)
{
    static char other[] = "/bin/false";
    program = other;
    assert_int_equal(judge(FAULT, BAD), EXIT_WRONG);
    assert_int_equal(outcomes.failed, 9);
    assert_string_equal(results[0].reason, "not reached: before the first row of its process, ended the process with "
                                           "exit status 1");
    assert_int_equal(player_count, 1);
}

TEST(an_interruption_ends_a_rung_that_hangs)
{
    interrupt_after = 3;
    assert_int_equal(judge(HANG, BAD), EXIT_RIGHT);
    assert_int_equal(result_count, 3);
    assert_int_equal(outcomes.ok, 3);
}

AROUND_EACH_TEST(set_up_processes, tear_down)
BEGIN_WITH(play)
