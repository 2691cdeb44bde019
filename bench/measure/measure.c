#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_TICKS = 10000, /* length of a sample in ticks: a tick is then negligible */
    CALIBRATION_ROUNDS = 5,
    WARM_UP_WINDOW = 5,
    UNMOVED_SAMPLES = 100000,
};
/* Length of a sample: long against the cost of its start and end, a few microseconds on a GPU. */
static const double sample_s = 1e-3;
/* As shares of min_time_s. */
static const double sample_at_most = 0.05;
static const double warm_up_at_least = 0.25, warm_up_at_most = 2.0;
/* Warm: the medians of two consecutive windows of samples differ by less than this share. */
static const double warm_up_agreement = 0.01;
struct samples {
    struct sample *items;
    size_t count, room;
};

static bool append(struct samples *samples, const struct sample *sample)
{
    if (samples->count == samples->room) {
        size_t room = samples->room ? 2 * samples->room : 64;
        struct sample *items = realloc(samples->items, room * sizeof *items);
        if (!items)
            return false;
        samples->items = items;
        samples->room = room;
    }
    samples->items[samples->count++] = *sample;
    return true;
}

/* Finds the number of iterations that makes a sample long enough. */
static const char *calibrate(const struct mode *mode, const struct mode_context *context,
                             const struct measure_settings *settings, struct sample *sample, int64_t *iterations)
{
    double target_s = fmax(SAMPLE_TICKS * settings->tick_s, fmin(sample_s, sample_at_most * settings->min_time_s));
    for (int round = 0; round < CALIBRATION_ROUNDS && *iterations < mode->max_iterations; round++) {
        double length_s = sample->seconds * (double)*iterations;
        if (length_s >= target_s)
            break;
        double wanted = length_s > 0 ? ceil(1.2 * target_s / sample->seconds) : (double)mode->max_iterations;
        *iterations = wanted < (double)mode->max_iterations ? (int64_t)wanted : mode->max_iterations;
        const char *error = mode_begin(mode, context, *iterations);
        error = error ? error : mode->take(context, *iterations, sample);
        if (error)
            return error;
    }
    return NULL;
}

static double median_of(const double *window)
{
    double copy[WARM_UP_WINDOW];
    memcpy(copy, window, sizeof copy);
    return statistics_of(copy, WARM_UP_WINDOW).median;
}

static const char *warm_up(const struct mode *mode, const struct mode_context *context,
                           const struct measure_settings *settings, int64_t iterations, double start)
{
    double window[WARM_UP_WINDOW], previous = NAN, seen = start;
    for (int filled = 0, unmoved = 0;;) {
        double now = context->now(), spent = now - start;
        unmoved = now == seen ? unmoved + 1 : 0;
        seen = now;
        if (unmoved == UNMOVED_SAMPLES) /* or it would never end */
            return "the clock of this machine stands still: it showed the same time for 100000 samples";
        if (spent >= warm_up_at_most * settings->min_time_s || settings->interrupted())
            return NULL;
        struct sample sample;
        const char *error = mode->take(context, iterations, &sample);
        if (error)
            return error;
        window[filled++] = sample.seconds;
        if (filled < WARM_UP_WINDOW)
            continue;
        filled = 0;
        double median = median_of(window);
        bool agrees = fabs(median - previous) <= warm_up_agreement * median;
        previous = median;
        if (agrees && context->now() - start >= warm_up_at_least * settings->min_time_s)
            return NULL;
    }
}

enum column { SECONDS, UPLOAD, KERNEL, DOWNLOAD };

static double column_of(const struct sample *sample, enum column column)
{
    switch (column) {
    case UPLOAD: return sample->upload_s;
    case KERNEL: return sample->kernel_s;
    case DOWNLOAD: return sample->download_s;
    default: return sample->seconds;
    }
}

static struct statistics column_statistics(const struct samples *samples, enum column column, double *scratch)
{
    for (size_t i = 0; i < samples->count; i++)
        scratch[i] = column_of(&samples->items[i], column);
    return statistics_of(scratch, samples->count);
}

/* A row in progress. */
struct row_run {
    const struct mode *mode;
    const struct mode_context *context;
    const struct measure_settings *settings;
    struct measurement *measurement;
    struct samples samples;
    double *scratch;
    double start_s;          /* on the host's clock */
    double sampling_since_s; /* after start_s */
    struct row_progress progress;
    size_t next_check; /* number of samples at which statistics are computed next */
};

static const char *record_sample(struct row_run *run, const struct sample *sample)
{
    if (!append(&run->samples, sample))
        return "no memory for the samples";
    double now_s = run->context->now() - run->start_s;
    run->progress.shortest_s = fmin(run->progress.shortest_s, now_s - run->progress.elapsed_s);
    run->progress.elapsed_s = now_s;
    run->progress.sampled_s = now_s - run->sampling_since_s;
    run->measurement->launch_bound = run->measurement->launch_bound || sample->launch_bound;
    return NULL;
}

static enum stop_reason decide_stop(struct row_run *run)
{
    struct statistics statistics;
    bool is_due = run->samples.count >= run->next_check;
    if (is_due) {
        statistics = column_statistics(&run->samples, SECONDS, run->scratch);
        run->next_check = stopping_next_check(run->samples.count);
    }
    enum stop_reason reason =
        stopping_decide(run->settings->min_time_s, &run->progress, run->samples.count, is_due ? &statistics : NULL);
    return reason == STOP_NOT_YET && run->settings->interrupted() ? STOP_INTERRUPTED : reason;
}

/* Takes the first sample. If it alone is longer than a warm-up may be, it is recorded: the rung has already run once in
 * verification. Otherwise calibration and warm-up follow. */
static const char *begin_row(struct row_run *run)
{
    struct sample first;
    const char *error = mode_begin(run->mode, run->context, 1);
    error = error ? error : run->mode->take(run->context, 1, &first);
    if (error)
        return error;
    if (first.seconds >= warm_up_at_most * run->settings->min_time_s)
        return record_sample(run, &first);
    error = calibrate(run->mode, run->context, run->settings, &first, &run->measurement->iterations);
    error = error ? error : warm_up(run->mode, run->context, run->settings, run->measurement->iterations, run->start_s);
    run->progress.elapsed_s = run->sampling_since_s = run->context->now() - run->start_s;
    run->progress.tick_s = run->settings->tick_s / (double)run->measurement->iterations;
    return error;
}

static const char *sample_row(struct row_run *run)
{
    struct sample sample;
    const char *error = begin_row(run);
    while (!error) {
        if (run->samples.count > 0)
            run->measurement->stop_reason = decide_stop(run);
        if (run->measurement->stop_reason != STOP_NOT_YET)
            break;
        error = run->mode->take(run->context, run->measurement->iterations, &sample);
        error = error ? error : record_sample(run, &sample);
    }
    return error;
}

/* The samples in the order of time; statistics sort a copy. */
static double *in_order(const struct samples *samples)
{
    double *seconds = malloc((samples->count + 1) * sizeof *seconds);
    for (size_t i = 0; i < samples->count && seconds; i++)
        seconds[i] = samples->items[i].seconds;
    return seconds;
}

const char *measure_row(const struct mode *mode, const struct mode_context *context,
                        const struct measure_settings *settings, struct measurement *measurement)
{
    struct row_run run = {
        .mode = mode,
        .context = context,
        .settings = settings,
        .measurement = measurement,
        .scratch = malloc(STOPPING_MAX_SAMPLES * sizeof *run.scratch),
        .start_s = context->now(),
        .progress = {.tick_s = settings->tick_s, .interval_s = settings->interval_s, .shortest_s = INFINITY},
        .next_check = stopping_next_check(0),
    };
    *measurement = (struct measurement){.iterations = 1};
    if (!run.scratch)
        return "no memory for the samples";
    const char *error = sample_row(&run);
    mode_end(mode, context);
    if (!error) {
        measurement->statistics = column_statistics(&run.samples, SECONDS, run.scratch);
        measurement->upload_s = column_statistics(&run.samples, UPLOAD, run.scratch).median;
        measurement->kernel_s = column_statistics(&run.samples, KERNEL, run.scratch).median;
        measurement->download_s = column_statistics(&run.samples, DOWNLOAD, run.scratch).median;
        measurement->sample_s = in_order(&run.samples);
        if (!measurement->sample_s)
            error = "no memory for the samples";
    }
    free(run.scratch);
    free(run.samples.items);
    return error;
}

void measurement_free(struct measurement *measurement)
{
    free(measurement->sample_s);
    measurement->sample_s = NULL;
}
