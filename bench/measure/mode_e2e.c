/* e2e: upload, kernel and download on the host's clock, the time that a caller of a library waits. Host memory is
 * pinned, or pageable as malloc() returns it. */
#include "launches.h"

#include <math.h>

static bool supports(const struct backend_entry *backend)
{
    return backend->separate_memory;
}

/* Queues the upload of all inputs or the download of all outputs. */
static const char *transfer(const struct mode_context *context, bool outputs)
{
    const struct buffers *buffers = context->buffers;
    const char *error = NULL;
    for (size_t i = 0; i < buffers->count && !error; i++) {
        if (buffers->is_output[i] != outputs)
            continue;
        struct span data = buffers->data[i];
        error = outputs ? buffers->backend->download(context->host[i], data.start, data.bytes)
                        : buffers->backend->upload(data.start, context->host[i], data.bytes);
    }
    return error;
}

static const char *queue_all(const struct mode_context *context)
{
    const char *error = transfer(context, false);
    error = error ? error : launches_call(context, 1);
    return error ? error : transfer(context, true);
}

static const char *queue_all_marked(const struct mode_context *context)
{
    const struct backend *backend = context->buffers->backend;
    const char *error = backend->mark(0);
    error = error ? error : transfer(context, false);
    error = error ? error : backend->mark(1);
    error = error ? error : launches_call(context, 1);
    error = error ? error : backend->mark(2);
    error = error ? error : transfer(context, true);
    return error ? error : backend->mark(3);
}

static const char *finish(const struct mode_context *context, const char *error)
{
    const char *failed = context->buffers->backend->finish();
    return error ? error : failed;
}

/* Runs twice: the times of the parts need marks, and the host time of marks must not be in the total. */
static const char *take(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    (void)iterations; /* always 1 */
    const struct backend *backend = context->buffers->backend;
    const char *error = finish(context, queue_all_marked(context));
    if (error)
        return error;
    double start = context->now();
    error = finish(context, queue_all(context));
    sample->seconds = context->now() - start;
    sample->launch_bound = false;
    error = error ? error : backend->elapsed(0, 1, &sample->upload_s);
    error = error ? error : backend->elapsed(1, 2, &sample->kernel_s);
    return error ? error : backend->elapsed(2, 3, &sample->download_s);
}

/* Resolution of the host's wait for the end of the work: in results/h200/calibration.*.txt no step up to 50 us has a
 * larger error. */
#define WAIT_RESOLUTION_S 0.5e-6

const struct mode mode_e2e = {
    .name = "e2e",
    .about = "upload, kernel and download",
    .baseline_mode = "hot",
    .transfer = "pinned",
    .max_iterations = 1,
    .resolution_s = WAIT_RESOLUTION_S,
    .pins = true,
    .supports = supports,
    .take = take,
};

const struct mode mode_e2e_pageable = {
    .name = "e2e_pageable",
    .about = "the same, host memory not pinned",
    .baseline_mode = "hot",
    .transfer = "pageable",
    .max_iterations = 1,
    .resolution_s = WAIT_RESOLUTION_S,
    .supports = supports,
    .take = take,
};
