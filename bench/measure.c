#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_TICKS = 10000, /* so long a sample makes little of a tick, and of what starting and ending it costs */
    CALIBRATION_ROUNDS = 5,
    WARM_UP_WINDOW = 5,
};
/* Shares of the time that a row needs at least. */
static const double warm_up_at_least = 0.5, warm_up_at_most = 2.0;
/* Warm enough: the medians of two windows of samples in a row differ by less than this. */
static const double warm_up_agreement = 0.01;

struct samples {
    struct sample *items;
    size_t count, room;
};

static bool keep(struct samples *samples, const struct sample *sample)
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

/* How many iterations make a sample long against the timer's tick. */
static const char *calibrate(const struct mode *mode, const struct mode_context *context,
                             const struct measure_settings *settings, struct sample *sample, int64_t *iterations)
{
    double target_s = SAMPLE_TICKS * settings->tick_s;
    for (int round = 0; round < CALIBRATION_ROUNDS && *iterations < mode->max_iterations; round++) {
        double length_s = sample->seconds * (double)*iterations;
        if (length_s >= target_s)
            break;
        double wanted = length_s > 0 ? ceil(1.2 * target_s / sample->seconds) : (double)mode->max_iterations;
        *iterations = wanted < (double)mode->max_iterations ? (int64_t)wanted : mode->max_iterations;
        const char *trouble = mode->take(context, *iterations, sample);
        if (trouble)
            return trouble;
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
    double window[WARM_UP_WINDOW], previous = NAN;
    for (int filled = 0;;) {
        double spent = context->now() - start;
        if (spent >= warm_up_at_most * settings->min_time_s || settings->interrupted())
            return NULL;
        struct sample sample;
        const char *trouble = mode->take(context, iterations, &sample);
        if (trouble)
            return trouble;
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

static struct statistics look(const struct samples *samples, enum column column, double *scratch)
{
    for (size_t i = 0; i < samples->count; i++)
        scratch[i] = column_of(&samples->items[i], column);
    return statistics_of(scratch, samples->count);
}

/* Takes samples until it is time to stop. */
static const char *sample_row(const struct mode *mode, const struct mode_context *context,
                              const struct measure_settings *settings, struct samples *samples, double *scratch,
                              struct measurement *measurement)
{
    struct row_progress progress = {.tick_s = settings->tick_s / (double)measurement->iterations};
    double start = context->now();
    size_t next_look = stopping_next_look(0);
    while (measurement->stop_reason == STOP_NOT_YET) {
        struct sample sample;
        const char *trouble = mode->take(context, measurement->iterations, &sample);
        if (trouble)
            return trouble;
        if (!keep(samples, &sample))
            return "no memory for the samples";
        measurement->launch_bound = measurement->launch_bound || sample.launch_bound;
        progress.measured_s += sample.seconds * (double)measurement->iterations;
        progress.elapsed_s = context->now() - start;
        struct statistics statistics;
        bool looks = samples->count >= next_look;
        if (looks) {
            statistics = look(samples, SECONDS, scratch);
            next_look = stopping_next_look(samples->count);
        }
        measurement->stop_reason =
            stopping_decide(settings->min_time_s, &progress, samples->count, looks ? &statistics : NULL);
        if (measurement->stop_reason == STOP_NOT_YET && settings->interrupted())
            measurement->stop_reason = STOP_INTERRUPTED;
    }
    return NULL;
}

static const char *measure_into(const struct mode *mode, const struct mode_context *context,
                                const struct measure_settings *settings, struct samples *samples, double *scratch,
                                struct measurement *measurement)
{
    double start = context->now();
    struct sample first;
    const char *trouble = mode->take(context, 1, &first);
    if (trouble)
        return trouble;
    if (first.seconds >= STOPPING_BUDGET_FACTOR * settings->min_time_s) {
        /* One iteration is all that the row can afford; its first call was long ago, in verification. */
        if (!keep(samples, &first))
            return "no memory for the samples";
        measurement->stop_reason = STOP_ONE_SAMPLE;
        measurement->launch_bound = first.launch_bound;
        return NULL;
    }
    trouble = calibrate(mode, context, settings, &first, &measurement->iterations);
    if (!trouble)
        trouble = warm_up(mode, context, settings, measurement->iterations, start);
    return trouble ? trouble : sample_row(mode, context, settings, samples, scratch, measurement);
}

const char *measure_row(const struct mode *mode, const struct mode_context *context,
                        const struct measure_settings *settings, struct measurement *measurement)
{
    struct samples samples = {0};
    double *scratch = malloc(STOPPING_MAX_SAMPLES * sizeof *scratch);
    if (!scratch)
        return "no memory for the samples";
    *measurement = (struct measurement){.iterations = 1};
    const char *trouble = measure_into(mode, context, settings, &samples, scratch, measurement);
    if (!trouble) {
        measurement->statistics = look(&samples, SECONDS, scratch);
        measurement->upload_s = look(&samples, UPLOAD, scratch).median;
        measurement->kernel_s = look(&samples, KERNEL, scratch).median;
        measurement->download_s = look(&samples, DOWNLOAD, scratch).median;
    }
    free(scratch);
    free(samples.items);
    return trouble;
}
