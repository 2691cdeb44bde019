/* e2e: upload, kernel and download on the host's clock, the time that a caller of a library waits. Host memory is
 * pinned, or pageable as malloc() returns it. */
#include "mode.h"

static const char *run_all(const struct mode_context *context, bool marked)
{
    const struct buffers *buffers = context->buffers;
    const struct backend *backend = buffers->backend;
    const char *error = marked ? backend->mark(0) : NULL;
    error = error ? error : buffers_transfer(buffers, false, context->host);
    error = error || !marked ? error : backend->mark(1);
    error = error ? error : mode_call(context, 1);
    error = error || !marked ? error : backend->mark(2);
    error = error ? error : buffers_transfer(buffers, true, context->host);
    error = error || !marked ? error : backend->mark(3);
    const char *failed = backend->finish();
    return error ? error : failed;
}

/* Runs twice: the times of the parts need marks, and the host time of marks must not be in the total. */
static const char *take(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    (void)iterations; /* always 1 */
    const struct backend *backend = context->buffers->backend;
    const char *error = run_all(context, true);
    if (error)
        return error;
    double start = context->now();
    error = run_all(context, false);
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
