#include "feasible.h"

#include "buffers.h"
#include "host_problem.h"

#include <math.h>

/* Assumed speed of generating input and reference, in flop/s and bytes/s, to skip workloads that cannot finish. */
static const double preparation_flop_rate = 2e9, preparation_byte_rate = 3e8;

static bool has_memory(const struct device *device, size_t needed, struct error *reason)
{
    size_t there = device->entry->backend->free_memory();
    return needed <= there || error_set(reason, "too large: needs %.3g GB of %s memory, %.3g GB are free",
                                        (double)needed * 1e-9, device->entry->label, (double)there * 1e-9);
}

static bool fits_int(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op->buffers(workload, specs), largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = specs[i].bytes > largest ? specs[i].bytes : largest;
    return largest / op->element_bytes <= INT32_MAX;
}

bool feasible_rung(const struct devices *devices, const struct rung *rung, const struct workload *workload,
                   struct error *reason)
{
    const struct device *device = devices_find(devices, rung->backend);
    struct op_cost cost = rung->op->cost(workload);
    if (!rung->run)
        return error_set(reason, "%s", rung->unavailable);
    if (!device->usable)
        return error_set(reason, "%s", device->reason);
    const char *lacking = device->entry->backend->lacks ? device->entry->backend->lacks(rung->traits) : NULL;
    if (lacking)
        return error_set(reason, "%s", lacking);
    if ((rung->traits & RUNG_SLOW) != 0 && cost.flops > FEASIBLE_SLOW_FLOP_LIMIT)
        return error_set(reason, "too slow: %.3g operations, and this rung's limit is %g", cost.flops,
                         FEASIBLE_SLOW_FLOP_LIMIT);
    if (rung->backend->simulates && op_work(rung->op, workload) > FEASIBLE_SIMULATED_LIMIT)
        return error_set(reason, "too slow: %.3g operations and bytes, and a simulated rung's limit is %g",
                         op_work(rung->op, workload), FEASIBLE_SIMULATED_LIMIT);
    if ((rung->traits & RUNG_INT_SIZES) != 0 && !fits_int(rung->op, workload))
        return error_set(reason, "too large: a buffer has 2^31 elements or more, and this rung takes sizes as int");
    return has_memory(device, buffers_bytes(rung->op, workload), reason);
}

bool feasible_workload(const struct devices *devices, const struct op *op, const struct workload *workload,
                       bool on_host, double seconds_left, struct error *reason)
{
    struct op_cost cost = op->cost(workload);
    double needed_s =
        fmin(cost.flops, FEASIBLE_SLOW_FLOP_LIMIT) / preparation_flop_rate + cost.bytes / preparation_byte_rate;
    if (seconds_left <= needed_s)
        return error_set(reason, "out of reach: --budget leaves %.1f s, the reference alone takes about %.1f s",
                         fmax(seconds_left, 0), needed_s);
    size_t bytes = host_problem_bytes(op, workload) + (on_host ? buffers_bytes(op, workload) : 0);
    return has_memory(devices_host(devices), bytes, reason);
}
