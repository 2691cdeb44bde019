#include "trial.h"

#include "bench/measure/slowdown.h"
#include "row_result.h"
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct result trial_blank(const struct trial *trial, const struct row *row)
{
    const struct device *device = devices_find(trial->devices, row->rung->backend);
    struct result result = row_result(row, trial->facts, device->usable ? &device->info : NULL);
    snprintf(result.input, sizeof result.input, "%s", trial->host_problem->note.text);
    if (trial->launches.kernels > 0)
        result.launches = trial->launches;
    snprintf(result.runs_as, sizeof result.runs_as, "%s", trial->runs_as ? trial->runs_as : "");
    return result;
}

static void note_check(struct result *result, const struct check *check)
{
    result->max_abs_err = check->max_abs_err;
    result->err_bound = check->err_bound;
    result->rms_err = check->rms_err;
    conditions_mark(&result->conditions, check->mark);
}

struct result trial_verified(const struct trial *trial, const struct row *row, const struct check *verified)
{
    struct result result = trial_blank(trial, row);
    note_check(&result, verified);
    return result;
}

/* Checks the answer that the timed calls left in the outputs, or have downloaded. */
static void check_after_timing(const struct trial *trial, const struct row *row, struct check *check)
{
    const struct rung *rung = row->rung;
    const struct host_problem *host_problem = trial->host_problem;
    const char *error = buffers_check_guards(&trial->device_problem->buffers);
    if (row->mode->transfer[0] == '\0')
        error = error ? error : buffers_download(&trial->device_problem->buffers, host_problem->host);
    if (error) {
        check->correct = false;
        snprintf(check->reason, sizeof check->reason, "%s", error);
        return;
    }
    bool same = host_problem_same_answer(host_problem);
    if (same)
        return;
    rung->op->check(host_problem->reference, rung->precision, host_problem->host, check);
    if (check->correct && (rung->traits & RUNG_UNORDERED) == 0) {
        check->correct = false;
        snprintf(check->reason, sizeof check->reason, "the answer is not the verified one bit for bit");
    }
}

static void note_measurement(struct result *result, const struct measurement *measured)
{
    result->statistics = measured->statistics;
    result->sample_s = measured->sample_s;
    result->iterations = measured->iterations * (int64_t)measured->statistics.count;
    snprintf(result->stop_reason, sizeof result->stop_reason, "%s", stop_reason_name(measured->stop_reason));
    result->upload_s = measured->upload_s;
    result->kernel_s = measured->kernel_s;
    result->download_s = measured->download_s;
    result->launch_bound = measured->launch_bound;
}

/* Takes one more sample on the inputs that were verified: a rung that works in the first of many calls alone leaves the
 * poison in its outputs. */
static const char *repeat_on_poison(const struct mode *mode, const struct mode_context *context,
                                    const struct measurement *measured)
{
    struct sample sample;
    /* Poison after mode_begin(): work that a rung does during graph capture is not in the graph. */
    const char *error = mode_begin(mode, context, measured->iterations);
    error = error ? error : buffers_poison_outputs(context->buffers);
    error = error ? error : mode->take(context, measured->iterations, &sample);
    mode_end(mode, context);
    return error;
}

struct result trial_failed(const struct trial *trial, const struct row *row, const struct check *check)
{
    struct result result = trial_blank(trial, row);
    result_fail(&result, !check->is_unjudged, "", check->reason);
    return result;
}

static struct measure_settings settings_of(const struct trial *trial, const struct device *device)
{
    bool is_round = trial->options->rounds > 1 || trial->options->session[0] != '\0'; /* the rounds have the interval */
    return (struct measure_settings){
        .min_time_s = trial->options->min_time_s,
        .tick_s = device->tick_s,
        .interval_s = is_round ? 0 : STOPPING_INTERVAL_S,
        .interrupted = trial->clock->interrupted,
    };
}

/* Rows that transfer nothing leave it as it is: pinning a large buffer takes longer than such a row. */
static const char *pin_for(const struct trial *trial, const struct mode *mode)
{
    return mode->transfer[0] == '\0' ? NULL : device_problem_pin(trial->device_problem, mode->pins);
}

/* Calibrates the slowdown that --slowdown asks for. */
static const char *slow_down(const struct trial *trial, const struct row *row, const struct device *device,
                             struct mode_context *context, double *pct)
{
    struct measure_settings settings = settings_of(trial, device);
    if (row->slowdown_pct <= 0)
        return NULL;
    const char *error = pin_for(trial, row->mode);
    return error ? error : slowdown_calibrate(row->mode, context, &settings, row->slowdown_pct, pct);
}

static const char *measure_placed(const struct trial *trial, const struct row *row, const struct mode_context *context,
                                  const struct device *device, struct measurement *measured)
{
    struct measure_settings settings = settings_of(trial, device);
    const char *error = pin_for(trial, row->mode);
    error = error ? error : buffers_poison(context->buffers);
    return error ? error : measure_row(row->mode, context, &settings, measured);
}

/* The same, with the state of the device read before and after. */
static const char *measure_watched(const struct trial *trial, const struct row *row,
                                   const struct mode_context *context, const struct device *device, struct measurement *measured,
                                   struct conditions *conditions)
{
    const struct backend *backend = device->entry->backend;
    struct device_state before, after;
    if (!backend->read_state)
        return measure_placed(trial, row, context, device, measured);
    bool may_take_long = conditions_have_energy(STOPPING_BUDGET_FACTOR * trial->options->min_time_s);
    backend->read_state(&before, !may_take_long);
    double start_s = trial->clock->now();
    const char *error = measure_placed(trial, row, context, device, measured);
    double elapsed_s = trial->clock->now() - start_s;
    backend->read_state(&after, !may_take_long || !conditions_have_energy(elapsed_s));
    *conditions = conditions_between(&before, &after, elapsed_s, &device->info, row->rung->traits);
    return error;
}

static void note_correct_answer(const struct trial *trial, const struct row *row, const struct device *device,
                                const struct measurement *measured, const struct conditions *conditions,
                                struct result *result)
{
    note_measurement(result, measured);
    result->tick_s = device->tick_s;
    snprintf(result->transfer, sizeof result->transfer, "%s", row->mode->transfer);
    result->conditions = *conditions;
    if (!isnan(result->slowdown_pct))
        conditions_mark(&result->conditions, "slowed");
    if (row->mode->evicts)
        snprintf(result->flush, sizeof result->flush, "%s", device->info.eviction[trial->options->flush_by_writing]);
    if (trial->ceilings)
        verdict_measure_ceilings(trial->ceilings, device, trial->device_problem, result);
}

/* Times the rung. Afterwards only the answer matters. */
static const char *time_row(const struct trial *trial, const struct row *row, const struct device *device,
                            struct mode_context *context, struct measurement *measured, struct conditions *conditions)
{
    const struct backend *backend = device->entry->backend;
    char name[160];
    row_name(row, name, sizeof name);
    if (backend->range_begin)
        backend->range_begin(name);
    const char *error = measure_watched(trial, row, context, device, measured, conditions);
    if (backend->range_end)
        backend->range_end();
    context->is_slowed = false;
    return error;
}

/* A call is long if it takes more than this share of min_time_s, and more than so many seconds. */
static const double long_call = 0.1, long_call_s = 10e-3;

static bool is_long(double call_s, double min_time_s)
{
    return call_s > fmax(long_call * min_time_s, long_call_s);
}

/* What the timed calls did and, unless that takes long, what a later call does. */
static bool is_still_right(const struct trial *trial, const struct row *row, const struct mode_context *context,
                           const struct measurement *measured, struct check *check, struct result *result)
{
    bool repeats = !is_long(measured->statistics.median, trial->options->min_time_s);
    const char *error = repeats ? repeat_on_poison(row->mode, context, measured) : NULL;
    if (error) {
        result_fail(result, false, "failed after it was timed: ", error);
        return false;
    }
    check_after_timing(trial, row, check);
    note_check(result, check);
    if (!check->correct)
        result_fail(result, true, "correct before it was timed, then wrong: ", check->reason);
    return check->correct;
}

bool trial_measure(const struct trial *trial, const struct row *row, const struct check *verified,
                   struct measurement *measured, struct result *result)
{
    const struct device *device = devices_find(trial->devices, row->rung->backend);
    struct mode_context context = {
        .rung = row->rung,
        .buffers = &trial->device_problem->buffers,
        .host = trial->host_problem->host,
        .evict_by_writing = trial->options->flush_by_writing,
        .now = trial->clock->now,
    };
    struct conditions conditions = conditions_unknown();
    struct check check = *verified;
    *result = trial_blank(trial, row);
    note_check(result, verified);
    *measured = (struct measurement){0};
    const char *error = slow_down(trial, row, device, &context, &result->slowdown_pct);
    if (!error && trial->clock->interrupted())
        return false;
    error = error ? error : time_row(trial, row, device, &context, measured, &conditions);
    if (!error && measured->stop_reason == STOP_INTERRUPTED)
        return false; /* an unfinished row is no result */
    if (error) {
        result_fail(result, false, "failed while timed: ", error);
    } else if (is_still_right(trial, row, &context, measured, &check, result)) {
        note_correct_answer(trial, row, device, measured, &conditions, result);
        conditions_mark(&result->conditions, verified->mark);
    }
    return true;
}
