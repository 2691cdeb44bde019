#include "launches.h"

#include "bench/base/entropy.h"

#include <math.h>

static bool is_synchronous(const struct mode_context *context)
{
    return !context->buffers->backend->hold;
}

/* All kinds of start move the same bytes, so that a difference in time is the rung's. */
static const char *start_call(const struct mode_context *context)
{
    if (context->start == START_AS_IS || context->start == START_TOUCHED)
        return NULL;
    uint64_t inputs = entropy_bits(), outputs = entropy_bits();
    bool same = context->start == START_UNCHANGED;
    const char *error = renewal_noise(context->renewal, same ? context->renewal->noise : inputs);
    return error ? error : renewal_spoil(context->renewal, same ? 0 : outputs);
}

static const char *before_call(const struct mode_context *context, int64_t call, bool is_last)
{
    if (context->start == START_TOUCHED)
        return is_last ? renewal_mend(context->renewal) : renewal_touch(context->renewal, (uint64_t)call);
    return is_synchronous(context) ? NULL : start_call(context);
}

const char *launches_call(const struct mode_context *context, int64_t iterations)
{
    const struct backend *backend = context->buffers->backend;
    const char *error = NULL;
    for (int64_t i = 0; i < iterations && !error; i++) {
        error = before_call(context, i, i + 1 == iterations);
        if (!error && context->start != START_ALONE)
            error = context->rung->run(context->buffers->problem, backend->stream());
        if (!error && context->is_slowed)
            error = backend->spin(context->extra_ns);
    }
    return error;
}

static const char *prepare(const struct mode_context *context, bool cold)
{
    struct buffers *buffers = context->buffers;
    const char *error = NULL;
    if (context->renewal && cold)
        error = renewal_turn(context->renewal, entropy_bits());
    if (context->renewal)
        error = error ? error : buffers_poison_outputs(buffers);
    if (is_synchronous(context))
        error = error ? error : start_call(context);
    if (cold)
        error = error ? error : buffers->backend->evict(buffers->data, buffers->count, context->evict_by_writing);
    return error;
}

static const char *queue_all(const struct mode_context *context, int64_t iterations, launches_queue *queue, bool cold)
{
    const struct backend *backend = context->buffers->backend;
    const char *error = prepare(context, cold);
    error = error ? error : backend->mark(0);
    error = error ? error : queue(context, iterations);
    return error ? error : backend->mark(1);
}

const char *launches_time(const struct mode_context *context, int64_t iterations, launches_queue *queue, bool cold,
                          struct sample *sample)
{
    const struct backend *backend = context->buffers->backend;
    bool lapsed = false;
    const char *error = backend->hold ? backend->hold() : NULL;
    if (error)
        return error;
    error = queue_all(context, iterations, queue, cold);
    /* Also after an error, or the queue would stay held. */
    const char *let_go_error = backend->let_go ? backend->let_go(&lapsed) : NULL;
    const char *finish_error = backend->finish();
    if (error || let_go_error || finish_error)
        return error ? error : let_go_error ? let_go_error : finish_error;

    double seconds = NAN, unfinished_s = NAN;
    error = backend->settle ? backend->settle(&unfinished_s) : NULL;
    error = error ? error : backend->elapsed(0, 1, &seconds);
    *sample = (struct sample){
        .seconds = seconds / (double)iterations,
        .upload_s = NAN,
        .kernel_s = NAN,
        .download_s = NAN,
        .unfinished_s = unfinished_s,
        .launch_bound = lapsed,
    };
    return error;
}
