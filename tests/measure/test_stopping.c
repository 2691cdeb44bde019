/* The stopping rule and its reasons. */
#include "bench/measure/measure.h"
#include "tests/unit.h"

/* Seconds are in units of min_time_s, the median is one second, and the interval so wide: NAN stands for an unknown
 * one, NO for statistics that were not computed. */
#define NO (-1.0)
static const struct decision {
    struct row_progress progress;
    size_t samples;
    double width;
    enum stop_reason expected;
} decisions[] = {
#define ROW(sampled, elapsed, shortest, tick, interval) \
    {                                                   \
        sampled, elapsed, shortest, tick, interval      \
    }
#define HALFWAY ROW(2, 3, 0, 0, 0) /* long enough, far from its budget, with a perfect timer */
#define MIN STOPPING_MIN_SAMPLES
#define MAX STOPPING_MAX_SAMPLES
#define SIX STATISTICS_MIN_FOR_INTERVAL
    /* A narrow interval settles a row. */
    {HALFWAY, 100, 0.0099, STOP_SETTLED},
    {HALFWAY, 100, 0.0101, STOP_NOT_YET},
    {HALFWAY, MIN - 1, 0, STOP_NOT_YET},
    {HALFWAY, MIN, 0, STOP_SETTLED},
    {HALFWAY, 100, NO, STOP_NOT_YET},
    {ROW(0.99, 3, 0, 0, 0), 100, 0, STOP_NOT_YET},
    {ROW(1, 3, 0, 0, 0), 100, 0, STOP_SETTLED},
    /* It is never narrower than a tick. */
    {ROW(2, 3, 0, 0.0099, 0), 100, 0, STOP_SETTLED},
    {ROW(2, 3, 0, 0.0101, 0), 100, 0, STOP_TICK},
    {ROW(2, 3, 0, 0.0101, 0), 100, 0.0101, STOP_TICK},
    {ROW(2, 3, 0, 0.0101, 0), 100, 0.0102, STOP_NOT_YET}, /* more samples may narrow it */
    {ROW(2, 3, 0, 0.02, 0), 100, NAN, STOP_NOT_YET},
    /* Ten times the least time is the budget, in which the next sample must end; all that takes time counts. */
    {ROW(2, 9.99, 0, 0, 0), 100, 1, STOP_NOT_YET},
    {ROW(2, 10.01, 0, 0, 0), 100, 1, STOP_BUDGET},
    {ROW(2, 6, 3.99, 0, 0), 100, 1, STOP_NOT_YET},
    {ROW(2, 6, 4.01, 0, 0), 100, 1, STOP_BUDGET},
    {ROW(0.01, 11, 0, 0, 0), 3, NO, STOP_BUDGET},
    /* One iteration beyond the budget is the only sample. */
    {ROW(11, 11, 0, 0, 0), 1, NO, STOP_ONE_SAMPLE},
    {ROW(11, 11, 0, 0, 0), 2, NO, STOP_BUDGET},
    {ROW(5, 5, 0, 0, 0), 1, NO, STOP_NOT_YET},
    /* Beyond the budget a row gets the samples that an interval needs, if they are short. */
    {ROW(11, 11, STOPPING_INTERVAL_S / SIX * 9.99, 0, STOPPING_INTERVAL_S * 10), SIX - 1, NO, STOP_NOT_YET},
    {ROW(11, 11, STOPPING_INTERVAL_S / SIX * 9.99, 0, STOPPING_INTERVAL_S * 10), SIX, NO, STOP_BUDGET},
    {ROW(11, 11, STOPPING_INTERVAL_S / SIX * 10.1, 0, STOPPING_INTERVAL_S * 10), SIX - 1, NO, STOP_BUDGET},
    /* No more samples are taken than are kept. */
    {HALFWAY, MAX - 1, 1, STOP_NOT_YET},
    {HALFWAY, MAX, 1, STOP_SAMPLES},
    {HALFWAY, MAX, NO, STOP_SAMPLES},
};

static enum stop_reason decide(const struct decision *d, double median)
{
    static const double min_time_s = 0.1;
    const struct row_progress progress = {d->progress.sampled_s * min_time_s, d->progress.elapsed_s * min_time_s,
                                          d->progress.shortest_s * min_time_s, d->progress.tick_s * median,
                                          d->progress.interval_s * min_time_s};
    const struct statistics statistics = {.count = d->samples,
                                          .median = median,
                                          .ci_low = median * (1 - d->width / 2),
                                          .ci_high = median * (1 + d->width / 2)};
    return stopping_decide(min_time_s, &progress, d->samples, d->width == NO ? NULL : &statistics);
}

/* Widths and ticks count relative to the median. */
TEST(a_row_stops_for_its_reason)
{
    for (size_t i = 0; i < sizeof decisions / sizeof decisions[0]; i++)
        for (double median = 0x1p-20; median <= 1; median *= 0x1p10)
            if (decide(&decisions[i], median) != decisions[i].expected)
                fail_msg("decision %zu, median %g s: %s", i, median, stop_reason_name(decide(&decisions[i], median)));
}

/* Each check sorts all samples, so there are few; but a settled row soon gets its next check. */
TEST(checks_are_few_but_never_far_apart)
{
    size_t checks = 0;
    assert_int_equal(stopping_next_check(0), MIN);
    assert_int_equal(stopping_next_check(MIN - 1), MIN);
    for (size_t n = MIN; n < MAX; checks++) {
        size_t next = stopping_next_check(n);
        assert_in_range(next, n + 1, n + n / 4 + 1);
        n = next;
    }
    assert_true(checks < 200);
}

TEST(a_row_has_longer_than_its_budget_before_it_hangs)
{
    for (int is_own_kernel = 0; is_own_kernel < 2; is_own_kernel++) {
        double least_s = stopping_row_limit_s(is_own_kernel, 0, 0, 0);
        assert_true(least_s >= 60); /* preparation, on a busy machine */
        assert_true(stopping_row_limit_s(is_own_kernel, 100, 0, 0) >= least_s + 100 * STOPPING_BUDGET_FACTOR);
        assert_true(stopping_row_limit_s(is_own_kernel, 0, 0, 1e10) >= least_s + 50); /* a simple loop, several times */
        assert_true(stopping_row_limit_s(is_own_kernel, 0, 99, 1e10) >= least_s + 100 * 50); /* as often */
        assert_true(stopping_row_limit_s(is_own_kernel, 0, 1000, 0) >= least_s + 10);        /* caches are emptied */
    }
    assert_true(stopping_row_limit_s(true, 0.1, 0, 2e9) < 120); /* who waits for it waits two minutes at most */
    assert_true(stopping_row_limit_s(true, 0.1, 0, 2e9) < stopping_row_limit_s(false, 0.1, 0, 2e9) / 2);
}

TEST(each_reason_has_its_name)
{
    static const char *const names[] = {"",        "settled",    "tick",  "budget",
                                        "samples", "one-sample", "fixed", "interrupted"};
    for (enum stop_reason reason = STOP_NOT_YET; reason <= STOP_INTERRUPTED; reason++)
        assert_string_equal(stop_reason_name(reason), names[reason]);
}
