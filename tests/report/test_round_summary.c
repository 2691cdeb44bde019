/* One result a row from those of all rounds. */
#include "bench/report/round_summary.h"
#include "sample_results.h"
#include "sample_selection.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 10, TAKEN_MAX = 16 };

/* A reporter that keeps what it gets, up to a number of results that it can take. */
struct taker {
    struct result taken[TAKEN_MAX];
    size_t count, room;
};

static bool take(void *self, const struct result *result, struct error *error)
{
    struct taker *taker = self;
    if (taker->count == taker->room)
        return error_set(error, "the disk is full");
    taker->taken[taker->count++] = *result;
    return true;
}

static struct taker taker;
static struct result added[64];
static size_t added_count;

static int start(void **state)
{
    (void)state;
    taker = (struct taker){.room = TAKEN_MAX};
    added_count = 0;
    return 0;
}

static void add(const struct result *result)
{
    assert_true(added_count < sizeof added / sizeof added[0]);
    added[added_count++] = *result;
}

/* Sums up what was added, for a selection of the rows of these names. */
static bool sum_up(const char *const *names, size_t count, const struct reporter *after, size_t after_count,
                   struct error *error)
{
    struct sample_selection selection;
    select_samples(names, count, &selection);
    struct round_summary *summary = round_summary_make(&selection.selection, after, after_count);
    assert_non_null(summary);
    for (size_t i = 0; i < added_count; i++)
        assert_true(round_summary_result(summary, &added[i], error));
    return round_summary_end(summary, error);
}

static void emit(const char *const *names, size_t count)
{
    struct error error;
    struct reporter reporter = {.self = &taker, .result = take};
    assert_true(sum_up(names, count, &reporter, 1, &error));
}

static struct result tiled(int round, double median_s)
{
    return in_round(timed(row("matmul", "mnist", "cuda_tiled", "hot"), median_s), round);
}

/* The summary of all that was added of that row. */
static const struct result *only(void)
{
    const char *const names[] = {"matmul/mnist/cuda_tiled/hot"};
    emit(names, 1);
    assert_int_equal(taker.count, 1);
    return &taker.taken[0];
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

static void the_statistics_are_those_of_the_medians_of_rounds(void **state)
{
    (void)state;
    static const double medians[ROUNDS] = {5, 3, 9, 1, 7, 2, 10, 4, 8, 6};
    for (int i = 0; i < ROUNDS; i++) {
        struct result r = tiled(i, medians[i]);
        add(&r);
    }
    const struct result *all = only();
    assert_int_equal(all->status, STATUS_OK);
    assert_int_equal(all->statistics.count, ROUNDS);
    assert_near(all->statistics.min, 1);
    assert_near(all->statistics.max, 10);
    assert_near(all->statistics.median, 5.5);
    assert_near(all->statistics.mean, 5.5);
    assert_near(all->statistics.q1, 3.25);
    assert_near(all->statistics.q3, 7.75);
    assert_near(all->statistics.ci_low, 2);
    assert_near(all->statistics.ci_high, 9);
    assert_near(all->gflops, 0.784 / 5.5);
    assert_near(all->bandwidth_gbs, 0.15883136 / 5.5);
    assert_near(all->ceiling_pct, 42.5 * 1 / 5.5); /* the best ceiling, which the fastest round saw */
    assert_near(all->sm_cycles, 1980e6 * 5.5);
    assert_int_equal(all->round_count, ROUNDS);
    assert_int_equal(all->round, 0);
    assert_int_equal(all->iterations, 0);
    assert_string_equal(all->stop_reason, "");
    assert_null(all->sample_s);
    assert_string_equal(all->conditions.marks, "");
    assert_ptr_equal(all->run, &sample_facts);
    assert_ptr_equal(all->device, &sample_gpu);
}

/* Rounds whose own speed-ups have another median than the ratio of the medians of times. */
static void the_speedup_is_the_ratio_of_the_times_that_are_shown(void **state)
{
    (void)state;
    static const double baseline_s[] = {40, 10, 30}, tiled_s[] = {1, 2, 3};
    static const char *const names[] = {"matmul/mnist/cuda_tiled/cold", "matmul/mnist/cuda_tiled/hot",
                                        "matmul/mnist/cuda_tiled/e2e", "matmul/mnist/cpu_scalar/hot",
                                        "matmul/mnist/cpu_scalar/cold"};
    for (int i = 0; i < 3; i++) {
        double own_s[] = {2 * tiled_s[i], tiled_s[i], 3 * tiled_s[i], baseline_s[i], 7 * baseline_s[i]};
        for (size_t n = 0; n < 5; n++) {
            bool is_baseline = n >= 3, is_cold = n % 4 == 0;
            const char *mode = strrchr(names[n], '/') + 1;
            struct result r = timed(row("matmul", "mnist", is_baseline ? "cpu_scalar" : "cuda_tiled", mode), own_s[n]);
            r.speedup = (is_cold ? 7 : 1) * baseline_s[i] / own_s[n];
            r = in_round(r, i);
            add(&r);
        }
    }
    emit(names, 5);
    assert_int_equal(taker.count, 5);
    for (size_t n = 0; n < 5; n++) {
        const struct result *baseline = &taker.taken[n % 4 == 0 ? 4 : 3];
        assert_string_equal(taker.taken[n].baseline, "cpu_scalar");
        assert_near(taker.taken[n].speedup, baseline->statistics.median / taker.taken[n].statistics.median);
    }
    assert_near(taker.taken[1].speedup, 15); /* the median of the rounds' own is 10 */
}

/* Only a time that is shown can be the numerator. */
static void without_a_time_of_the_baseline_the_speedup_is_unknown(void **state)
{
    (void)state;
    static const char *const names[] = {"matmul/mnist/cuda_tiled/hot", "matmul/mnist/cpu_scalar/hot"};
    for (int i = 0; i < 3; i++) {
        struct result r = tiled(i, 1), baseline = in_round(row("matmul", "mnist", "cpu_scalar", "hot"), i);
        baseline = i == 1 ? failed(baseline, "wrong") : timed(baseline, 5);
        add(&r);
        add(&baseline);
    }
    emit(names, 2);
    assert_int_equal(taker.taken[1].status, STATUS_FAILED);
    assert_true(isnan(taker.taken[0].speedup));
}

static void numbers_are_medians_of_what_is_known(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct result r = tiled(i, 1);
        double value = (double[]){7, 1, 3, 2}[i];
        r.tick_s = value;
        r.upload_s = 10 * value;
        r.kernel_s = 20 * value;
        r.download_s = 30 * value;
        r.empty_kernel_s = 40 * value;
        r.floor_s = 50 * value;
        r.slowdown_pct = 45 * value;
        r.conditions.sm_clock_mhz = 60 * value;
        r.conditions.memory_clock_mhz = 70 * value;
        r.conditions.temperature_c = 80 * value;
        r.conditions.power_w = 90 * value;
        r.conditions.energy_j = i == 0 ? (double)NAN : 100 * value;
        r.conditions.energy_over_s = i == 0 ? (double)NAN : 110 * value;
        r.conditions.preemptions = NAN;
        add(&r);
    }
    const struct result *all = only();
    const struct conditions *c = &all->conditions;
    assert_near(all->tick_s, 2.5);
    assert_near(all->upload_s, 25);
    assert_near(all->kernel_s, 50);
    assert_near(all->download_s, 75);
    assert_near(all->empty_kernel_s, 100);
    assert_near(all->slowdown_pct, 112.5);
    assert_near(c->sm_clock_mhz, 150);
    assert_near(c->memory_clock_mhz, 175);
    assert_near(c->temperature_c, 200);
    assert_near(c->power_w, 225);
    assert_near(c->energy_j, 200);
    assert_near(c->energy_over_s, 220);
    assert_true(isnan(c->preemptions));
}

/* A ceiling is the best that was seen, in any round and by any row on the same work. */
static void rows_of_one_workload_have_one_ceiling(void **state)
{
    (void)state;
    const double floors_s[] = {0.4, 0.2, 0.3};
    for (int i = 0; i < 3; i++) {
        struct result r = tiled(i, 1), other = timed(row("matmul", "mnist", "cublas", "hot"), 2);
        other = in_round(other, i);
        strcpy(r.ceiling, "read");
        strcpy(other.ceiling, "copy");
        r.floor_s = floors_s[i];
        other.floor_s = 1 - floors_s[i];
        add(&r);
        add(&other);
    }
    emit((const char *const[]){"matmul/mnist/cuda_tiled/hot", "matmul/mnist/cublas/hot"}, 2);
    assert_near(taker.taken[0].floor_s, 0.2);
    assert_near(taker.taken[1].floor_s, 0.2);
    assert_near(taker.taken[1].ceiling_pct, 10);
}

static void marks_of_all_rounds_are_joined(void **state)
{
    (void)state;
    static const char *const marks[] = {"mps", "", "throttled mps", "other-work"}, *const throttled[] = {"", "no",
                                                                                                         "thermal",
                                                                                                         "power-cap"};
    for (int i = 0; i < 4; i++) {
        struct result r = tiled(i, 1);
        r.round_count = 4;
        r.launch_bound = i == 2;
        snprintf(r.conditions.marks, sizeof r.conditions.marks, "%s", marks[i]);
        snprintf(r.conditions.throttled, sizeof r.conditions.throttled, "%s", throttled[i]);
        add(&r);
    }
    assert_string_equal(only()->conditions.marks, "mps throttled other-work");
    assert_string_equal(taker.taken[0].conditions.throttled, "thermal");
    assert_true(taker.taken[0].launch_bound);
}

static void rounds_that_were_not_throttled_say_no(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct result r = tiled(i, 1);
        snprintf(r.conditions.throttled, sizeof r.conditions.throttled, "%s", i == 0 ? "" : "no");
        add(&r);
    }
    assert_string_equal(only()->conditions.throttled, "no");
    assert_false(taker.taken[0].launch_bound);
}

static void the_baseline_is_that_of_the_rounds_that_have_one(void **state)
{
    (void)state;
    static const char *const baselines[] = {"", "cpu_scalar"};
    for (int i = 0; i < 2; i++) {
        struct result r = tiled(i, 1);
        strcpy(r.baseline, baselines[i]);
        add(&r);
    }
    assert_string_equal(only()->baseline, "cpu_scalar");
}

static void errors_are_those_of_the_worst_round(void **state)
{
    (void)state;
    static const double errors[] = {NAN, 2, 3, 1};
    for (int i = 0; i < 4; i++) {
        struct result r = tiled(i, 1);
        r.max_abs_err = errors[i];
        r.err_bound = 10 * errors[i];
        r.rms_err = 100 * errors[i];
        add(&r);
    }
    const struct result *all = only();
    assert_near(all->max_abs_err, 3);
    assert_near(all->err_bound, 30);
    assert_near(all->rms_err, 300);
}

static void a_row_that_failed_once_has_failed(void **state)
{
    (void)state;
    struct result r = tiled(0, 1);
    add(&r);
    r = in_round(failed(row("matmul", "mnist", "cuda_tiled", "hot"), "wrong answer"), 2);
    add(&r);
    r = in_round(failed(row("matmul", "mnist", "cuda_tiled", "hot"), "wrong again"), 3);
    add(&r);
    assert_int_equal(only()->status, STATUS_FAILED);
    assert_string_equal(taker.taken[0].reason, "round 2: wrong answer");
    assert_int_equal(taker.taken[0].statistics.count, 0);
    assert_int_equal(taker.taken[0].round, 0);
}

static void a_long_reason_is_cut(void **state)
{
    (void)state;
    struct result r = in_round(row("matmul", "mnist", "cuda_tiled", "hot"), 7);
    r.status = STATUS_FAILED;
    memset(r.reason, 'x', sizeof r.reason - 1);
    add(&r);
    assert_memory_equal(only()->reason, "round 7: xxx", 12);
    assert_in_range(strlen(taker.taken[0].reason), sizeof r.reason - 20, sizeof r.reason - 1);
}

static void a_row_that_was_ok_in_some_rounds_is_ok_and_says_so(void **state)
{
    (void)state;
    struct result r = in_round(skipped(row("matmul", "mnist", "cuda_tiled", "hot"), "the --budget is spent"), 0);
    add(&r);
    for (int i = 1; i < 4; i++) {
        r = tiled(i, i);
        add(&r);
    }
    assert_int_equal(only()->status, STATUS_OK);
    assert_int_equal(taker.taken[0].statistics.count, 3);
    assert_near(taker.taken[0].statistics.median, 2);
    assert_string_equal(taker.taken[0].reason, "");
    assert_string_equal(taker.taken[0].conditions.marks, "3-of-10-rounds");
}

static void a_row_that_was_always_skipped_is_skipped(void **state)
{
    (void)state;
    for (int i = 3; i < 5; i++) {
        struct result r = in_round(skipped(row("matmul", "mnist", "cuda_tiled", "hot"), "no GPU"), i);
        add(&r);
    }
    assert_int_equal(only()->status, STATUS_SKIPPED);
    assert_string_equal(taker.taken[0].reason, "no GPU");
    assert_int_equal(taker.taken[0].round, 0);
}

static void a_verified_row_has_no_statistics(void **state)
{
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        struct result r = in_round(row("matmul", "mnist", "cuda_tiled", "hot"), i);
        add(&r);
    }
    assert_int_equal(only()->status, STATUS_OK);
    assert_int_equal(taker.taken[0].statistics.count, 0);
    assert_true(isnan(taker.taken[0].statistics.median));
}

static void samples_are_not_kept(void **state)
{
    (void)state;
    double samples[] = {1, 2};
    struct result r = in_round(failed(row("matmul", "mnist", "cuda_tiled", "hot"), "wrong"), 0);
    r.sample_s = samples;
    add(&r);
    assert_null(only()->sample_s);
}

/* More rows and rounds than the list has room for at first, in an order of their own in each round. */
static void rows_come_in_the_order_that_is_asked_for(void **state)
{
    (void)state;
    static const char *const variants[] = {"cpu_scalar", "cpu_tuned", "cuda_naive", "cuda_tiled", "cublas"};
    static const char *const names[] = {"matmul/mnist/cublas/hot", "matmul/mnist/not_there/hot",
                                        "matmul/mnist/cpu_tuned/hot", "matmul/mnist/cuda_naive/hot"};
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 5; i++) {
            int variant = (i * 2 + round) % 5;
            struct result r = in_round(timed(row("matmul", "mnist", variants[variant], "hot"), variant + 1), round);
            add(&r);
        }
    emit(names, 4);
    assert_int_equal(taker.count, 3);
    assert_string_equal(taker.taken[0].variant, "cublas");
    assert_string_equal(taker.taken[1].variant, "cpu_tuned");
    assert_string_equal(taker.taken[2].variant, "cuda_naive");
    assert_near(taker.taken[0].statistics.median, 5);
    assert_near(taker.taken[1].statistics.median, 2);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(taker.taken[i].statistics.count, ROUNDS);
}

static void nothing_added_is_nothing_reported(void **state)
{
    (void)state;
    static const char *const names[] = {"matmul/mnist/cublas/hot"};
    emit(names, 1);
    assert_int_equal(taker.count, 0);
}

static void every_reporter_gets_every_row_until_one_fails(void **state)
{
    (void)state;
    static const char *const names[] = {"matmul/mnist/cpu_scalar/hot", "matmul/mnist/cuda_tiled/hot"};
    static struct taker full;
    struct reporter reporters[] = {{.self = &taker, .result = take}, {.self = &full, .result = take}};
    struct error error = {""};
    struct result r = tiled(0, 1);
    add(&r);
    r = timed(row("matmul", "mnist", "cpu_scalar", "hot"), 1);
    add(&r);
    full = (struct taker){.room = TAKEN_MAX};
    assert_true(sum_up(names, 2, reporters, 2, &error));
    assert_int_equal(taker.count, 2);
    assert_int_equal(full.count, 2);
    full.room = 3;
    assert_false(sum_up(names, 2, reporters, 2, &error));
    assert_string_equal(error.text, "the disk is full");
    assert_int_equal(taker.count, 4);
}

#define test(function) cmocka_unit_test_setup(function, start)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(the_statistics_are_those_of_the_medians_of_rounds),
        test(the_speedup_is_the_ratio_of_the_times_that_are_shown),
        test(without_a_time_of_the_baseline_the_speedup_is_unknown),
        test(numbers_are_medians_of_what_is_known),
        test(rows_of_one_workload_have_one_ceiling),
        test(marks_of_all_rounds_are_joined),
        test(rounds_that_were_not_throttled_say_no),
        test(the_baseline_is_that_of_the_rounds_that_have_one),
        test(errors_are_those_of_the_worst_round),
        test(a_row_that_failed_once_has_failed),
        test(a_long_reason_is_cut),
        test(a_row_that_was_ok_in_some_rounds_is_ok_and_says_so),
        test(a_row_that_was_always_skipped_is_skipped),
        test(a_verified_row_has_no_statistics),
        test(samples_are_not_kept),
        test(rows_come_in_the_order_that_is_asked_for),
        test(nothing_added_is_nothing_reported),
        test(every_reporter_gets_every_row_until_one_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
