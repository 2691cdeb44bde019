#include "row_result.h"

#include "bench/measure/arithmetic.h"
#include "bench/report/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Empty: unknown. */
static const char *code_of(const struct rung *rung, const struct code_digest *code)
{
    char name[128];
    snprintf(name, sizeof name, "%s_%s", rung->op->name, rung->variant);
    for (; code && code->rung; code++)
        if (strcmp(code->rung, name) == 0)
            return code->digest;
    return "";
}

static double bytes_written(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op->buffers(workload, specs);
    double bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += specs[i].is_output ? (double)specs[i].bytes : 0;
    return bytes;
}

struct result row_result(const struct row *row, const struct run_facts *facts, const struct device_info *device)
{
    const struct rung *rung = row->rung;
    struct op_cost cost = rung->op->cost(row->workload);
    const struct arithmetic *arithmetic = arithmetic_of(rung->precision, rung->traits);
    struct result result = result_blank();
    result.run = facts;
    result.device = device;
    result.round = facts->round;
    result.round_count = facts->round_count;
    row_name(row, result.name, sizeof result.name);
    snprintf(result.op, sizeof result.op, "%s", rung->op->name);
    snprintf(result.workload, sizeof result.workload, "%s", row->workload->name);
    rung->op->shape(row->workload, result.shape, sizeof result.shape);
    snprintf(result.variant, sizeof result.variant, "%s", rung->variant);
    snprintf(result.backend, sizeof result.backend, "%s", rung->backend->name);
    snprintf(result.precision, sizeof result.precision, "%s", precision_name(rung->precision));
    snprintf(result.arithmetic, sizeof result.arithmetic, "%s", arithmetic ? arithmetic->name : "");
    snprintf(result.mode, sizeof result.mode, "%s", row->mode ? row->mode->name : "verify");
    snprintf(result.code, sizeof result.code, "%s", code_of(rung, facts->code));
    result.bytes = cost.bytes;
    result.bytes_written = bytes_written(rung->op, row->workload);
    result.flops = cost.flops > 0 ? cost.flops : (double)NAN;
    result_classify(&result, rung->backend, rung, row->mode);
    return result;
}
