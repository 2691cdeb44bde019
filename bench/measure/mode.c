#include "mode.h"

#include "bench/base/host.h"

#include <math.h>
#include <string.h>

const struct mode *const modes[MODE_COUNT] = {
#define MODE(name) &mode_##name,
#include "modes.def"
};
const char mode_names[] =
#define FIRST_MODE(name) #name
#define MODE(name) "," #name
#include "modes.def"
    ;

const struct mode *mode_find(const char *name)
{
    for (size_t i = 0; i < MODE_COUNT; i++)
        if (strcmp(modes[i]->name, name) == 0)
            return modes[i];
    return NULL;
}

int mode_index(const struct mode *mode)
{
    int index = 0;
    while (modes[index] != mode)
        index++;
    return index;
}

bool mode_supports(const struct mode *mode, const struct backend_entry *backend)
{
    return (backend->separate_memory || !mode->needs_device) && !(backend->simulates && mode->evicts);
}

const char *mode_begin(const struct mode *mode, const struct mode_context *context, int64_t iterations)
{
    return mode->begin ? mode->begin(context, iterations) : NULL;
}

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
                                bool evicts, double *cpu_s)
{
    const struct buffers *buffers = context->buffers;
    const struct backend *backend = buffers->backend;
    if (evicts && context->prepare)
        TRY_CALL(context->prepare(context->self));
    if (evicts)
        TRY_CALL(backend->evict(buffers->data, buffers->count, context->evict_by_writing));
    if (backend->begin_calls)
        backend->begin_calls();
    const double before_s = host_cpu_s(); /* it takes a while: beyond the marks */
    TRY_CALL(backend->mark(0));
    TRY_CALL(queue(context, iterations));
    const char *error = backend->mark(1);
    *cpu_s = host_cpu_s() - before_s;
    return error;
}

static const char *time_queue(const struct mode_context *context, int64_t iterations, queue_function *queue,
                              bool evicts, struct sample *sample)
{
    const struct backend *backend = context->buffers->backend;
    bool lapsed = false;
    double seconds, cpu_s = NAN;
    if (backend->hold)
        TRY_CALL(backend->hold());
    const char *error = queue_marked(context, iterations, queue, evicts, &cpu_s);
    /* Also after an error, or the queue would stay held. */
    const char *not_let_go = backend->let_go ? backend->let_go(&lapsed) : NULL;
    TRY_CALL(backend_finish(backend, error ? error : not_let_go));
    TRY_CALL(backend->elapsed(0, 1, &seconds));
    *sample = (struct sample){seconds / (double)iterations, NAN, NAN, NAN, lapsed, cpu_s / (double)iterations};
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

/* e2e: upload, kernel and download on the host's clock, the time that a caller of a library waits. Host memory is
 * pinned, or pageable as malloc() returns it. */
static const char *mark_nothing(int index)
{
    (void)index;
    return NULL;
}

static const char *queue_all(const struct mode_context *context, const char *(*mark)(int index))
{
    TRY_CALL(mark(0));
    TRY_CALL(buffers_transfer(context->buffers, false, context->host));
    TRY_CALL(mark(1));
    TRY_CALL(mode_call(context, 1));
    TRY_CALL(mark(2));
    TRY_CALL(buffers_transfer(context->buffers, true, context->host));
    return mark(3);
}

/* Runs twice: the times of the parts need marks, and the host time of marks must not be in the total. */
static const char *take(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    (void)iterations; /* always 1 */
    const struct backend *backend = context->buffers->backend;
    TRY_CALL(backend_finish(backend, queue_all(context, backend->mark)));
    const double cpu_before_s = host_cpu_s();
    double start = context->now();
    TRY_CALL(backend_finish(backend, queue_all(context, mark_nothing)));
    sample->seconds = context->now() - start;
    sample->cpu_s = host_cpu_s() - cpu_before_s;
    sample->launch_bound = false;
    TRY_CALL(backend->elapsed(0, 1, &sample->upload_s));
    TRY_CALL(backend->elapsed(1, 2, &sample->kernel_s));
    return backend->elapsed(2, 3, &sample->download_s);
}

/* Resolution of the host's wait for the end of the work: in results/h200-x1/calibration.txt no step up to 50 us has a
 * larger error. */
#define WAIT_RESOLUTION_S 0.5e-6

const struct mode mode_e2e = {
    .name = "e2e",
    .about = "upload, kernel and download",
    .baseline_mode = "hot",
    .transfer = "pinned",
    .max_iterations = 1,
    .needs_device = true,
    .resolution_s = WAIT_RESOLUTION_S,
    .pins = true,
    .take = take,
};

const struct mode mode_e2e_pageable = {
    .name = "e2e_pageable",
    .about = "the same, host memory not pinned",
    .baseline_mode = "hot",
    .transfer = "pageable",
    .max_iterations = 1,
    .needs_device = true,
    .resolution_s = WAIT_RESOLUTION_S,
    .take = take,
};
