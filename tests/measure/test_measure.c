/* Iterations per sample, warm-up and stopping of one row, with a scripted mode and clock. */
#include "bench/measure/measure.h"
#include "tests/fakes/fake_backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

/* A mode whose samples take the time that the script returns. */
static double (*script)(int64_t taken);
static int64_t taken, iterations_seen, interrupt_at;
static double overhead_s;
static const char *error;

static const char *take(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    (void)context;
    if (error)
        return error;
    double seconds = script(taken++);
    iterations_seen = iterations;
    fake.host_s += seconds * (double)iterations + overhead_s;
    *sample = (struct sample){seconds, NAN, NAN, NAN, false};
    return NULL;
}

static const struct mode batching = {.name = "batching", .transfer = "", .max_iterations = 256, .take = take};
static const struct mode single = {.name = "single", .transfer = "", .max_iterations = 1, .take = take};

static int interrupted(void)
{
    return interrupt_at > 0 && taken >= interrupt_at;
}

static const struct mode_context context = {.now = fake_now};

static const char *take_in_parts(const struct mode_context *unused, int64_t iterations, struct sample *sample)
{
    (void)unused, (void)iterations;
    fake.host_s += 6e-3;
    *sample = (struct sample){6e-3, 1e-3, 2e-3, 3e-3, false};
    return NULL;
}

static const struct mode in_parts = {.name = "parts", .transfer = "pinned", .max_iterations = 1, .take = take_in_parts};

static struct measurement measure(const struct mode *mode)
{
    struct measure_settings settings = {.min_time_s = 0.1, .tick_s = 32e-9, .interrupted = interrupted};
    struct measurement measurement;
    assert_null(measure_row(mode, &context, &settings, &measurement));
    measurement_free(&measurement);
    return measurement;
}

static int set_up(void **state)
{
    (void)state;
    fake_reset();
    taken = interrupt_at = 0;
    overhead_s = 0;
    error = NULL;
    return 0;
}

static double five_microseconds(int64_t at)
{
    (void)at;
    return 5e-6;
}

static double one_millisecond(int64_t at)
{
    (void)at;
    return 1e-3;
}

static double two_seconds(int64_t at)
{
    (void)at;
    return 2;
}

static double getting_faster(int64_t at)
{
    return 1e-3 * (1 + 2 * exp(-(double)at / 40));
}

static double never_the_same(int64_t at)
{
    return at % 2 ? 1e-3 : 2e-3;
}

static double no_time(int64_t at)
{
    (void)at;
    return 0;
}

static void a_clock_that_stands_still_is_an_error(void **state)
{
    (void)state;
    struct measure_settings settings = {.min_time_s = 0.1, .tick_s = 32e-9, .interrupted = interrupted};
    struct measurement measurement;
    script = no_time;
    const char *stands_still = measure_row(&single, &context, &settings, &measurement);
    assert_non_null(stands_still);
    assert_non_null(strstr(stands_still, "stands still"));
    measurement_free(&measurement);
}

static void steady_samples_settle(void **state)
{
    (void)state;
    script = one_millisecond;
    struct measurement m = measure(&single);
    assert_int_equal(m.stop_reason, STOP_SETTLED);
    assert_true(m.statistics.median == 1e-3);
    assert_true((double)m.statistics.count * 1e-3 >= 0.1 - 1e-9); /* measured for min_time_s or longer */
}

static void short_iterations_are_batched_until_a_sample_is_long_against_the_tick(void **state)
{
    (void)state;
    script = five_microseconds;
    struct measurement m = measure(&batching);
    assert_true((double)m.iterations * 5e-6 >= 1e-3);
    assert_int_equal(m.iterations, iterations_seen);
    assert_int_equal(measure(&single).iterations, 1);
}

static void one_long_iteration_is_one_sample_of_unknown_spread(void **state)
{
    (void)state;
    script = two_seconds;
    struct measurement m = measure(&batching);
    assert_int_equal(m.stop_reason, STOP_ONE_SAMPLE);
    assert_int_equal(taken, 1);
    assert_int_equal(m.statistics.count, 1);
    assert_true(m.statistics.median == 2);
    assert_true(isnan(m.statistics.stdev) && isnan(m.statistics.ci_low) && isnan(m.statistics.q1));
}

static double a_third_of_the_budget(int64_t at)
{
    (void)at;
    return 0.34;
}

static void no_sample_is_begun_that_would_not_end_in_time(void **state)
{
    (void)state;
    script = a_third_of_the_budget;
    double start = fake_now();
    struct measurement m = measure(&batching);
    assert_int_equal(m.stop_reason, STOP_BUDGET);
    assert_int_equal(m.statistics.count, 2); /* a third one would not fit */
    assert_true(fake_now() - start <= 10 * 0.1);
}

static void warm_up_lasts_until_samples_agree(void **state)
{
    (void)state;
    script = getting_faster;
    struct measurement m = measure(&single);
    /* The first samples took three times as long; they must not be recorded. */
    assert_true(m.statistics.mean < 1.1e-3);
}

static void noise_ends_at_the_budget(void **state)
{
    (void)state;
    script = never_the_same;
    double start = fake_now();
    struct measurement m = measure(&single);
    assert_int_equal(m.stop_reason, STOP_BUDGET);
    assert_true(fake_now() - start <= 10 * 0.1);
    assert_true(m.statistics.ci_high > m.statistics.ci_low);
}

/* The overhead stands for emptying the caches before each sample. */
static void overhead_between_samples_is_time_spent(void **state)
{
    (void)state;
    script = five_microseconds;
    overhead_s = 1e-3;
    double start = fake_now();
    struct measurement m = measure(&single);
    assert_int_equal(m.stop_reason, STOP_SETTLED);
    assert_true(m.statistics.count >= 90 && m.statistics.count <= 130);
    assert_true(fake_now() - start < 0.35); /* warm-up, then min_time_s once */
    script = never_the_same;
    overhead_s = 0.05;
    start = fake_now();
    assert_int_equal(measure(&single).stop_reason, STOP_BUDGET);
    assert_true(fake_now() - start <= 10 * 0.1);
}

static double a_tick_or_two(int64_t at)
{
    return at % 3 ? 64e-9 : 96e-9;
}

static void a_timer_too_coarse_to_settle_does_not_use_up_the_budget(void **state)
{
    (void)state;
    script = a_tick_or_two;
    overhead_s = 1e-4;
    assert_int_equal(measure(&single).stop_reason, STOP_TICK);
}

static void samples_are_in_the_order_of_time(void **state)
{
    (void)state;
    struct measure_settings settings = {.min_time_s = 0.1, .tick_s = 32e-9, .interrupted = interrupted};
    struct measurement m;
    script = never_the_same;
    assert_null(measure_row(&single, &context, &settings, &m));
    assert_true(m.statistics.count > 10);
    for (size_t i = 1; i < m.statistics.count; i++)
        assert_true(m.sample_s[i] != m.sample_s[i - 1]); /* if sorted, equal samples would be neighbours */
    measurement_free(&m);
}

static void parts_have_times_of_their_own(void **state)
{
    (void)state;
    struct measurement m = measure(&in_parts);
    assert_true(m.upload_s == 1e-3 && m.kernel_s == 2e-3 && m.download_s == 3e-3);
}

static double a_tenth_of_a_microsecond(int64_t at)
{
    (void)at;
    return 100e-9;
}

/* A sample of 256 iterations has one tick for all 256. */
static void a_batch_divides_the_tick(void **state)
{
    (void)state;
    script = a_tenth_of_a_microsecond; /* a tick is 32 % of one iteration, and 0.125 % of 256 */
    assert_int_equal(measure(&batching).stop_reason, STOP_SETTLED);
    overhead_s = 1e-4;
    assert_int_equal(measure(&single).stop_reason, STOP_TICK);
}

static void even_steady_samples_are_warmed_up(void **state)
{
    (void)state;
    script = one_millisecond;
    struct measurement m = measure(&single);
    assert_true(taken - (int64_t)m.statistics.count >= 25); /* samples of 1 ms: a quarter of min_time_s */
}

/* One sample stalls; its length does not predict that of the next. */
static double one_long_stall(int64_t at)
{
    return at == 150 ? 0.6 : 1e-3 * (1 + 0.1 * (double)(at % 7));
}

static void a_stall_does_not_end_a_row(void **state)
{
    (void)state;
    script = one_long_stall;
    struct measurement m = measure(&single);
    assert_true(m.statistics.count > 200);
}

static void an_interruption_ends_the_row(void **state)
{
    (void)state;
    script = never_the_same;
    interrupt_at = 20;
    assert_int_equal(measure(&single).stop_reason, STOP_INTERRUPTED);
    assert_true(taken <= 22);
}

static void an_error_in_a_sample_is_returned(void **state)
{
    (void)state;
    error = "the device is gone";
    struct measure_settings settings = {.min_time_s = 0.1, .tick_s = 32e-9, .interrupted = interrupted};
    struct measurement m;
    assert_string_equal(measure_row(&single, &context, &settings, &m), "the device is gone");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(steady_samples_settle, set_up),
        cmocka_unit_test_setup(short_iterations_are_batched_until_a_sample_is_long_against_the_tick, set_up),
        cmocka_unit_test_setup(one_long_iteration_is_one_sample_of_unknown_spread, set_up),
        cmocka_unit_test_setup(no_sample_is_begun_that_would_not_end_in_time, set_up),
        cmocka_unit_test_setup(warm_up_lasts_until_samples_agree, set_up),
        cmocka_unit_test_setup(noise_ends_at_the_budget, set_up),
        cmocka_unit_test_setup(overhead_between_samples_is_time_spent, set_up),
        cmocka_unit_test_setup(a_timer_too_coarse_to_settle_does_not_use_up_the_budget, set_up),
        cmocka_unit_test_setup(samples_are_in_the_order_of_time, set_up),
        cmocka_unit_test_setup(a_stall_does_not_end_a_row, set_up),
        cmocka_unit_test_setup(parts_have_times_of_their_own, set_up),
        cmocka_unit_test_setup(a_batch_divides_the_tick, set_up),
        cmocka_unit_test_setup(even_steady_samples_are_warmed_up, set_up),
        cmocka_unit_test_setup(an_interruption_ends_the_row, set_up),
        cmocka_unit_test_setup(an_error_in_a_sample_is_returned, set_up),
        cmocka_unit_test_setup(a_clock_that_stands_still_is_an_error, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
