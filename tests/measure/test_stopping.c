/* The stopping rule and its reasons. */
#include "bench/measure/stopping.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

enum { ENOUGH = 100 };

static const double min_time_s = 0.1;

/* Statistics with a median of one second and an interval of this width. */
static struct statistics interval_of(double width)
{
    return (struct statistics){.count = ENOUGH, .median = 1, .ci_low = 1 - width / 2, .ci_high = 1 + width / 2};
}

/* A row that was measured for long enough, is far from its budget and has a perfect timer. */
static struct row_progress halfway(void)
{
    return (struct row_progress){.sampled_s = 2 * min_time_s, .elapsed_s = 3 * min_time_s, .tick_s = 0};
}

static enum stop_reason decide(struct row_progress progress, size_t samples, double width)
{
    struct statistics statistics = interval_of(width);
    return stopping_decide(min_time_s, &progress, samples, &statistics);
}

static void a_narrow_interval_settles_a_row(void **state)
{
    (void)state;
    assert_int_equal(decide(halfway(), ENOUGH, 0.0099), STOP_SETTLED);
    assert_int_equal(decide(halfway(), ENOUGH, 0.0101), STOP_NOT_YET);
}

static void the_interval_counts_relative_to_the_median(void **state)
{
    (void)state;
    struct row_progress progress = halfway();
    struct statistics small = {.count = ENOUGH, .median = 1e-6, .ci_low = 0.996e-6, .ci_high = 1.004e-6};
    assert_int_equal(stopping_decide(min_time_s, &progress, ENOUGH, &small), STOP_SETTLED);
    small.ci_low = 0.98e-6;
    assert_int_equal(stopping_decide(min_time_s, &progress, ENOUGH, &small), STOP_NOT_YET);
}

static void an_interval_is_never_narrower_than_a_tick(void **state)
{
    (void)state;
    struct row_progress progress = halfway();
    progress.tick_s = 0.0099;
    assert_int_equal(decide(progress, ENOUGH, 0), STOP_SETTLED);
    progress.tick_s = 0.0101;
    assert_int_equal(decide(progress, ENOUGH, 0), STOP_TICK);
    assert_int_equal(decide(progress, ENOUGH, 0.0101), STOP_TICK);
    assert_int_equal(decide(progress, ENOUGH, 0.0102), STOP_NOT_YET); /* more samples may narrow it */
}

static void too_few_samples_never_settle(void **state)
{
    (void)state;
    assert_int_equal(decide(halfway(), 9, 0), STOP_NOT_YET);
    assert_int_equal(decide(halfway(), 10, 0), STOP_SETTLED);
}

static void a_row_measured_for_too_short_a_time_does_not_settle(void **state)
{
    (void)state;
    struct row_progress progress = halfway();
    progress.sampled_s = 0.99 * min_time_s;
    assert_int_equal(decide(progress, ENOUGH, 0), STOP_NOT_YET);
    progress.sampled_s = min_time_s;
    assert_int_equal(decide(progress, ENOUGH, 0), STOP_SETTLED);
}

static void an_unknown_interval_does_not_settle(void **state)
{
    (void)state;
    struct row_progress progress = halfway();
    progress.tick_s = 0.02;
    struct statistics unknown = {.count = ENOUGH, .median = 1, .ci_low = NAN, .ci_high = NAN};
    assert_int_equal(stopping_decide(min_time_s, &progress, ENOUGH, &unknown), STOP_NOT_YET);
    unknown.median = NAN;
    progress.tick_s = 0;
    assert_int_equal(stopping_decide(min_time_s, &progress, ENOUGH, &unknown), STOP_NOT_YET);
}

static void ten_times_the_least_time_is_the_budget(void **state)
{
    (void)state;
    struct row_progress progress = halfway();
    progress.elapsed_s = 9.99 * min_time_s;
    assert_int_equal(decide(progress, ENOUGH, 1), STOP_NOT_YET);
    progress.elapsed_s = 10.01 * min_time_s;
    assert_int_equal(decide(progress, ENOUGH, 1), STOP_BUDGET);
    progress.elapsed_s = 6 * min_time_s; /* the next sample must end in time too */
    progress.shortest_s = 3.99 * min_time_s;
    assert_int_equal(decide(progress, ENOUGH, 1), STOP_NOT_YET);
    progress.shortest_s = 4.01 * min_time_s;
    assert_int_equal(decide(progress, ENOUGH, 1), STOP_BUDGET);
}

static void the_budget_counts_what_is_not_measured_too(void **state)
{
    (void)state;
    struct row_progress progress = {.sampled_s = 0.01 * min_time_s, .elapsed_s = 11 * min_time_s, .tick_s = 0};
    assert_int_equal(stopping_decide(min_time_s, &progress, 3, NULL), STOP_BUDGET);
}

static void beyond_the_budget_a_row_gets_the_samples_of_an_interval(void **state)
{
    (void)state;
    struct row_progress progress = {
        .sampled_s = 11 * min_time_s, .elapsed_s = 11 * min_time_s, .interval_s = STOPPING_INTERVAL_S};
    progress.shortest_s = STOPPING_INTERVAL_S / STATISTICS_MIN_FOR_INTERVAL * 0.999;
    assert_int_equal(stopping_decide(min_time_s, &progress, STATISTICS_MIN_FOR_INTERVAL - 1, NULL), STOP_NOT_YET);
    assert_int_equal(stopping_decide(min_time_s, &progress, STATISTICS_MIN_FOR_INTERVAL, NULL), STOP_BUDGET);
    progress.shortest_s *= 1.01;
    assert_int_equal(stopping_decide(min_time_s, &progress, STATISTICS_MIN_FOR_INTERVAL - 1, NULL), STOP_BUDGET);
}

static void one_iteration_beyond_the_budget_is_the_only_sample(void **state)
{
    (void)state;
    struct row_progress progress = {.sampled_s = 11 * min_time_s, .elapsed_s = 11 * min_time_s, .tick_s = 0};
    assert_int_equal(stopping_decide(min_time_s, &progress, 1, NULL), STOP_ONE_SAMPLE);
    assert_int_equal(stopping_decide(min_time_s, &progress, 2, NULL), STOP_BUDGET);
}

static void one_short_sample_is_not_the_only_one(void **state)
{
    (void)state;
    struct row_progress progress = {.sampled_s = 5 * min_time_s, .elapsed_s = 5 * min_time_s, .tick_s = 0};
    assert_int_equal(stopping_decide(min_time_s, &progress, 1, NULL), STOP_NOT_YET);
}

static void no_more_samples_are_taken_than_are_kept(void **state)
{
    (void)state;
    assert_int_equal(decide(halfway(), STOPPING_MAX_SAMPLES - 1, 1), STOP_NOT_YET);
    assert_int_equal(decide(halfway(), STOPPING_MAX_SAMPLES, 1), STOP_SAMPLES);
}

static void without_statistics_a_row_is_not_settled(void **state)
{
    (void)state;
    struct row_progress progress = halfway();
    assert_int_equal(stopping_decide(min_time_s, &progress, ENOUGH, NULL), STOP_NOT_YET);
    assert_int_equal(stopping_decide(min_time_s, &progress, STOPPING_MAX_SAMPLES, NULL), STOP_SAMPLES);
}

static void the_first_check_is_at_the_least_number_of_samples(void **state)
{
    (void)state;
    assert_int_equal(stopping_next_check(0), STOPPING_MIN_SAMPLES);
    assert_int_equal(stopping_next_check(STOPPING_MIN_SAMPLES - 1), STOPPING_MIN_SAMPLES);
}

/* Each check sorts all samples, so there are few; but a settled row soon gets its next check. */
static void checks_are_few_but_never_far_apart(void **state)
{
    (void)state;
    size_t checks = 0;
    for (size_t n = 0; n < STOPPING_MAX_SAMPLES; checks++) {
        size_t next = stopping_next_check(n);
        assert_true(next > n);
        if (n >= STOPPING_MIN_SAMPLES)
            assert_true(next <= n + n / 4 + 1);
        n = next;
    }
    assert_true(checks < 200);
}

static void a_row_has_longer_than_its_budget_before_it_hangs(void **state)
{
    (void)state;
    for (int is_own_kernel = 0; is_own_kernel < 2; is_own_kernel++) {
        double least_s = stopping_row_limit_s(is_own_kernel, 0, 0);
        assert_true(least_s >= 60); /* preparation, on a busy machine */
        assert_true(stopping_row_limit_s(is_own_kernel, 100, 0) >= least_s + 100 * STOPPING_BUDGET_FACTOR);
        assert_true(stopping_row_limit_s(is_own_kernel, 0, 1e10) >= least_s + 50); /* a simple loop, several times */
    }
}

static void who_waits_for_a_row_waits_two_minutes_at_most(void **state)
{
    (void)state;
    assert_true(stopping_row_limit_s(true, 0.1, 2e9) < 120);
    assert_true(stopping_row_limit_s(true, 0.1, 2e9) < stopping_row_limit_s(false, 0.1, 2e9) / 2);
}

static void each_reason_has_its_name(void **state)
{
    (void)state;
    assert_string_equal(stop_reason_name(STOP_NOT_YET), "");
    assert_string_equal(stop_reason_name(STOP_SETTLED), "settled");
    assert_string_equal(stop_reason_name(STOP_BUDGET), "budget");
    assert_string_equal(stop_reason_name(STOP_SAMPLES), "samples");
    assert_string_equal(stop_reason_name(STOP_ONE_SAMPLE), "one-sample");
    assert_string_equal(stop_reason_name(STOP_INTERRUPTED), "interrupted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_narrow_interval_settles_a_row),
        cmocka_unit_test(the_interval_counts_relative_to_the_median),
        cmocka_unit_test(an_interval_is_never_narrower_than_a_tick),
        cmocka_unit_test(too_few_samples_never_settle),
        cmocka_unit_test(a_row_measured_for_too_short_a_time_does_not_settle),
        cmocka_unit_test(an_unknown_interval_does_not_settle),
        cmocka_unit_test(ten_times_the_least_time_is_the_budget),
        cmocka_unit_test(the_budget_counts_what_is_not_measured_too),
        cmocka_unit_test(beyond_the_budget_a_row_gets_the_samples_of_an_interval),
        cmocka_unit_test(one_iteration_beyond_the_budget_is_the_only_sample),
        cmocka_unit_test(one_short_sample_is_not_the_only_one),
        cmocka_unit_test(no_more_samples_are_taken_than_are_kept),
        cmocka_unit_test(without_statistics_a_row_is_not_settled),
        cmocka_unit_test(the_first_check_is_at_the_least_number_of_samples),
        cmocka_unit_test(checks_are_few_but_never_far_apart),
        cmocka_unit_test(a_row_has_longer_than_its_budget_before_it_hangs),
        cmocka_unit_test(who_waits_for_a_row_waits_two_minutes_at_most),
        cmocka_unit_test(each_reason_has_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
