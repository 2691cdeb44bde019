/* Fresh processes: what comes back from them, and what a crash leaves. */
#include "bench/base/exit_status.h"
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
enum { WORKLOADS = 3, RUNGS = 4, MODES = 2, ROWS = WORKLOADS * RUNGS * MODES };
static struct row rows[ROWS];
static struct selection selection;
static struct run_facts facts;

enum { KEPT_MAX = 4 * ROWS };
static struct result kept[KEPT_MAX];
static double first_sample[KEPT_MAX];
static char device_name[KEPT_MAX][128];
static size_t kept_count, kept_limit, steps;
static int signal_number;

static bool keep(void *self, const struct result *result, struct error *error)
{
    (void)self;
    if (kept_count == kept_limit)
        return error_set(error, "no space left");
    first_sample[kept_count] = result->sample_s ? result->sample_s[result->statistics.count - 1] : NAN;
    snprintf(device_name[kept_count], sizeof device_name[0], "%s", result->device ? result->device->name : "");
    kept[kept_count++] = *result;
    return true;
}

static int interrupted(void)
{
    return signal_number;
}

static void step(size_t done, const char *name)
{
    (void)name;
    assert_int_equal(done, steps);
    steps++;
}

static int set_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = (struct row){.workload = &workloads[i / (RUNGS * MODES)],
                               .rung = &rungs[i / MODES % RUNGS],
                               .mode = i % MODES ? &mode_hot : &mode_cold};
    selection = (struct selection){rows, ROWS};
    facts = (struct run_facts){.seed = 42, .round_count = 3};
    kept_count = steps = 0;
    kept_limit = KEPT_MAX;
    signal_number = 0;
    return 0;
}

/* A round: each row takes as many microseconds as its place in this round's order. */
static int measure_by_place(const void *self, const struct selection *order, const struct run_facts *round,
                            const struct reporter *reporter, void (*tell)(size_t done, const char *name))
{
    const int *crash_at = self;
    struct device_info info = {0};
    snprintf(info.name, sizeof info.name, "Device of round %d", round->round);
    for (size_t i = 0; i < order->count; i++) {
        struct result result = row_result(&order->rows[i], round, &info);
        double samples[] = {1e-6 * (double)i, 2e-6 * (double)i, 3e-6 * (double)i + 1};
        struct error error;
        tell(i, result.name);
        if (crash_at && round->round == crash_at[0] && (int)i == crash_at[1])
            raise(crash_at[2]);
        result.sample_s = samples;
        result.statistics = (struct statistics){.count = 3, .median = 1e-6 * (double)i};
        if (!reporter->result(reporter->self, &result, &error))
            return EXIT_USAGE;
    }
    return EXIT_RIGHT;
}

static int run_rounds(int (*measure)(const void *, const struct selection *, const struct run_facts *,
                                     const struct reporter *, void (*)(size_t, const char *)),
                      const void *self, struct run_outcome *outcome, struct error *error)
{
    struct reporter reporter = {NULL, keep, NULL};
    struct rounds rounds = {&selection, &facts, &reporter, 1, interrupted, step, measure, self};
    struct seen_device *seen = NULL;
    int status = rounds_run(&rounds, &seen, outcome, error);
    rounds_forget_devices(seen);
    return status;
}

static void results_of_all_rounds_come_back(void **state)
{
    (void)state;
    struct run_outcome outcome;
    struct error error;
    assert_int_equal(run_rounds(measure_by_place, NULL, &outcome, &error), EXIT_RIGHT);
    assert_int_equal(kept_count, 3 * ROWS);
    assert_int_equal(outcome.ok, 3 * ROWS);
    assert_int_equal(steps, 3 * ROWS);
    for (size_t i = 0; i < kept_count; i++) {
        char name[32];
        size_t place = i % ROWS;
        assert_int_equal(kept[i].round, i / ROWS);
        assert_int_equal(kept[i].round_count, 3);
        assert_ptr_equal(kept[i].run, &facts);
        assert_true(kept[i].statistics.median == 1e-6 * (double)place);
        assert_true(first_sample[i] == 3e-6 * (double)place + 1);
        snprintf(name, sizeof name, "Device of round %d", kept[i].round);
        assert_string_equal(device_name[i], name);
    }
}

static void every_round_has_each_row_once_in_an_order_of_its_own(void **state)
{
    (void)state;
    struct run_outcome outcome;
    struct error error;
    run_rounds(measure_by_place, NULL, &outcome, &error);
    bool differs = false;
    for (size_t round = 0; round < 3; round++)
        for (size_t i = 0; i < ROWS; i++) {
            char name[160];
            size_t times = 0;
            row_name(&rows[i], name, sizeof name);
            for (size_t k = 0; k < ROWS; k++)
                times += strcmp(kept[round * ROWS + k].name, name) == 0;
            assert_int_equal(times, 1);
            differs = differs || strcmp(kept[i].name, kept[round * ROWS + i].name) != 0;
        }
    assert_true(differs);
}

static void a_round_has_the_order_that_its_number_makes(void **state)
{
    (void)state;
    struct run_outcome outcome;
    struct error error;
    run_rounds(measure_by_place, NULL, &outcome, &error);
    for (int round = 0; round < 3; round++) {
        struct selection order;
        assert_true(shuffle_for_round(&selection, facts.seed, round, &order));
        for (size_t i = 0; i < ROWS; i++) {
            char name[160];
            row_name(&order.rows[i], name, sizeof name);
            assert_string_equal(kept[(size_t)round * ROWS + i].name, name);
        }
        free(order.rows);
    }
}

static void a_crashed_round_owes_its_rows_and_the_others_go_on(void **state)
{
    (void)state;
    struct run_outcome outcome;
    struct error error;
    const int crash[] = {1, 5, SIGSEGV}; /* round 1, sixth row */
    signal(SIGSEGV, SIG_DFL);
    facts.round_count = 2; /* the crashed one is the last, so that steps can be counted */
    assert_int_equal(run_rounds(measure_by_place, crash, &outcome, &error), EXIT_WRONG);
    assert_int_equal(outcome.ok, ROWS + 5);
    assert_int_equal(outcome.failed, 1);
    assert_int_equal(outcome.skipped, ROWS - 6);
    assert_int_equal(kept_count, 2 * ROWS);
    for (size_t i = ROWS; i < kept_count; i++) {
        assert_int_equal(kept[i].round, 1);
        if (kept[i].status == STATUS_FAILED)
            assert_non_null(strstr(kept[i].reason, "signal 11"));
        if (kept[i].status == STATUS_SKIPPED)
            assert_non_null(strstr(kept[i].reason, "not reached"));
    }
}

enum { MANY_SAMPLES = 40000 }; /* more bytes than a pipe holds */

static int measure_many_samples(const void *self, const struct selection *order, const struct run_facts *round,
                                const struct reporter *reporter, void (*tell)(size_t done, const char *name))
{
    (void)self, (void)tell;
    static double samples[MANY_SAMPLES];
    for (size_t i = 0; i < MANY_SAMPLES; i++)
        samples[i] = (double)i;
    for (size_t i = 0; i < 2; i++) {
        struct result result = row_result(&order->rows[i], round, NULL);
        struct error error;
        result.sample_s = samples;
        result.statistics.count = MANY_SAMPLES - i;
        if (!reporter->result(reporter->self, &result, &error))
            return EXIT_USAGE;
    }
    return EXIT_RIGHT;
}

static void many_samples_come_back_whole(void **state)
{
    (void)state;
    struct run_outcome outcome;
    struct error error;
    facts.round_count = 1;
    assert_int_equal(run_rounds(measure_many_samples, NULL, &outcome, &error), EXIT_RIGHT);
    assert_int_equal(kept_count, 2);
    assert_true(first_sample[0] == MANY_SAMPLES - 1); /* the last one of each */
    assert_true(first_sample[1] == MANY_SAMPLES - 2);
}

static int crash_after_all(const void *self, const struct selection *order, const struct run_facts *round,
                           const struct reporter *reporter, void (*tell)(size_t done, const char *name))
{
    measure_by_place(self, order, round, reporter, tell);
    _exit(7);
}

static void a_crash_after_the_last_row_is_no_success(void **state)
{
    (void)state;
    struct run_outcome outcome;
    struct error error;
    facts.round_count = 1;
    assert_int_equal(run_rounds(crash_after_all, NULL, &outcome, &error), EXIT_WRONG);
    assert_int_equal(outcome.ok, ROWS);
    assert_int_equal(outcome.failed + outcome.skipped, 0);
}

static int crash_in_the_first(const void *self, const struct selection *order, const struct run_facts *round,
                              const struct reporter *reporter, void (*tell)(size_t done, const char *name))
{
    (void)self, (void)tell;
    if (round->round == 0)
        _exit(9); /* before any row */
    struct result result = row_result(&order->rows[0], round, NULL);
    struct error error;
    return reporter->result(reporter->self, &result, &error) ? EXIT_RIGHT : EXIT_USAGE;
}

static void rounds_after_a_crash_are_run(void **state)
{
    (void)state;
    struct run_outcome outcome;
    struct error error;
    assert_int_equal(run_rounds(crash_in_the_first, NULL, &outcome, &error), EXIT_WRONG);
    assert_int_equal(outcome.ok, 2);
    assert_int_equal(outcome.skipped, ROWS);
    assert_non_null(strstr(kept[0].reason, "exit status 9"));
}

static int refuse(const void *self, const struct selection *order, const struct run_facts *round,
                  const struct reporter *reporter, void (*tell)(size_t done, const char *name))
{
    (void)order, (void)round, (void)reporter, (void)tell;
    const int *status = self;
    return *status;
}

static void a_round_that_cannot_begin_ends_all(void **state)
{
    (void)state;
    struct run_outcome outcome;
    struct error error;
    for (size_t i = 0; i < 2; i++) {
        const int status = i ? EXIT_USAGE : EXIT_ALL_SKIPPED;
        assert_int_equal(run_rounds(refuse, &status, &outcome, &error), status);
        assert_int_equal(kept_count, 0);
        assert_string_equal(error.text, "");
    }
}

static void a_full_disk_ends_all(void **state)
{
    (void)state;
    struct run_outcome outcome;
    struct error error;
    kept_limit = ROWS + 3;
    assert_int_equal(run_rounds(measure_by_place, NULL, &outcome, &error), EXIT_USAGE);
    assert_string_equal(error.text, "no space left");
    assert_int_equal(kept_count, ROWS + 3);
}

static bool interrupt_then_keep(void *self, const struct result *result, struct error *error)
{
    signal_number = kept_count + 1 == 3 ? SIGTERM : signal_number;
    return keep(self, result, error);
}

static int measure_until_told(const void *self, const struct selection *order, const struct run_facts *round,
                              const struct reporter *reporter, void (*tell)(size_t done, const char *name))
{
    (void)self, (void)tell;
    for (size_t i = 0; i < 3; i++) {
        struct result result = row_result(&order->rows[i], round, NULL);
        struct error error;
        reporter->result(reporter->self, &result, &error);
    }
    pause(); /* until the parent passes the signal on */
    return EXIT_RIGHT;
}

static void an_interruption_is_passed_on_and_ends_all(void **state)
{
    (void)state;
    struct run_outcome outcome;
    struct error error;
    struct reporter reporter = {NULL, interrupt_then_keep, NULL};
    struct rounds rounds = {&selection, &facts, &reporter, 1, interrupted, step, measure_until_told, NULL};
    struct seen_device *seen = NULL;
    rounds_run(&rounds, &seen, &outcome, &error);
    rounds_forget_devices(seen);
    assert_int_equal(kept_count, 3); /* no second round, and nothing is called crashed */
    assert_int_equal(outcome.failed + outcome.skipped, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(results_of_all_rounds_come_back, set_up),
        cmocka_unit_test_setup(every_round_has_each_row_once_in_an_order_of_its_own, set_up),
        cmocka_unit_test_setup(a_round_has_the_order_that_its_number_makes, set_up),
        cmocka_unit_test_setup(a_crashed_round_owes_its_rows_and_the_others_go_on, set_up),
        cmocka_unit_test_setup(rounds_after_a_crash_are_run, set_up),
        cmocka_unit_test_setup(many_samples_come_back_whole, set_up),
        cmocka_unit_test_setup(a_crash_after_the_last_row_is_no_success, set_up),
        cmocka_unit_test_setup(a_round_that_cannot_begin_ends_all, set_up),
        cmocka_unit_test_setup(a_full_disk_ends_all, set_up),
        cmocka_unit_test_setup(an_interruption_is_passed_on_and_ends_all, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
