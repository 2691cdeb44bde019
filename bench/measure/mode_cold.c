/* cold: one launch per sample, with the buffers evicted from the caches before it. */
#include "launches.h"

static bool supports(const struct backend_entry *backend)
{
    return !backend->simulates;
}

static const char *take(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    return launches_time(context, iterations, launches_call, true, sample);
}

const struct mode mode_cold = {
    .name = "cold",
    .about = "cache emptied before each call",
    .baseline_mode = "cold",
    .transfer = "",
    .max_iterations = 1,
    .evicts = true,
    .supports = supports,
    .take = take,
};
