/* cold: one launch a sample, with the caches emptied before it. */
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
    .baseline_mode = "cold",
    .transfer = "",
    .max_iterations = 1,
    .evicts = true,
    .supports = supports,
    .take = take,
};
