#include "measure.h"

#include "bench/base/memory.h"
#include "bench/place/devices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_TICKS = 10000, /* length of a sample in ticks: a tick is then negligible */
    CALIBRATION_ROUNDS = 5,
    WARM_UP_WINDOW = 5,
};
/* Length of a sample: long against the cost of its start and end, a few microseconds on a GPU. */
static const double sample_s = 1e-3;
/* As shares of min_time_s. */
static const double sample_at_most = 0.05;
static const double warm_up_at_least = 0.25, warm_up_at_most = 2.0;
/* Warm: the medians of two consecutive windows of samples differ by less than this share. */
static const double warm_up_agreement = 0.01;

enum column { SECONDS, UPLOAD, KERNEL, DOWNLOAD, CPU, COLUMNS };

struct row_run {
    const struct mode *mode;
    const struct mode_context *context;
    const struct measure_settings *settings;
    struct measurement *measurement;
    double *columns[COLUMNS + 1]; /* of samples, in the order of time; the last one is scratch */
    size_t count;
    double start_s;          /* on the host's clock */
    double sampling_since_s; /* after start_s */
    struct row_progress progress;
    size_t next_check; /* number of samples at which statistics are computed next */
};

static const char *take(const struct row_run *run, struct sample *sample)
{
    return run->mode->take(run->context, run->measurement->iterations, sample);
}

/* Finds the number of iterations that makes a sample long enough. */
static const char *calibrate(const struct row_run *run, struct sample *sample)
{
    const struct measure_settings *settings = run->settings;
    const int64_t most = run->mode->max_iterations;
    int64_t *iterations = &run->measurement->iterations;
    double target_s = fmax(SAMPLE_TICKS * settings->tick_s, fmin(sample_s, sample_at_most * settings->min_time_s));
    for (int round = 0; round < CALIBRATION_ROUNDS && *iterations < most; round++) {
        double length_s = sample->seconds * (double)*iterations;
        if (length_s >= target_s)
            break;
        double wanted = length_s > 0 ? ceil(1.2 * target_s / sample->seconds) : (double)most;
        *iterations = wanted < (double)most ? (int64_t)wanted : most;
        TRY_CALL(mode_begin(run->mode, run->context, *iterations));
        TRY_CALL(take(run, sample));
    }
    return NULL;
}

static const char *warm_up(const struct row_run *run)
{
    const struct measure_settings *settings = run->settings;
    const double least_s = fmax(warm_up_at_least * settings->min_time_s, settings->min_warm_up_s);
    const double most_s = fmax(warm_up_at_most * settings->min_time_s, settings->min_warm_up_s);
    double window[WARM_UP_WINDOW], previous = NAN, spent_s = run->context->now() - run->start_s;
    bool agrees = false;
    while (!agrees || spent_s < least_s) {
        for (int i = 0; i < WARM_UP_WINDOW; i++) {
            struct sample sample;
            if (spent_s >= most_s || settings->interrupted())
                return NULL;
            TRY_CALL(take(run, &sample));
            window[i] = sample.seconds;
            spent_s = run->context->now() - run->start_s;
        }
        double median = statistics_of(window, WARM_UP_WINDOW).median;
        agrees = fabs(median - previous) <= warm_up_agreement * median;
        previous = median;
    }
    return NULL;
}

static struct statistics column_statistics(const struct row_run *run, enum column column)
{
    double *scratch = run->columns[COLUMNS];
    memcpy(scratch, run->columns[column], run->count * sizeof *scratch);
    return statistics_of(scratch, run->count);
}

static void record_sample(struct row_run *run, const struct sample *sample)
{
    run->columns[SECONDS][run->count] = sample->seconds;
    run->columns[UPLOAD][run->count] = sample->upload_s;
    run->columns[KERNEL][run->count] = sample->kernel_s;
    run->columns[DOWNLOAD][run->count] = sample->download_s;
    run->columns[CPU][run->count] = sample->cpu_s;
    run->count++;
    double now_s = run->context->now() - run->start_s;
    run->progress.shortest_s = fmin(run->progress.shortest_s, now_s - run->progress.elapsed_s);
    run->progress.elapsed_s = now_s;
    run->progress.sampled_s = now_s - run->sampling_since_s;
    run->measurement->launch_bound = run->measurement->launch_bound || sample->launch_bound;
}

static enum stop_reason judge_samples(struct row_run *run)
{
    struct statistics statistics;
    bool is_due = run->count >= run->next_check;
    if (is_due) {
        statistics = column_statistics(run, SECONDS);
        run->next_check = stopping_next_check(run->count);
    }
    return stopping_decide(run->settings->min_time_s, &run->progress, run->count, is_due ? &statistics : NULL);
}

static enum stop_reason decide_stop(struct row_run *run)
{
    const size_t fixed = (size_t)run->settings->samples;
    enum stop_reason reason = fixed == 0 ? judge_samples(run) : run->count < fixed ? STOP_NOT_YET : STOP_FIXED;
    return reason == STOP_NOT_YET && run->settings->interrupted() ? STOP_INTERRUPTED : reason;
}

/* Takes the first sample. If it alone is longer than a warm-up may be, it is recorded: the rung has already run once in
 * verification. Otherwise calibration and warm-up follow. */
static const char *begin_row(struct row_run *run)
{
    struct sample first;
    TRY_CALL(mode_begin(run->mode, run->context, 1));
    TRY_CALL(take(run, &first));
    if (first.seconds >= warm_up_at_most * run->settings->min_time_s && run->settings->min_warm_up_s == 0) {
        record_sample(run, &first);
        return NULL;
    }
    if (!run->settings->samples_are_calls)
        TRY_CALL(calibrate(run, &first));
    TRY_CALL(warm_up(run));
    run->start_s += run->settings->min_warm_up_s; /* is no part of the row's time limit */
    run->progress.elapsed_s = run->sampling_since_s = run->context->now() - run->start_s;
    run->progress.tick_s = run->settings->tick_s / (double)run->measurement->iterations;
    return NULL;
}

static const char *sample_row(struct row_run *run)
{
    struct sample sample;
    TRY_CALL(begin_row(run));
    for (;;) {
        if (run->count > 0)
            run->measurement->stop_reason = decide_stop(run);
        if (run->measurement->stop_reason != STOP_NOT_YET)
            return NULL;
        TRY_CALL(take(run, &sample));
        record_sample(run, &sample);
    }
}

const char *measure_row(const struct mode *mode, const struct mode_context *context,
                        const struct measure_settings *settings, struct measurement *measurement)
{
    struct row_run run = {
        .mode = mode,
        .context = context,
        .settings = settings,
        .measurement = measurement,
        .start_s = context->now(),
        .progress = {.tick_s = settings->tick_s, .interval_s = settings->interval_s, .shortest_s = INFINITY},
        .next_check = stopping_next_check(0),
    };
    double *samples = memory_get((COLUMNS + 1) * STOPPING_MAX_SAMPLES, sizeof *samples);
    *measurement = (struct measurement){.iterations = 1, .sample_s = samples};
    for (size_t i = 0; i <= COLUMNS; i++)
        run.columns[i] = samples + i * STOPPING_MAX_SAMPLES;
    TRY_CALL(sample_row(&run));
    measurement->statistics = column_statistics(&run, SECONDS);
    measurement->upload_s = column_statistics(&run, UPLOAD).median;
    measurement->kernel_s = column_statistics(&run, KERNEL).median;
    measurement->download_s = column_statistics(&run, DOWNLOAD).median;
    measurement->cpu_s = column_statistics(&run, CPU).median;
    return NULL;
}

void measurement_free(struct measurement *measurement)
{
    free(measurement->sample_s);
    measurement->sample_s = NULL;
}

/* The interval counts as at least one tick wide: samples that all fall on the same tick are not exact. Comparisons with
 * NAN are false. */
static enum stop_reason judge_interval(const struct statistics *statistics, double tick_s)
{
    double width = statistics->ci_high - statistics->ci_low;
    if (fmax(width, tick_s) / 2 <= STOPPING_RELATIVE_HALF_WIDTH * statistics->median)
        return STOP_SETTLED;
    return width <= tick_s ? STOP_TICK : STOP_NOT_YET;
}

enum stop_reason stopping_decide(double min_time_s, const struct row_progress *progress, size_t samples,
                                 const struct statistics *statistics)
{
    if (samples >= STOPPING_MAX_SAMPLES)
        return STOP_SAMPLES;
    enum stop_reason reason = STOP_NOT_YET;
    if (statistics && samples >= STOPPING_MIN_SAMPLES && progress->sampled_s >= min_time_s)
        reason = judge_interval(statistics, progress->tick_s);
    if (reason != STOP_NOT_YET)
        return reason;
    bool owes_interval = samples < STATISTICS_MIN_FOR_INTERVAL &&
                         progress->shortest_s * STATISTICS_MIN_FOR_INTERVAL < progress->interval_s;
    if (progress->elapsed_s + progress->shortest_s > STOPPING_BUDGET_FACTOR * min_time_s && !owes_interval)
        return samples == 1 ? STOP_ONE_SAMPLE : STOP_BUDGET;
    return STOP_NOT_YET;
}

size_t stopping_next_check(size_t samples)
{
    return samples < STOPPING_MIN_SAMPLES ? STOPPING_MIN_SAMPLES : samples + samples / 8 + 1;
}

double stopping_row_limit_s(bool is_own_kernel, double min_time_s, int samples, double work)
{
    /* Rungs that are slower than the second rate have no such rows. */
    const double preparation_s = is_own_kernel ? 60 : 300, slow_rate = 2e7, rate = is_own_kernel ? 1e8 : 2e8;
    const double slow_work = is_own_kernel ? 0 : fmin(work, FEASIBLE_SLOW_FLOP_LIMIT);
    const double call_s = slow_work / slow_rate + work / rate, around_call_s = 0.05;
    return preparation_s + 2 * STOPPING_BUDGET_FACTOR * min_time_s + call_s + samples * (call_s + around_call_s);
}

const char *stop_reason_name(enum stop_reason reason)
{
    static const char *const names[] = {"",        "settled",    "tick",  "budget",
                                        "samples", "one-sample", "fixed", "interrupted"};
    return names[reason];
}
