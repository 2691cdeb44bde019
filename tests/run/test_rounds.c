/* Fresh processes: what comes back from them, and what those leave that crash or hang. The program that the rounds run
 * is this test itself, which then plays the part that its first argument names. */
#include "bench/base/exit_status.h"
#include "bench/measure/stopping.h"
#include "bench/run/rounds.h"
#include "bench/run/row_result.h"
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
#include <unistd.h>

/* Three workloads, four rungs, two modes. */
static const struct workload workloads[] = {{"a", {1, 2, 3}, 0}, {"b", {4, 5, 6}, 0}, {"c", {7, 8, 9}, 0}};
static const struct rung rungs[] = {{.variant = "v", .op = &matmul_op, .backend = &fake_entry},
                                    {.variant = "w", .op = &matmul_op, .backend = &fake_entry},
                                    {.variant = "x", .op = &matmul_op, .backend = &fake_entry},
                                    {.variant = "y", .op = &matmul_op, .backend = &fake_entry}};
static const struct registry registry = {.backends = &fake_entry, .backend_count = 1, .rungs = rungs, .rung_count = 4};
enum { WORKLOADS = 3, RUNGS = 4, MODES = 2, ROWS = WORKLOADS * RUNGS * MODES };
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
    facts = (struct run_facts){.git_revision = "r", .session = "monday", .seed = 42, .round_count = 3};
}

/* The part of a round. */

enum { LAST = -1 };

static struct part {
    const char *name;
    int round, row; /* when the part begins; LAST: behind the last row */
} part;

static void play(const char *what, int round, int row)
{
    if (strcmp(part.name, what) != 0 || part.round != round || part.row != row)
        return;
    if (strcmp(what, "crash") == 0) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (strcmp(what, "exit") == 0)
        _exit(9);
    if (strcmp(what, "hang") == 0)
        pause();
    if (strcmp(what, "warn") == 0)
        fputs("library: beware\nlibrary: done", stderr);
}

static bool put_row(struct output *out, const struct row *row, int place, const struct device_info *device,
                    const struct run_facts *round)
{
    struct error error;
    struct result result = row_result(row, round, device);
    result.statistics = (struct statistics){.count = 3, .median = 1e-6 * (double)place};
    result.iterations = 1;
    return report_csv_result(out, &result, &error);
}

/* Each row takes as many microseconds as its place in this round's order. */
static int play_round(int argc, char **argv)
{
    struct error error;
    struct output out;
    struct selection order;
    struct device_info device = {0};
    part.name = argv[1];
    sscanf(argv[2], "%d:%d", &part.round, &part.row);
    make_selection();
    FILE *samples = NULL;
    for (int i = 3; i < argc; i++) {
        sscanf(argv[i], "--sitting=monday:%d", &facts.round);
        if (strncmp(argv[i], "--samples=", 10) == 0)
            samples = fopen(argv[i] + 10, "w");
    }
    if (strcmp(part.name, "refuse") == 0) {
        fprintf(stderr, "rungbench: no\n");
        return part.row;
    }
    fputs("rungbench: note: noted\n", stderr);
    snprintf(device.name, sizeof device.name, "Device of round %d", facts.round);
    if (!shuffle_for_round(&selection, facts.seed, facts.round, &order) || !output_open(&out, "-", &error) ||
        !report_csv_begin(&out, &error))
        return EXIT_USAGE;
    if (samples)
        fputs("name,round,index,seconds,iterations\n", samples);
    for (int i = 0; i < ROWS; i++) {
        char name[160];
        row_name(&order.rows[i], name, sizeof name);
        fprintf(stderr, "[%d/%d] %s, about 3 min left\n", i + 1, ROWS, name);
        play("crash", facts.round, i);
        play("exit", facts.round, i);
        play("hang", facts.round, i);
        if (!put_row(&out, &order.rows[i], i, &device, &facts))
            return EXIT_USAGE;
        for (int s = 0; samples && s < part.row; s++)
            fprintf(samples, "%s,%d,%d,%d,1\n", name, facts.round, s, s);
    }
    play("exit", facts.round, LAST);
    play("warn", facts.round, LAST);
    free(order.rows);
    return samples && fclose(samples) != 0 ? EXIT_USAGE : EXIT_RIGHT;
}

/* What comes of it. */

enum { KEPT_MAX = 4 * ROWS };
static struct result kept[KEPT_MAX];
static char device_name[KEPT_MAX][128];
static size_t kept_count, kept_limit, steps, message_count;
static char message[512];
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

static int interrupted(void)
{
    return signal_number;
}

/* Hours pass from one look at the clock to the next while a row hangs. */
static size_t hanging_step = KEPT_MAX;

static double now(void)
{
    static double clock_s;
    return steps > hanging_step ? clock_s += 7200 : clock_s;
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
    snprintf(message, sizeof message, "%s", line);
}

static int set_up(void **state)
{
    (void)state;
    make_selection();
    kept_count = steps = message_count = 0;
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
    struct reporter reporter = {NULL, keep, NULL};
    struct rounds rounds = {
        .program = "/proc/self/exe",
        .flags = flags,
        .selection = &selection,
        .registry = &registry,
        .facts = &facts,
        .budget_s = INFINITY,
        .row_limit_s = 0.01, /* of the clock above: how often is looked depends on it */
        .now = now,
        .reporters = &reporter,
        .reporter_count = 1,
        .samples = samples,
        .interrupted = interrupted,
        .step = step,
        .message = say,
    };
    struct seen_device *seen = NULL;
    error.text[0] = '\0';
    int status = rounds_run(&rounds, &seen, &outcome, &error);
    rounds_forget_devices(seen);
    return status;
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
        assert_true(fabs(kept[i].statistics.median - 1e-6 * (double)place) < 1e-12);
        snprintf(name, sizeof name, "Device of round %d", (int)kept[i].round);
        assert_string_equal(device_name[i], name);
    }
}

static void notes_are_said_once(void **state)
{
    (void)state;
    run_rounds("well", "0:0");
    assert_int_equal(message_count, 1);
    assert_string_equal(message, "rungbench: note: noted");
}

static void what_else_a_later_round_says_is_said(void **state)
{
    (void)state;
    run_rounds("warn", "2:-1");
    assert_int_equal(message_count, 3);
    assert_string_equal(message, "library: done");
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

/* Round 1 is the last; its sixth row was running. */
static void assert_rows_are_owed(const char *reason)
{
    assert_int_equal(outcome.ok, ROWS + 5);
    assert_int_equal(outcome.failed, 1);
    assert_int_equal(outcome.skipped, ROWS - 6);
    assert_int_equal(kept_count, 2 * ROWS);
    for (size_t i = ROWS; i < kept_count; i++) {
        assert_int_equal(kept[i].round, 1);
        if (kept[i].status == STATUS_FAILED)
            assert_non_null(strstr(kept[i].reason, reason));
        if (kept[i].status == STATUS_SKIPPED)
            assert_non_null(strstr(kept[i].reason, "not reached"));
    }
}

static void a_crashed_round_owes_its_rows(void **state)
{
    (void)state;
    facts.round_count = 2;
    assert_int_equal(run_rounds("crash", "1:5"), EXIT_WRONG);
    assert_rows_are_owed("signal 11");
}

static void a_round_that_hangs_is_killed_and_owes_its_rows(void **state)
{
    (void)state;
    facts.round_count = 2;
    hanging_step = ROWS + 5;
    assert_int_equal(run_rounds("hang", "1:5"), EXIT_WRONG);
    assert_rows_are_owed("round 1 hung");
}

static void a_crash_after_the_last_row_is_no_success(void **state)
{
    (void)state;
    facts.round_count = 1;
    assert_int_equal(run_rounds("exit", "0:-1"), EXIT_WRONG);
    assert_int_equal(outcome.ok, ROWS);
    assert_int_equal(outcome.failed + outcome.skipped, 0);
    assert_non_null(strstr(message, "exit status 9"));
}

static void the_longest_row_says_when_a_round_hangs(void **state)
{
    (void)state;
    assert_true(rounds_row_limit_s(&selection, 3) == stopping_row_limit_s(3, 2 * 7 * 8 * 9));
}

static void rounds_after_a_crash_are_run(void **state)
{
    (void)state;
    assert_int_equal(run_rounds("exit", "0:0"), EXIT_WRONG); /* before any row has ended */
    assert_int_equal(outcome.ok, 2 * ROWS);
    assert_int_equal(outcome.failed, 1);
    assert_int_equal(outcome.skipped, ROWS - 1);
}

static void a_round_that_cannot_begin_ends_all(void **state)
{
    (void)state;
    assert_int_equal(run_rounds("refuse", "0:2"), EXIT_USAGE);
    assert_int_equal(run_rounds("refuse", "0:77"), EXIT_ALL_SKIPPED);
    assert_int_equal(kept_count, 0);
    assert_string_equal(error.text, ""); /* the round has said it: */
    assert_int_equal(message_count, 2);
    assert_string_equal(message, "rungbench: no");
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
        cmocka_unit_test_setup(notes_are_said_once, set_up),
        cmocka_unit_test_setup(what_else_a_later_round_says_is_said, set_up),
        cmocka_unit_test_setup(every_round_has_each_row_once_in_the_order_of_its_number, set_up),
        cmocka_unit_test_setup(a_crashed_round_owes_its_rows, set_up),
        cmocka_unit_test_setup(a_round_that_hangs_is_killed_and_owes_its_rows, set_up),
        cmocka_unit_test_setup(the_longest_row_says_when_a_round_hangs, set_up),
        cmocka_unit_test_setup(rounds_after_a_crash_are_run, set_up),
        cmocka_unit_test_setup(a_crash_after_the_last_row_is_no_success, set_up),
        cmocka_unit_test_setup(a_round_that_cannot_begin_ends_all, set_up),
        cmocka_unit_test_setup(a_full_disk_ends_all, set_up),
        cmocka_unit_test_setup(an_interruption_ends_all, set_up),
        cmocka_unit_test_setup(samples_of_all_rounds_have_one_header, set_up),
    };
    return argc > 1 ? play_round(argc, argv) : cmocka_run_group_tests(tests, NULL, NULL);
}
