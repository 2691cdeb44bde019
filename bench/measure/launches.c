#include "launches.h"

#include <math.h>

const char *launches_call(const struct mode_context *context, int64_t iterations)
{
    const struct backend *backend = context->buffers->backend;
    const char *trouble = NULL;
    for (int64_t i = 0; i < iterations && !trouble; i++) {
        trouble = context->rung->run(context->buffers->problem, backend->stream());
        if (!trouble && context->is_slowed)
            trouble = backend->spin(context->extra_ns);
    }
    return trouble;
}

static const char *queue_all(const struct mode_context *context, int64_t iterations, launches_queue *queue, bool evict)
{
    const struct backend *backend = context->buffers->backend;
    const char *trouble = NULL;
    if (evict)
        trouble = backend->evict(context->buffers->data, context->buffers->count, context->evict_by_writing);
    if (!trouble)
        trouble = backend->mark(0);
    if (!trouble)
        trouble = queue(context, iterations);
    return trouble ? trouble : backend->mark(1);
}

const char *launches_time(const struct mode_context *context, int64_t iterations, launches_queue *queue, bool evict,
                          struct sample *sample)
{
    const struct backend *backend = context->buffers->backend;
    bool lapsed = false;
    const char *trouble = backend->hold ? backend->hold() : NULL;
    if (trouble)
        return trouble;
    trouble = queue_all(context, iterations, queue, evict);
    /* Let go whatever happened, or the queue would stand still. */
    const char *stuck = backend->let_go ? backend->let_go(&lapsed) : NULL;
    const char *failed = backend->finish();
    if (trouble || stuck || failed)
        return trouble ? trouble : stuck ? stuck : failed;

    double seconds = NAN;
    trouble = backend->elapsed(0, 1, &seconds);
    *sample = (struct sample){seconds / (double)iterations, NAN, NAN, NAN, lapsed};
    return trouble;
}
