#include "builtin_rung.h"

#include <assert.h>
#include <string.h>

const char *builtin_rung_measure(const struct builtin_rung *builtin, const struct device *device,
                                 const struct mode *mode, const struct host_clock *clock, double min_time_s,
                                 struct measurement *measurement)
{
    struct rung rung = {.variant = "builtin", .backend = device->entry, .run = builtin->run};
    struct buffers buffers = {0};
    if (builtin->buffers)
        buffers = *builtin->buffers;
    buffers.backend = device->entry->backend;
    assert(builtin->problem_bytes <= sizeof buffers.problem);
    memcpy(buffers.problem, builtin->problem, builtin->problem_bytes);
    struct mode_context context = {.rung = &rung,
                                   .buffers = &buffers,
                                   .host = builtin->host,
                                   .evict_by_writing = builtin->evict_by_writing,
                                   .now = clock->now};
    struct measure_settings settings = {
        .min_time_s = min_time_s, .tick_s = device->info.tick_s, .interrupted = clock->interrupted};
    return measure_row(mode, &context, &settings, measurement);
}
