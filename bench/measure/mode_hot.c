/* hot: launches back to back, so that data which fits in the caches is read from there. */
#include "launches.h"

/* Far below the depth of a launch queue (1024 on NVIDIA GPUs): a full queue would block the host during the hold. */
enum { MAX_QUEUED_LAUNCHES = 256 };

static bool supports(const struct backend_entry *backend)
{
    (void)backend;
    return true;
}

static const char *take(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    return launches_time(context, iterations, launches_call, false, sample);
}

const struct mode mode_hot = {
    .name = "hot",
    .about = "call after call, cache kept",
    .baseline_mode = "hot",
    .transfer = "",
    .max_iterations = MAX_QUEUED_LAUNCHES,
    .supports = supports,
    .take = take,
};
