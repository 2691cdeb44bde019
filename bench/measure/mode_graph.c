/* graph: launches recorded in a graph, one launch of which is a sample. Between the kernels of a graph the device loses
 * less time than between single launches, which counts where a kernel takes a few microseconds. */
#include "launches.h"

/* A graph is made anew for each row: some microseconds for each of its launches. */
enum { MAX_RECORDED_LAUNCHES = 512 };

/* What has memory of its own is a device that work is sent to. */
static bool supports(const struct backend_entry *backend)
{
    return backend->separate_memory;
}

static const char *begin(const struct mode_context *context, int64_t iterations)
{
    const struct backend *backend = context->buffers->backend;
    if (!backend->graph_begin)
        return "this device knows no graphs";
    const char *error = backend->graph_begin();
    if (error)
        return error;
    error = launches_call(context, iterations);
    const char *unfinished = backend->graph_end();
    return error ? error : unfinished;
}

static void end(const struct mode_context *context)
{
    if (context->buffers->backend->graph_drop)
        context->buffers->backend->graph_drop();
}

static const char *queue(const struct mode_context *context, int64_t iterations)
{
    (void)iterations; /* as many as were recorded */
    return context->buffers->backend->graph_queue();
}

static const char *take(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    return launches_time(context, iterations, queue, false, sample);
}

const struct mode mode_graph = {
    .name = "graph",
    .baseline_mode = "hot",
    .transfer = "",
    .max_iterations = MAX_RECORDED_LAUNCHES,
    .supports = supports,
    .begin = begin,
    .end = end,
    .take = take,
};
