#include "result.h"

#include <math.h>

static double giga_per_second(double amount, const struct result *result)
{
    return amount > 0 ? amount / result->statistics.median * 1e-9 : NAN;
}

double result_gflops(const struct result *result)
{
    return giga_per_second(result->flops, result);
}

double result_bandwidth_gbs(const struct result *result)
{
    return giga_per_second(result->bytes, result);
}

double result_ceiling_pct(const struct result *result)
{
    return 100 * result->floor_s / result->statistics.median;
}

double result_sm_cycles(const struct result *result)
{
    return result->is_host ? (double)NAN : result->statistics.median * result->conditions.sm_clock_mhz * 1e6;
}

bool result_is_fair(const struct result *result)
{
    return result->status == STATUS_OK && result->statistics.count > 0 && result->unfair[0] == '\0' &&
           isnan(result->slowdown_pct);
}

int64_t result_total_iterations(const struct result *result)
{
    return result->iterations * (int64_t)result->statistics.count;
}

const char *status_name(enum status status)
{
    static const char *const names[] = {"ok", "skipped", "failed"};
    return names[status];
}

const char *precision_name(enum precision precision)
{
    static const char *const names[] = {"fp32", "tf32", "u8"};
    return names[precision];
}
