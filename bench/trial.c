#include "trial.h"

#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct result trial_blank(const struct trial *trial, const struct row *row)
{
    const struct device *device = devices_find(trial->devices, row->rung->backend);
    struct op_cost cost = row->rung->op->cost(row->workload);
    struct result result = {
        .run = trial->facts,
        .device = device->usable ? &device->info : NULL,
        .op = row->rung->op->name,
        .workload = row->workload->name,
        .variant = row->rung->variant,
        .backend = row->rung->backend->name,
        .precision = precision_name(row->rung->precision),
        .mode = row->mode ? row->mode->name : "verify",
        .is_host = !row->rung->backend->separate_memory,
        .is_unfair = row->rung->precision == PRECISION_TF32,
        .statistics = statistics_of(NULL, 0),
        .stop_reason = "",
        .tick_s = NAN,
        .upload_s = NAN,
        .kernel_s = NAN,
        .download_s = NAN,
        .transfer = "",
        .flush = "",
        .empty_kernel_s = NAN,
        .floor_s = NAN,
        .ceiling = "",
        .conditions = conditions_unknown(),
        .bytes = cost.bytes,
        .flops = cost.flops,
        .baseline = "",
        .speedup = NAN,
        .max_abs_err = NAN,
        .err_bound = NAN,
        .rms_err = NAN,
    };
    row_name(row, result.name, sizeof result.name);
    row->rung->op->shape(row->workload, result.shape, sizeof result.shape);
    memcpy(result.input, trial->prepared->note.text, sizeof result.input);
    return result;
}

static void note_check(struct result *result, const struct check *check)
{
    result->max_abs_err = check->max_abs_err;
    result->err_bound = check->err_bound;
    result->rms_err = check->rms_err;
}

struct result trial_verified(const struct trial *trial, const struct row *row, const struct check *verified)
{
    struct result result = trial_blank(trial, row);
    note_check(&result, verified);
    return result;
}

/* The answer after timing, which nothing has written to the outputs but the timed calls. */
static void check_after_timing(const struct trial *trial, const struct rung *rung, struct check *check)
{
    const struct prepared *prepared = trial->prepared;
    const char *trouble = buffers_check_guards(&trial->placed->buffers);
    if (!trouble)
        trouble = buffers_download(&trial->placed->buffers, prepared->host);
    if (trouble) {
        check->correct = false;
        snprintf(check->reason, sizeof check->reason, "%s", trouble);
        return;
    }
    bool same = prepared_same_answer(prepared);
    if (same)
        return;
    rung->op->check(prepared->reference, rung->precision, prepared->host, check);
    if (check->correct && (rung->traits & RUNG_UNORDERED) == 0) {
        check->correct = false;
        snprintf(check->reason, sizeof check->reason, "the answer is not the verified one bit for bit");
    }
}

static void note_measurement(struct result *result, const struct measurement *measured)
{
    result->statistics = measured->statistics;
    result->iterations = measured->iterations;
    result->stop_reason = stop_reason_name(measured->stop_reason);
    result->upload_s = measured->upload_s;
    result->kernel_s = measured->kernel_s;
    result->download_s = measured->download_s;
    result->launch_bound = measured->launch_bound;
}

static void note_conditions(struct result *result, const struct trial *trial, const struct mode *mode,
                            const struct device *device)
{
    result->tick_s = device->tick_s;
    if (mode->pins)
        result->transfer = "pinned";
    if (mode->evicts)
        result->flush = device->info.eviction[trial->options->flush_by_writing];
}

static void fail(struct result *result, const char *what, const char *reason)
{
    result->status = STATUS_FAILED;
    snprintf(result->reason, sizeof result->reason, "%s%s", what, reason);
}

/* One more sample on poisoned outputs: a rung that did its work only in the first of many calls leaves them poisoned.
 */
static const char *repeat_on_poison(const struct mode *mode, const struct mode_context *context,
                                    const struct measurement *measured)
{
    struct sample sample;
    if (measured->statistics.count == 1 && measured->iterations == 1)
        return NULL; /* the only sample was the first call */
    const char *trouble = buffers_poison(context->buffers);
    return trouble ? trouble : mode->take(context, measured->iterations, &sample);
}

bool trial_measure(const struct trial *trial, const struct row *row, const struct check *verified,
                   struct result *result)
{
    const struct device *device = devices_find(trial->devices, row->rung->backend);
    struct mode_context context = {
        .rung = row->rung,
        .buffers = &trial->placed->buffers,
        .host = trial->prepared->host,
        .evict_by_writing = trial->options->flush_by_writing,
        .now = trial->now,
    };
    struct measure_settings settings = {trial->options->min_time_s, device->tick_s, trial->interrupted};
    struct measurement measured;
    *result = trial_blank(trial, row);
    const char *trouble = buffers_poison(context.buffers);
    if (!trouble)
        trouble = measure_row(row->mode, &context, &settings, &measured);
    if (trouble) {
        fail(result, "failed while timed: ", trouble);
        return true;
    }
    if (measured.stop_reason == STOP_INTERRUPTED)
        return false; /* an unfinished row is no result */
    trouble = repeat_on_poison(row->mode, &context, &measured);
    if (trouble) {
        fail(result, "failed after it was timed: ", trouble);
        return true;
    }
    struct check check = *verified;
    check_after_timing(trial, row->rung, &check);
    note_check(result, &check);
    if (check.correct) {
        note_measurement(result, &measured);
        note_conditions(result, trial, row->mode, device);
    } else {
        fail(result, "right before it was timed, then wrong: ", check.reason);
    }
    return true;
}
