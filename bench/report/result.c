#include "result.h"

#include "bench/measure/mode.h"
#include "bench/table/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void result_classify(struct result *result, const struct backend_entry *backend, const struct rung *rung,
                     const struct mode *mode)
{
    const char *tf32 = precision_name(PRECISION_TF32);
    result->baseline_mode = mode ? mode->baseline_mode : "";
    result->is_host = !backend->separate_memory;
    result->is_library = rung && (rung->traits & RUNG_LIBRARY) != 0;
    result->unfair = backend->simulates ? "simulated" : strcmp(result->precision, tf32) == 0 ? tf32 : "";
}

void result_derive(struct result *result)
{
    double time_s = result->statistics.median;
    result->gflops = result->flops / time_s * 1e-9;
    result->bandwidth_gbs = result->bytes / time_s * 1e-9;
    result->ceiling_pct = 100 * result->floor_s / time_s;
    result->sm_cycles = result->is_host ? (double)NAN : time_s * result->conditions.sm_clock_mhz * 1e6;
}

/* Marks that cost a row its rank. */
static const char *const without_rank[] = {"unaudited", "clock-unclear", "over-ceiling"};

const char *result_unfair(const struct result *result)
{
    for (size_t i = 0; i < sizeof without_rank / sizeof without_rank[0]; i++)
        if (conditions_have_mark(&result->conditions, without_rank[i]))
            return without_rank[i];
    return result->unfair;
}

bool result_is_fair(const struct result *result)
{
    return result->status == STATUS_OK && result->statistics.count > 0 && result_unfair(result)[0] == '\0' &&
           result->runs_as[0] == '\0' && isnan(result->slowdown_pct);
}

static const char wrong[] = "wrong";

void result_fail(struct result *result, bool is_wrong, const char *what, const char *why)
{
    result->status = STATUS_FAILED;
    snprintf(result->failure, sizeof result->failure, "%s", is_wrong ? wrong : "");
    snprintf(result->reason, sizeof result->reason, "%s%s", what, why);
}

bool result_is_wrong(const struct result *result)
{
    return result->status == STATUS_FAILED && strcmp(result->failure, wrong) == 0;
}

struct range result_interval(const struct result *result)
{
    const struct statistics *s = &result->statistics;
    if (!isnan(s->ci_high))
        return (struct range){s->ci_low, s->ci_high};
    return result->round_count > 1 && s->count > 1 ? (struct range){s->min, s->max} : (struct range){NAN, NAN};
}

bool result_has_interval(const struct result *result)
{
    struct range range = result_interval(result);
    return range.low <= range.high && range.high <= RESULT_INTERVAL_FACTOR * range.low; /* NAN: false */
}

bool result_has_rank(const struct result *result)
{
    return result_is_fair(result) && result_has_interval(result);
}

bool result_time_is_possible(double seconds)
{
    return seconds >= 1e-12 && seconds <= 1e6;
}

const char *status_name(enum status status)
{
    static const char *const names[] = {"ok", "skipped", "failed"};
    return names[status];
}

bool status_parse(const char *name, enum status *status)
{
    for (enum status each = STATUS_OK; each <= STATUS_FAILED; each++)
        if (strcmp(name, status_name(each)) == 0) {
            *status = each;
            return true;
        }
    return false;
}

const char *precision_name(enum precision precision)
{
    static const char *const names[] = {"fp32", "tf32", "u8"};
    return names[precision];
}
