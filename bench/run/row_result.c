#include "row_result.h"

#include <math.h>

static const char *unfair(const struct rung *rung)
{
    if (rung->backend->simulates)
        return "simulated";
    return rung->precision == PRECISION_TF32 ? precision_name(rung->precision) : "";
}

struct result row_result(const struct row *row, const struct run_facts *facts, const struct device_info *device)
{
    struct op_cost cost = row->rung->op->cost(row->workload);
    struct result result = {
        .run = facts,
        .device = device,
        .op = row->rung->op->name,
        .workload = row->workload->name,
        .variant = row->rung->variant,
        .backend = row->rung->backend->name,
        .precision = precision_name(row->rung->precision),
        .mode = row->mode ? row->mode->name : "verify",
        .baseline_mode = row->mode ? row->mode->baseline_mode : "",
        .is_host = !row->rung->backend->separate_memory,
        .unfair = unfair(row->rung),
        .round = facts->round,
        .round_count = facts->round_count,
        .statistics = statistics_of(NULL, 0),
        .stop_reason = "",
        .tick_s = NAN,
        .upload_s = NAN,
        .kernel_s = NAN,
        .download_s = NAN,
        .transfer = "",
        .bytes = cost.bytes,
        .flops = cost.flops,
        .empty_kernel_s = NAN,
        .floor_s = NAN,
        .ceiling = "",
        .conditions = conditions_unknown(),
        .baseline = "",
        .speedup = NAN,
        .slowdown_pct = NAN,
        .max_abs_err = NAN,
        .err_bound = NAN,
        .rms_err = NAN,
    };
    row_name(row, result.name, sizeof result.name);
    row->rung->op->shape(row->workload, result.shape, sizeof result.shape);
    return result;
}
