/* graph: launches recorded in a graph; one launch of the graph is a sample. The gap between two kernels of a graph is
 * smaller than between single launches, which matters for kernels of a few microseconds. */
#include "launches.h"

/* A limit, since each row records its own graph, at a few microseconds per launch. */
enum { MAX_RECORDED_LAUNCHES = 512 };

/* A backend with its own memory is a device with a launch queue. */
static bool supports(const struct backend_entry *backend)
{
    return backend->separate_memory;
}

static const char *begin(const struct mode_context *context, int64_t iterations)
{
    const struct graphs *graphs = context->buffers->backend->graphs;
    if (!graphs)
        return "this device does not support graphs";
    const char *error = graphs->begin();
    if (error)
        return error;
    error = launches_call(context, iterations);
    const char *end_error = graphs->end();
    return error ? error : end_error;
}

static void end(const struct mode_context *context)
{
    if (context->buffers->backend->graphs)
        context->buffers->backend->graphs->drop();
}

static const char *queue(const struct mode_context *context, int64_t iterations)
{
    (void)iterations; /* the number that was recorded */
    return context->buffers->backend->graphs->queue();
}

static const char *take(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    return launches_time(context, iterations, queue, false, sample);
}

const struct mode mode_graph = {
    .name = "graph",
    .about = "many launches in a CUDA graph",
    .baseline_mode = "hot",
    .transfer = "",
    .max_iterations = MAX_RECORDED_LAUNCHES,
    .supports = supports,
    .begin = begin,
    .end = end,
    .take = take,
};
