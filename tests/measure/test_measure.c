/* Iterations per sample, warm-up and stopping of one row, with a scripted mode and clock. */
#include "bench/measure/measure.h"
#include "tests/fakes/fake_backend.h"
#include "tests/unit.h"

/* A mode whose samples take the time that the script returns. */
typedef double scripted(int64_t taken);
static scripted *script;
static int64_t taken, iterations_seen, interrupt_at;
static double overhead_s, start_s;
static const char *error;

static const char *take(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    if (error)
        return error;
    double seconds = script(taken++);
    iterations_seen = iterations;
    fake.host_s += seconds * (double)iterations + overhead_s;
    *sample = (struct sample){seconds, 0.25 * seconds, 0.5 * seconds, 0.125 * seconds, false, 2 * seconds};
    return NULL;
}

static const struct mode batching = {.name = "batching", .transfer = "", .max_iterations = 256, .take = take};
static const struct mode single = {.name = "single", .transfer = "", .max_iterations = 1, .take = take};

static int interrupted(void)
{
    return interrupt_at > 0 && taken >= interrupt_at;
}

static const double min_time_s = 0.1, tick_s = 32e-9;
static int fixed_samples;
static bool samples_are_calls;
static double min_warm_up_s;

static const char *try(const struct mode *mode, scripted *times, struct measurement *measurement)
{
    const struct mode_context context = {.now = fake_now};
    const struct measure_settings settings = {.min_time_s = min_time_s,
                                              .samples = fixed_samples,
                                              .samples_are_calls = samples_are_calls,
                                              .min_warm_up_s = min_warm_up_s,
                                              .tick_s = tick_s,
                                              .interrupted = interrupted};
    script = times;
    taken = 0;
    start_s = fake_now();
    return measure_row(mode, &context, &settings, measurement);
}

static struct measurement measure(const struct mode *mode, scripted *times)
{
    struct measurement measurement;
    assert_null(try(mode, times, &measurement));
    measurement_free(&measurement);
    return measurement;
}

static int set_up(void **state)
{
    fake_reset();
    interrupt_at = 0;
    overhead_s = 0;
    fixed_samples = 0;
    samples_are_calls = false;
    min_warm_up_s = 0;
    error = NULL;
    return 0;
}

#define SCRIPT(name, seconds)      \
    static double name(int64_t at) \
    {                              \
        (void)at;                  \
        return seconds;            \
    }
SCRIPT(a_tenth_of_a_microsecond, 100e-9)
SCRIPT(a_tick_or_two, at % 3 ? 64e-9 : 96e-9)
SCRIPT(five_microseconds, 5e-6)
SCRIPT(one_millisecond, 1e-3)
SCRIPT(never_the_same, at % 2 ? 1e-3 : 2e-3)
SCRIPT(getting_faster, 1e-3 * (1 + 2 * exp(-(double)at / 40)))
SCRIPT(one_long_stall, at == 150 ? 0.6 : 1e-3 * (1 + 0.1 * (double)(at % 7)))
SCRIPT(a_third_of_the_budget, 0.34)
SCRIPT(two_seconds, 2)

/* `overhead_s` stands for emptying the caches before each sample; that time is spent, too. */
TEST(a_row_ends_for_a_reason_within_its_time)
{
    static const struct {
        const struct mode *mode;
        scripted *times;
        double overhead_s;
        enum stop_reason reason;
        size_t least, most; /* samples */
        double within_s;
    } rows[] = {
        {&single, one_millisecond, 0, STOP_SETTLED, 100, 200, 0.5},
        {&single, five_microseconds, 1e-3, STOP_SETTLED, 90, 130, 0.35},     /* warm-up, then min_time_s once */
        {&batching, a_tenth_of_a_microsecond, 0, STOP_SETTLED, 10, 5000, 1}, /* all iterations have one tick */
        {&single, a_tenth_of_a_microsecond, 1e-4, STOP_TICK, 10, 5000, 1},
        {&single, a_tick_or_two, 1e-4, STOP_TICK, 10, 5000, 1},
        {&single, never_the_same, 0, STOP_BUDGET, 100, 1000, 1.001}, /* the next may be the longer one */
        {&single, never_the_same, 0.05, STOP_BUDGET, 10, 20, 1.001},
        {&batching, a_third_of_the_budget, 0, STOP_BUDGET, 2, 2, 1}, /* a third one would not fit */
        {&single, one_long_stall, 0, STOP_SETTLED, 200, 1000, 1.6},  /* its length does not predict the next */
        {&batching, two_seconds, 0, STOP_ONE_SAMPLE, 1, 1, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        overhead_s = rows[i].overhead_s;
        struct measurement m = measure(rows[i].mode, rows[i].times);
        if (m.stop_reason != rows[i].reason || m.statistics.count < rows[i].least ||
            m.statistics.count > rows[i].most || fake_now() - start_s > rows[i].within_s + 1e-9)
            fail_msg("row %zu: %s, %zu samples in %g s", i, stop_reason_name(m.stop_reason), m.statistics.count,
                     fake_now() - start_s);
        assert_int_equal(isnan(m.statistics.ci_low) || isnan(m.statistics.stdev), m.statistics.count < 6);
    }
}

TEST(short_iterations_are_batched_until_a_sample_is_long_against_the_tick)
{
    struct measurement m = measure(&batching, five_microseconds);
    assert_true((double)m.iterations * 5e-6 >= 1e-3);
    assert_int_equal(m.iterations, iterations_seen);
    assert_int_equal(measure(&batching, two_seconds).iterations, 1);
    assert_int_equal(taken, 1);
    assert_int_equal(measure(&single, five_microseconds).iterations, 1);
}

/* Steady ones for a while, and others until they agree: what was slower is not recorded. */
TEST(samples_are_warmed_up)
{
    struct measurement m = measure(&single, one_millisecond);
    assert_true(m.statistics.median == 1e-3);
    assert_true(taken - (int64_t)m.statistics.count >= 25); /* samples of 1 ms: a quarter of min_time_s */
    assert_true(measure(&single, getting_faster).statistics.mean < 1.1e-3);
}

/* Which is no part of its time limit; and what is long enough without it is not recorded either. */
TEST(warm_up_lasts_as_long_as_was_asked_for)
{
    min_warm_up_s = 5;
    struct measurement m = measure(&single, one_millisecond);
    assert_true(taken - (int64_t)m.statistics.count >= 5000);
    assert_int_equal(m.stop_reason, STOP_SETTLED);
    m = measure(&single, two_seconds);
    assert_int_equal(taken - (int64_t)m.statistics.count, 3);
}

TEST(samples_of_a_call_are_not_batched)
{
    fixed_samples = 7;
    samples_are_calls = true;
    struct measurement m = measure(&batching, five_microseconds);
    assert_true(m.iterations == 1 && m.statistics.count == 7);
}

TEST(samples_are_in_the_order_of_time)
{
    struct measurement m;
    assert_null(try(&single, never_the_same, &m));
    assert_true(m.statistics.count > 10);
    for (size_t i = 1; i < m.statistics.count; i++)
        assert_true(m.sample_s[i] != m.sample_s[i - 1]); /* if sorted, equal samples would be neighbours */
    measurement_free(&m);
}

TEST(parts_have_times_of_their_own)
{
    struct measurement m = measure(&single, one_millisecond);
    assert_true(m.upload_s == 0.25e-3 && m.kernel_s == 0.5e-3 && m.download_s == 0.125e-3 && m.cpu_s == 2e-3);
}

/* Fewer than would settle it, more than its time allows, a single long one, and as many as can be kept. */
TEST(a_fixed_number_of_samples_is_taken_whatever_they_show)
{
    static scripted *const scripts[] = {one_millisecond, never_the_same, two_seconds, a_tick_or_two};
    static const int numbers[] = {1, 2, 7, 1000, STOPPING_MAX_SAMPLES};
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
        for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
            fixed_samples = numbers[n];
            struct measurement m = measure(&single, scripts[i]);
            assert_int_equal(m.statistics.count, numbers[n]);
            assert_int_equal(m.stop_reason, STOP_FIXED);
        }
    interrupt_at = 200;
    struct measurement m = measure(&single, one_millisecond);
    assert_int_equal(m.stop_reason, STOP_INTERRUPTED);
    assert_true(m.statistics.count < 200);
}

TEST(an_interruption_ends_the_row)
{
    interrupt_at = 20;
    assert_int_equal(measure(&single, never_the_same).stop_reason, STOP_INTERRUPTED);
    assert_true(taken <= 22);
}

TEST(what_cannot_be_timed_is_an_error)
{
    struct measurement m;
    error = "the device is gone";
    assert_string_equal(try(&single, one_millisecond, &m), error);
    measurement_free(&m);
}

AROUND_EACH_TEST(set_up, NULL)
