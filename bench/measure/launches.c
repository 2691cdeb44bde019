#include "launches.h"

#include <math.h>

const char *launches_call(const struct mode_context *context, int64_t iterations)
{
    const struct backend *backend = context->buffers->backend;
    const char *error = NULL;
    for (int64_t i = 0; i < iterations && !error; i++) {
        error = context->rung->run(context->buffers->problem, backend->stream());
        if (!error && context->is_slowed)
            error = backend->spin(context->extra_ns);
    }
    return error;
}

static const char *queue_all(const struct mode_context *context, int64_t iterations, launches_queue *queue, bool cold)
{
    const struct buffers *buffers = context->buffers;
    const struct backend *backend = buffers->backend;
    const char *error = cold ? backend->evict(buffers->data, buffers->count, context->evict_by_writing) : NULL;
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

    double seconds = NAN;
    error = backend->elapsed(0, 1, &seconds);
    *sample = (struct sample){
        .seconds = seconds / (double)iterations,
        .upload_s = NAN,
        .kernel_s = NAN,
        .download_s = NAN,
        .launch_bound = lapsed,
    };
    return error;
}
