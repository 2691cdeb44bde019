/* e2e: upload, kernel and download on the host's clock, the time that a caller of a library waits. Host memory is
 * pinned, or pageable as malloc() returns it. */
#include "mode.h"

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
    double start = context->now();
    TRY_CALL(backend_finish(backend, queue_all(context, mark_nothing)));
    sample->seconds = context->now() - start;
    sample->launch_bound = false;
    TRY_CALL(backend->elapsed(0, 1, &sample->upload_s));
    TRY_CALL(backend->elapsed(1, 2, &sample->kernel_s));
    return backend->elapsed(2, 3, &sample->download_s);
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
