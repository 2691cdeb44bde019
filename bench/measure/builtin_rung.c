#include "builtin_rung.h"

#include <assert.h>
#include <string.h>

const char *hidden_rung_measure(const struct hidden_rung *hidden, const struct device *device, const struct mode *mode,
                                const struct host_clock *clock, double min_time_s, struct measurement *measurement)
{
    struct rung rung = {.variant = "hidden", .backend = device->entry, .run = hidden->run};
    struct buffers buffers = {0};
    if (hidden->buffers)
        buffers = *hidden->buffers;
    buffers.backend = device->entry->backend;
    assert(hidden->problem_bytes <= sizeof buffers.problem);
    memcpy(buffers.problem, hidden->problem, hidden->problem_bytes);
    struct mode_context context = {.rung = &rung,
                                   .buffers = &buffers,
                                   .host = hidden->host,
                                   .evict_by_writing = hidden->evict_by_writing,
                                   .now = clock->now};
    struct measure_settings settings = {min_time_s, device->tick_s, clock->interrupted};
    return measure_row(mode, &context, &settings, measurement);
}
