/* Workers: what comes back from them, and what those leave that a rung ends. The program that the supervisor runs is
 * this test itself, which then plays the part that its first argument names. */
#include "bench/base/crash.h"
#include "bench/base/exit_status.h"
#include "bench/base/own_process.h"
#include "bench/base/standard_streams.h"
#include "bench/measure/stopping.h"
#include "bench/run/channel.h"
#include "bench/run/row_result.h"
#include "bench/run/supervisor.h"
#include "bench/select/shuffle.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Three workloads, four rungs, two modes. */
static const struct workload workloads[] = {{"a", {10, 20, 30}, 0}, {"b", {40, 50, 60}, 0}, {"c", {70, 80, 90}, 0}};
static const char *load(const struct rung *rung)
{
    (void)rung;
    return NULL;
}

static const struct rung rungs[] = {{.variant = "v", .op = &matmul_op, .backend = &fake_entry, .traits = RUNG_BASELINE},
                                    {.variant = "w", .op = &matmul_op, .backend = &fake_entry},
                                    {.variant = "x", .op = &matmul_op, .backend = &fake_entry},
                                    {.variant = "y", .op = &matmul_op, .backend = &fake_entry, .load = load}};
static const struct registry registry = {.backends = &fake_entry, .backend_count = 1, .rungs = rungs, .rung_count = 4};
enum { WORKLOADS = 3, RUNGS = 4, MODES = 2, ROWS = WORKLOADS * RUNGS * MODES, OWN_ROW = 6 };
static struct row rows[ROWS];
static struct selection selection;
static struct run_facts facts;

static void make_selection(void)
{
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = (struct row){.workload = &workloads[i / (RUNGS * MODES)],
                               .rung = &rungs[i / MODES % RUNGS],
                               .mode = i % MODES ? &mode_hot : &mode_cold};
    selection = (struct selection){rows, ROWS};
    facts =
        (struct run_facts){.git_revision = "r", .timestamp = "now", .session = "monday", .seed = 42, .round_count = 3};
}

/* The part of a worker. */

enum { LAST = -1, BEFORE = -2 };

static struct part {
    const char *name;
    int round, row; /* when the part begins; LAST: behind the last row, BEFORE: before the first */
} part;

static void close_all_and_wait(void)
{
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    for (;;)
        pause();
}

/* The copy says that it has measured rows, as the worker does. */
static void leave_a_copy(void)
{
    struct error error;
    pid_t copy = fork();
    if (copy == 0) {
        struct result result = row_result(&rows[ROWS - 1], &facts, NULL);
        snprintf(result.reason, sizeof result.reason, "from a copy");
        channel_result(NULL, &result, &error);
        _exit(0);
    }
    waitpid(copy, NULL, 0);
}

static void play(const char *what, int round, int row)
{
    if (strcmp(part.name, what) != 0 || part.round != round || part.row != row)
        return;
    if (strcmp(what, "crash") == 0)
        raise(SIGSEGV);
    if (strcmp(what, "fault") == 0) {
        volatile char *volatile nothing = (char *)(size_t)8;
        *nothing = 1;
    }
    if (strcmp(what, "abort") == 0)
        abort();
    if (strcmp(what, "term") == 0)
        raise(SIGTERM);
    if (strcmp(what, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(what, "exit") == 0)
        exit(0);
    if (strcmp(what, "quit") == 0)
        _exit(0);
    if (strcmp(what, "leave") == 0)
        _exit(9);
    if (strcmp(what, "hang") == 0)
        pause();
    if (strcmp(what, "stop") == 0)
        raise(SIGSTOP);
    if (strcmp(what, "close") == 0)
        close_all_and_wait();
    if (strcmp(what, "fork") == 0)
        leave_a_copy();
    if (strcmp(what, "warn") == 0)
        fputs("library: beware\nlibrary: done", stderr);
    if (strcmp(what, "flood") == 0)
        for (int i = 0; i < 3000; i++)
            fputs("thread\n", stderr);
    if (strcmp(what, "print") == 0)
        printf("row matmul/c/y/hot\n[3/9] matmul/c/y/hot\nresult 3\na,b\n");
}

static void set_place(struct result *result, int place)
{
    result->statistics = (struct statistics){.count = 3, .median = 1e-6 * (double)place};
    result->iterations = 3;
    result->tick_s = 1e-9;
}

/* The ceilings are poor until the part begins. */
static void tell_ceiling(const struct row *row, bool is_good)
{
    struct floor_question question = {
        .backend = "fake", .mode = row->mode, .bytes = row->rung->op->cost(row->workload).bytes, .flops = NAN};
    struct ceiling ceiling;
    if (ceiling_needed(&question, CEILING_READ, &ceiling)) {
        ceiling.seconds = is_good ? 1e-9 : 1;
        channel_ceiling(NULL, &ceiling);
    }
}

static void read_arguments(int argc, char **argv, bool *shuffled, FILE **samples)
{
    part.name = argv[1];
    sscanf(argv[2], "%d:%d", &part.round, &part.row);
    for (int i = 3; i < argc; i++) {
        *shuffled = *shuffled || sscanf(argv[i], "--sitting=monday:%d", &facts.round) == 1;
        if (strcmp(argv[i], "--worker") == 0 && !rows_done_read(argv[i + 1], &selection))
            exit(EXIT_USAGE);
        if (strncmp(argv[i], "--samples=", 10) == 0)
            *samples = fopen(argv[i] + 10, "w");
    }
}

static bool is_same_rung(const struct row *one, const struct row *other)
{
    return one->rung == other->rung && one->workload == other->workload;
}

/* Each row takes as many microseconds as its place in this round's order, counted from 1. */
static int play_worker(int argc, char **argv)
{
    struct error error;
    struct selection order;
    struct device_info device = {0};
    bool shuffled = false;
    FILE *samples = NULL;
    make_selection();
    read_arguments(argc, argv, &shuffled, &samples);
    order = selection;
    if (strcmp(part.name, "refuse") == 0) {
        fprintf(stderr, "rungbench: no\n");
        return part.row;
    }
    if (!standard_output_keep() || (shuffled && !shuffle_for_round(&selection, facts.seed, facts.round, &order)))
        return EXIT_USAGE;
    own_process_begin();
    crash_install(standard_output(), channel_open(), NULL);
    fputs("rungbench: note: noted\n", stderr);
    snprintf(device.name, sizeof device.name, "Device of round %d", facts.round);
    play("leave", facts.round, BEFORE);
    play("term", facts.round, BEFORE);
    if (samples)
        fputs("name,round,index,seconds,iterations\n", samples);
    for (int i = 0; i < ROWS; i++) {
        static const char *const parts[] = {"crash", "fault", "abort", "term",  "kill", "exit", "quit",
                                            "leave", "hang",  "stop",  "close", "fork", "print"};
        char name[160];
        struct result result = row_result(&order.rows[i], &facts, &device);
        if (order.rows[i].is_done)
            continue;
        row_name(&order.rows[i], name, sizeof name);
        channel_row(name);
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++)
            play(parts[p], facts.round, i);
        if (strcmp(part.name, "ceilings") == 0)
            tell_ceiling(&order.rows[i], facts.round >= part.round);
        set_place(&result, i + 1);
        if (strcmp(part.name, "fail") == 0 && i == part.row)
            result.status = STATUS_FAILED;
        if (!channel_result(NULL, &result, &error))
            return EXIT_USAGE;
        for (int s = 0; samples && s < part.row; s++)
            fprintf(samples, "%s,%d,%d,%d,1\n", name, facts.round, s, s);
        if (strcmp(part.name, "fail") == 0 && is_same_rung(&order.rows[i], &order.rows[part.row]) &&
            (i + 1 == ROWS || !is_same_rung(&order.rows[i], &order.rows[i + 1])))
            return EXIT_WRONG;
    }
    play("leave", facts.round, LAST);
    play("exit", facts.round, LAST);
    play("warn", facts.round, LAST);
    play("flood", facts.round, LAST);
    if (strcmp(part.name, "flood") == 0)
        fputs("rungbench: said\n", stderr);
    if (shuffled)
        free(order.rows);
    return samples && fclose(samples) != 0 ? EXIT_USAGE : EXIT_RIGHT;
}

/* What comes of it. */

enum { KEPT_MAX = 4 * ROWS };
static struct result kept[KEPT_MAX], judged[KEPT_MAX];
static char device_name[KEPT_MAX][128];
static size_t kept_count, judged_count, kept_limit, steps, message_count;
static char messages[4096];
static int signal_number;

static bool keep(void *self, const struct result *result, struct error *error)
{
    (void)self;
    if (kept_count == kept_limit)
        return error_set(error, "no space left");
    snprintf(device_name[kept_count], sizeof device_name[0], "%s", result->device ? result->device->name : "");
    kept[kept_count++] = *result;
    return true;
}

static bool keep_judged(void *self, const struct result *result, struct error *error)
{
    (void)self, (void)error;
    judged[judged_count++] = *result;
    return true;
}

static int interrupted(void)
{
    return signal_number;
}

/* Hours pass from one look at the clock to the next while a row hangs. */
static size_t hanging_step = KEPT_MAX;

static double now(void)
{
    static double clock_s;
    return steps == hanging_step + 1 ? clock_s += 7200 : clock_s;
}

static void step(size_t done, const char *name)
{
    assert_true(done >= steps); /* a crash leaves some out */
    assert_non_null(strchr(name, '/'));
    assert_null(strpbrk(name, " ,"));
    steps = done + 1;
}

static void say(const char *line)
{
    message_count++;
    assert_true(strlen(messages) + strlen(line) + 2 < sizeof messages);
    strcat(strcat(messages, line), "\n");
}

static int set_up(void **state)
{
    (void)state;
    make_selection();
    kept_count = judged_count = steps = message_count = 0;
    messages[0] = '\0';
    kept_limit = KEPT_MAX;
    signal_number = 0;
    hanging_step = KEPT_MAX;
    return 0;
}

static struct run_outcome outcome;
static struct error error;
static struct output *samples;

static int run_rounds(char *name, char *when)
{
    char *const flags[] = {name, when, NULL};
    struct reporter reporter = {.early = keep, .result = keep_judged};
    struct judge judge = {.registry = &registry, .reporters = &reporter, .reporter_count = 1};
    struct error more;
    struct supervisor supervisor = {
        .program = "/proc/self/exe",
        .flags = flags,
        .selection = &selection,
        .facts = &facts,
        .budget_s = INFINITY,
        .min_time_s = 0.1,
        .judge = &judge,
        .now = now,
        .samples = samples,
        .interrupted = interrupted,
        .step = step,
        .message = say,
    };
    int status = supervisor_run(&supervisor, &error);
    judge_end(&judge, &outcome, &more);
    judge_free(&judge);
    return status;
}

static void count_early(size_t *ok, size_t *failed, size_t *skipped)
{
    *ok = *failed = *skipped = 0;
    for (size_t i = 0; i < kept_count; i++) {
        *ok += kept[i].status == STATUS_OK;
        *failed += kept[i].status == STATUS_FAILED;
        *skipped += kept[i].status == STATUS_SKIPPED;
    }
}

static void results_of_all_rounds_come_back(void **state)
{
    (void)state;
    assert_int_equal(run_rounds("well", "0:0"), EXIT_RIGHT);
    assert_int_equal(kept_count, 3 * ROWS);
    assert_int_equal(outcome.ok, 3 * ROWS);
    assert_int_equal(steps, 3 * ROWS);
    for (size_t i = 0; i < kept_count; i++) {
        char name[32];
        size_t place = i % ROWS;
        assert_int_equal(kept[i].round, i / ROWS);
        assert_int_equal(kept[i].round_count, 3);
        assert_ptr_equal(kept[i].run, &facts);
        assert_true(fabs(kept[i].statistics.median - 1e-6 * (double)(place + 1)) < 1e-12);
        snprintf(name, sizeof name, "Device of round %d", (int)kept[i].round);
        assert_string_equal(device_name[i], name);
    }
}

/* Whichever of the rung's rows it was. */
static void a_worker_that_ends_after_a_failed_rung_is_replaced(void **state)
{
    for (int failed = 6; failed < 6 + MODES; failed++) {
        char when[16];
        set_up(state);
        facts.round_count = 1;
        snprintf(when, sizeof when, "0:%d", failed);
        assert_int_equal(run_rounds("fail", when), EXIT_WRONG);
        assert_int_equal(kept_count, ROWS);
        assert_int_equal(outcome.ok, ROWS - 1);
        assert_int_equal(outcome.failed, 1);
        assert_string_equal(messages, "rungbench: note: noted\n");
    }
}

static void notes_are_said_once(void **state)
{
    (void)state;
    run_rounds("well", "0:0");
    assert_string_equal(messages, "rungbench: note: noted\n");
}

static void what_else_a_later_round_says_is_said(void **state)
{
    (void)state;
    run_rounds("warn", "2:-1");
    assert_string_equal(messages, "rungbench: note: noted\nlibrary: beware\nlibrary: done\n");
}

static void of_what_kernels_print_each_worker_passes_on_twenty_lines(void **state)
{
    (void)state;
    char expected[512] = "rungbench: note: noted\n";
    facts.round_count = 1;
    for (int i = 0; i < 20; i++)
        strcat(expected, "thread\n");
    strcat(expected, "rungbench: what else is printed is left out\nrungbench: said\n");
    assert_int_equal(run_rounds("flood", "0:-1"), EXIT_RIGHT);
    assert_string_equal(messages, expected);
}

static void every_round_has_each_row_once_in_the_order_of_its_number(void **state)
{
    (void)state;
    run_rounds("well", "0:0");
    bool differs = false;
    for (int round = 0; round < 3; round++) {
        struct selection order;
        assert_true(shuffle_for_round(&selection, facts.seed, round, &order));
        for (size_t i = 0; i < ROWS; i++) {
            char name[160];
            row_name(&order.rows[i], name, sizeof name);
            assert_string_equal(kept[(size_t)round * ROWS + i].name, name);
            differs = differs || strcmp(kept[i].name, name) != 0;
        }
        free(order.rows);
    }
    assert_true(differs);
}

/* A part in the sixth row of round 1, the last: the rows of other rungs come back, in the order of the round. */
static void assert_only_the_rung_fails(char *what, const char *reason)
{
    struct selection order;
    const struct rung *rung;
    char running[160], others[256];
    facts.round_count = 2;
    assert_int_equal(run_rounds(what, "1:5"), EXIT_WRONG);
    assert_true(shuffle_for_round(&selection, facts.seed, 1, &order));
    rung = order.rows[5].rung;
    row_name(&order.rows[5], running, sizeof running);
    snprintf(others, sizeof others, "not run: the rung ended its process in row %s", running);
    assert_int_equal(kept_count, 2 * ROWS);
    double last_place_s = 0;
    size_t failed = 0;
    for (size_t i = ROWS; i < kept_count; i++) {
        assert_int_equal(kept[i].round, 1);
        if (kept[i].status == STATUS_FAILED) {
            failed++;
            assert_string_equal(kept[i].variant, rung->variant);
            if (strcmp(kept[i].name, running) == 0)
                assert_non_null(strstr(kept[i].reason, reason));
            else
                assert_string_equal(kept[i].reason, others);
        } else {
            assert_int_equal(kept[i].status, STATUS_OK);
            assert_true(kept[i].statistics.median > last_place_s);
            last_place_s = kept[i].statistics.median;
        }
    }
    size_t before = 0; /* rows of the rung that were measured */
    for (size_t i = 0; i < 5; i++)
        before += order.rows[i].rung == rung;
    assert_int_equal(failed, WORKLOADS * MODES - before);
    assert_int_equal(outcome.failed, failed);
    free(order.rows);
}

static void a_rung_that_ends_its_process_fails_alone(void **state)
{
    (void)state;
    static const struct {
        char *what;
        const char *reason;
    } ends[] = {{"crash", "crashed: SIGSEGV"},
                {"fault", "crashed: SIGSEGV at address 0x8"},
                {"abort", "crashed: SIGABRT"},
                {"term", "signal 15"},
                {"kill", "signal 9"},
                {"exit", "ended the process with exit status 0"},
                {"quit", "ended the process with exit status 0"},
                {"leave", "ended the process with exit status 9"}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        set_up(state);
        assert_only_the_rung_fails(ends[i].what, ends[i].reason);
    }
}

static void a_rung_that_hangs_fails_alone(void **state)
{
    (void)state;
    static char *const ways[] = {"hang", "stop", "close"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        set_up(state);
        hanging_step = ROWS + 5;
        assert_only_the_rung_fails(ways[i], "hung: ");
    }
}

/* In a single round, whose order is that of the table. */
static void assert_hangs_after(size_t place, bool is_own_kernel)
{
    char when[16], limit[64];
    hanging_step = place;
    facts.round_count = 1;
    snprintf(when, sizeof when, "0:%zu", place);
    run_rounds("hang", when);
    snprintf(limit, sizeof limit, "for %.3g s",
             stopping_row_limit_s(is_own_kernel, 0.1, op_work(rows[place].rung->op, rows[place].workload)));
    assert_non_null(strstr(kept[place].reason, limit));
}

static void the_row_in_progress_says_when_a_worker_hangs(void **state)
{
    (void)state;
    assert_hangs_after(0, false);
}

static void a_kernel_of_the_users_own_is_killed_sooner(void **state)
{
    (void)state;
    assert_non_null(rows[OWN_ROW].rung->load);
    assert_hangs_after(OWN_ROW, true);
}

static void the_only_round_has_the_order_of_the_table(void **state)
{
    (void)state;
    facts.round_count = 1;
    assert_int_equal(run_rounds("well", "0:0"), EXIT_RIGHT);
    for (size_t i = 0; i < ROWS; i++) {
        char name[160];
        row_name(&selection.rows[i], name, sizeof name);
        assert_string_equal(kept[i].name, name);
    }
}

static void each_crashing_rung_gets_one_process(void **state)
{
    (void)state;
    facts.round_count = 1;
    assert_int_equal(run_rounds("quit", "0:2"), EXIT_WRONG); /* w, in the workload a */
    assert_int_equal(outcome.failed, WORKLOADS * MODES);
    assert_int_equal(outcome.ok, ROWS - WORKLOADS * MODES);
    assert_int_equal(message_count, 1); /* the note, of the first worker only */
}

static void a_crash_after_the_last_row_is_no_success(void **state)
{
    (void)state;
    facts.round_count = 1;
    assert_int_equal(run_rounds("leave", "0:-1"), EXIT_WRONG);
    assert_int_equal(outcome.ok, ROWS);
    assert_int_equal(outcome.failed + outcome.skipped, 0);
    assert_non_null(strstr(messages, "exit status 9"));
}

static void rounds_after_a_crash_are_run(void **state)
{
    (void)state;
    size_t ok, failed, skipped;
    assert_int_equal(run_rounds("leave", "0:0"), EXIT_WRONG);
    count_early(&ok, &failed, &skipped);
    assert_int_equal(ok, 3 * ROWS - WORKLOADS * MODES);
    assert_int_equal(failed, WORKLOADS * MODES);
}

static void a_worker_that_ends_before_its_first_row_is_not_started_again(void **state)
{
    (void)state;
    facts.round_count = 1;
    assert_int_equal(run_rounds("leave", "0:-2"), EXIT_WRONG);
    assert_int_equal(outcome.failed, ROWS);
    assert_non_null(strstr(kept[0].reason, "not reached: before the first row"));
    assert_non_null(strstr(messages, "exit status 9"));
}

/* Which nobody has sent to the run. */
static void rows_of_a_worker_that_is_told_to_end_have_failed(void **state)
{
    (void)state;
    size_t ok, failed, skipped;
    assert_int_equal(run_rounds("term", "1:-2"), EXIT_WRONG);
    count_early(&ok, &failed, &skipped);
    assert_int_equal(ok, 2 * ROWS);
    assert_int_equal(failed, ROWS);
    assert_int_equal(skipped, 0);
}

static void what_a_rung_prints_is_passed_on_and_not_believed(void **state)
{
    (void)state;
    facts.round_count = 1;
    assert_int_equal(run_rounds("print", "0:4"), EXIT_RIGHT);
    assert_int_equal(outcome.ok, ROWS);
    assert_int_equal(steps, ROWS);
    assert_non_null(strstr(messages, "[3/9] matmul/c/y/hot\n"));
    assert_non_null(strstr(messages, "row matmul/c/y/hot\n"));
}

static void a_copy_of_the_process_reports_nothing(void **state)
{
    (void)state;
    facts.round_count = 1;
    assert_int_equal(run_rounds("fork", "0:4"), EXIT_RIGHT);
    assert_int_equal(kept_count, ROWS);
    for (size_t i = 0; i < kept_count; i++)
        assert_string_equal(kept[i].reason, "");
}

static const struct result *judged_row(const char *name)
{
    for (size_t i = 0; i < judged_count; i++)
        if (strcmp(judged[i].name, name) == 0)
            return &judged[i];
    fail_msg("no row %s", name);
    return NULL;
}

static void speedups_survive_a_new_worker(void **state)
{
    (void)state;
    facts.round_count = 1;
    run_rounds("quit", "0:2"); /* v is measured before, y after */
    const struct result *baseline = judged_row("matmul/a/v/hot"), *row = judged_row("matmul/a/y/hot");
    assert_string_equal(row->baseline, "v");
    assert_true(row->speedup == baseline->statistics.median / row->statistics.median);
}

static void a_baseline_that_crashes_is_none(void **state)
{
    (void)state;
    facts.round_count = 1;
    run_rounds("crash", "0:0");
    assert_int_equal(judged_count, ROWS);
    for (size_t i = 0; i < judged_count; i++) {
        assert_string_equal(judged[i].baseline, "");
        assert_true(isnan(judged[i].speedup));
    }
}

static void all_rounds_are_judged_by_the_best_ceilings(void **state)
{
    (void)state;
    size_t ok, failed, skipped;
    facts.round_count = 2;
    run_rounds("ceilings", "1:0"); /* in round 0, no row can be as fast as it is */
    count_early(&ok, &failed, &skipped);
    assert_int_equal(failed, ROWS);
    assert_int_equal(outcome.ok, 2 * ROWS);
    for (size_t i = 0; i < judged_count; i++) {
        assert_string_equal(judged[i].ceiling, "read");
        assert_true(judged[i].floor_s == 1e-9);
    }
}

static void a_worker_that_cannot_begin_ends_all(void **state)
{
    (void)state;
    assert_int_equal(run_rounds("refuse", "0:2"), EXIT_USAGE);
    assert_string_equal(error.text, ""); /* the worker has said it: */
    assert_string_equal(messages, "rungbench: no\n");
    assert_int_equal(run_rounds("refuse", "0:77"), EXIT_ALL_SKIPPED);
    assert_int_equal(kept_count, 0);
}

static void a_full_disk_ends_all(void **state)
{
    (void)state;
    kept_limit = ROWS + 3;
    assert_int_equal(run_rounds("well", "0:0"), EXIT_USAGE);
    assert_string_equal(error.text, "no space left");
    assert_int_equal(kept_count, ROWS + 3);
}

static void an_interruption_ends_all(void **state)
{
    (void)state;
    signal_number = SIGTERM;
    run_rounds("well", "0:0");
    assert_int_equal(kept_count, 0);
    signal_number = 0;
    kept_limit = 2 * ROWS;
}

static void samples_of_all_rounds_have_one_header(void **state)
{
    (void)state;
    enum { SAMPLES = 3000 }; /* of each row: more bytes than a pipe holds */
    struct output file;
    facts.round_count = 2;
    assert_true(output_open(&file, "samples.csv", &error) && report_samples_begin(&file, &error));
    samples = &file;
    assert_int_equal(run_rounds("well", "0:3000"), EXIT_RIGHT);
    samples = NULL;
    assert_true(output_commit(&file, &error));
    FILE *written = fopen("samples.csv", "r");
    char line[256], header[256];
    size_t count = 0;
    assert_non_null(written);
    assert_non_null(fgets(header, sizeof header, written));
    assert_string_equal(header, "name,round,index,seconds,iterations\n");
    for (; fgets(line, sizeof line, written); count++) {
        int round, index;
        assert_int_equal(sscanf(line, "%*[^,],%d,%d,", &round, &index), 2);
        assert_int_equal(round, count / (ROWS * SAMPLES));
        assert_int_equal(index, count % SAMPLES);
    }
    fclose(written);
    assert_int_equal(count, 2 * ROWS * SAMPLES);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(results_of_all_rounds_come_back, set_up),
        cmocka_unit_test_setup(a_worker_that_ends_after_a_failed_rung_is_replaced, set_up),
        cmocka_unit_test_setup(notes_are_said_once, set_up),
        cmocka_unit_test_setup(what_else_a_later_round_says_is_said, set_up),
        cmocka_unit_test_setup(of_what_kernels_print_each_worker_passes_on_twenty_lines, set_up),
        cmocka_unit_test_setup(every_round_has_each_row_once_in_the_order_of_its_number, set_up),
        cmocka_unit_test_setup(the_only_round_has_the_order_of_the_table, set_up),
        cmocka_unit_test_setup(a_rung_that_ends_its_process_fails_alone, set_up),
        cmocka_unit_test_setup(a_rung_that_hangs_fails_alone, set_up),
        cmocka_unit_test_setup(the_row_in_progress_says_when_a_worker_hangs, set_up),
        cmocka_unit_test_setup(a_kernel_of_the_users_own_is_killed_sooner, set_up),
        cmocka_unit_test_setup(each_crashing_rung_gets_one_process, set_up),
        cmocka_unit_test_setup(rounds_after_a_crash_are_run, set_up),
        cmocka_unit_test_setup(a_crash_after_the_last_row_is_no_success, set_up),
        cmocka_unit_test_setup(a_worker_that_ends_before_its_first_row_is_not_started_again, set_up),
        cmocka_unit_test_setup(rows_of_a_worker_that_is_told_to_end_have_failed, set_up),
        cmocka_unit_test_setup(what_a_rung_prints_is_passed_on_and_not_believed, set_up),
        cmocka_unit_test_setup(a_copy_of_the_process_reports_nothing, set_up),
        cmocka_unit_test_setup(speedups_survive_a_new_worker, set_up),
        cmocka_unit_test_setup(a_baseline_that_crashes_is_none, set_up),
        cmocka_unit_test_setup(all_rounds_are_judged_by_the_best_ceilings, set_up),
        cmocka_unit_test_setup(a_worker_that_cannot_begin_ends_all, set_up),
        cmocka_unit_test_setup(a_full_disk_ends_all, set_up),
        cmocka_unit_test_setup(an_interruption_ends_all, set_up),
        cmocka_unit_test_setup(samples_of_all_rounds_have_one_header, set_up),
    };
    return argc > 1 ? play_worker(argc, argv) : cmocka_run_group_tests(tests, NULL, NULL);
}
