/* The modes whose samples are launches alone, between two marks. Host time is not in them: the launches are queued
 * while the stream is held. */
#include "mode.h"

#include <math.h>

/* Queues so many calls of the rung. */
typedef const char *queue_function(const struct mode_context *context, int64_t iterations);

const char *mode_call(const struct mode_context *context, int64_t iterations)
{
    const struct backend *backend = context->buffers->backend;
    for (int64_t i = 0; i < iterations; i++) {
        TRY_CALL(context->rung->run(context->buffers->problem, backend->stream()));
        if (context->is_slowed)
            TRY_CALL(backend->spin(context->extra_ns));
    }
    return NULL;
}

static const char *queue_marked(const struct mode_context *context, int64_t iterations, queue_function *queue,
                                bool evicts)
{
    const struct buffers *buffers = context->buffers;
    const struct backend *backend = buffers->backend;
    if (evicts && context->prepare)
        TRY_CALL(context->prepare(context->self));
    if (evicts)
        TRY_CALL(backend->evict(buffers->data, buffers->count, context->evict_by_writing));
    TRY_CALL(backend->mark(0));
    TRY_CALL(queue(context, iterations));
    return backend->mark(1);
}

static const char *time_queue(const struct mode_context *context, int64_t iterations, queue_function *queue,
                              bool evicts, struct sample *sample)
{
    const struct backend *backend = context->buffers->backend;
    bool lapsed = false;
    double seconds;
    if (backend->hold)
        TRY_CALL(backend->hold());
    const char *error = queue_marked(context, iterations, queue, evicts);
    /* Also after an error, or the queue would stay held. */
    const char *not_let_go = backend->let_go ? backend->let_go(&lapsed) : NULL;
    TRY_CALL(backend_finish(backend, error ? error : not_let_go));
    TRY_CALL(backend->elapsed(0, 1, &seconds));
    *sample = (struct sample){seconds / (double)iterations, NAN, NAN, NAN, lapsed};
    return NULL;
}

/* cold: one launch per sample, with the buffers evicted from the caches before it. */
static const char *take_cold(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    return time_queue(context, iterations, mode_call, true, sample);
}

const struct mode mode_cold = {
    .name = "cold",
    .about = "cache emptied before each call",
    .baseline_mode = "cold",
    .transfer = "",
    .max_iterations = 1,
    .evicts = true,
    .take = take_cold,
};

/* hot: launches back to back, so that data which fits in the caches is read from there. They are far fewer than a
 * launch queue takes (1024 on NVIDIA GPUs): a full queue would block the host during the hold. */
enum { MAX_QUEUED_LAUNCHES = 256 };

static const char *take_hot(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    return time_queue(context, iterations, mode_call, false, sample);
}

const struct mode mode_hot = {
    .name = "hot",
    .about = "call after call, cache kept",
    .baseline_mode = "hot",
    .transfer = "",
    .max_iterations = MAX_QUEUED_LAUNCHES,
    .take = take_hot,
};

/* graph: launches recorded in a graph; one launch of the graph is a sample. The gap between two kernels of a graph is
 * smaller than between single launches, which matters for kernels of a few microseconds. Each row records its own, at a
 * few microseconds per launch. */
enum { MAX_RECORDED_LAUNCHES = 512 };

static const char *record(const struct mode_context *context, int64_t iterations)
{
    const struct graphs *graphs = context->buffers->backend->graphs;
    if (!graphs)
        return "this device does not support graphs";
    TRY_CALL(graphs->begin());
    const char *error = mode_call(context, iterations);
    const char *end_error = graphs->end();
    return error ? error : end_error;
}

static const char *queue_graph(const struct mode_context *context, int64_t iterations)
{
    (void)iterations; /* the number that was recorded */
    return context->buffers->backend->graphs->queue();
}

static const char *take_graph(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    return time_queue(context, iterations, queue_graph, false, sample);
}

const struct mode mode_graph = {
    .name = "graph",
    .about = "many launches in a CUDA graph",
    .baseline_mode = "hot",
    .transfer = "",
    .max_iterations = MAX_RECORDED_LAUNCHES,
    .needs_device = true,
    .begin = record,
    .take = take_graph,
};
