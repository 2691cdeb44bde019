#include "bench/base/csv_text.h"
#include "bench/base/record.h"
#include "reporter.h"

#include <inttypes.h>
#include <math.h>

/* The columns in order: T(text), I(integer; 0 is a value), N(number; NAN is unknown), U(unsigned). `r` is the result,
 * `d` its device. Readers look columns up by name, so more may be added. */
/* clang-format off */
#define COLUMNS                                                                              \
    I(schema, RESULT_SCHEMA)                                                                 \
    T(name, r->name)                                                                         \
    T(op, r->op)                                                                             \
    T(workload, r->workload)                                                                 \
    T(shape, r->shape)                                                                       \
    T(variant, r->variant)                                                                   \
    T(backend, r->backend)                                                                   \
    T(precision, r->precision)                                                               \
    T(mode, r->mode)                                                                         \
    T(status, status_name(r->status))                                                        \
    T(reason, r->reason)                                                                     \
    T(host, r->run->host)                                                                    \
    T(device, d->name)                                                                       \
    T(device_uuid, d->uuid)                                                                  \
    T(driver_version, d->driver_version)                                                     \
    T(cuda_version, d->cuda_version)                                                         \
    T(blas_version, d->blas_version)                                                         \
    N(threads, d->threads > 0 ? d->threads : unknown)                                        \
    T(git_rev, r->run->git_revision)                                                         \
    T(timestamp, r->run->timestamp)                                                          \
    T(sitting, r->run->session)                                                              \
    I(round, r->round)                                                                       \
    N(samples, measured ? (double)r->statistics.count : unknown)                             \
    N(iterations, measured ? (double)result_total_iterations(r) : unknown)                   \
    T(stop_reason, r->stop_reason)                                                           \
    N(time_min_s, r->statistics.min)                                                         \
    N(time_q1_s, r->statistics.q1)                                                           \
    N(time_median_s, r->statistics.median)                                                   \
    N(time_q3_s, r->statistics.q3)                                                           \
    N(time_mean_s, r->statistics.mean)                                                       \
    N(time_stdev_s, r->statistics.stdev)                                                     \
    N(time_ci_low_s, r->statistics.ci_low)                                                   \
    N(time_ci_high_s, r->statistics.ci_high)                                                 \
    N(tick_s, r->tick_s)                                                                     \
    N(upload_s, r->upload_s)                                                                 \
    N(kernel_s, r->kernel_s)                                                                 \
    N(download_s, r->download_s)                                                             \
    T(transfer, r->transfer)                                                                 \
    N(bytes, r->bytes)                                                                       \
    N(flops, r->flops > 0 ? r->flops : unknown)                                              \
    N(gflops, result_gflops(r))                                                              \
    N(bandwidth_gbs, result_bandwidth_gbs(r))                                                \
    N(floor_s, r->floor_s)                                                                   \
    N(ceiling_pct, result_ceiling_pct(r))                                                    \
    T(baseline, r->baseline)                                                                 \
    N(speedup, r->speedup)                                                                   \
    N(max_abs_err, r->max_abs_err)                                                           \
    N(err_bound, r->err_bound)                                                               \
    N(rms_err, r->rms_err)                                                                   \
    N(sm_clock_mhz, r->conditions.sm_clock_mhz)                                              \
    T(throttled, r->conditions.throttled)                                                    \
    N(energy_j, r->conditions.energy_j)                                                      \
    T(flush, r->flush)                                                                       \
    U(seed, r->run->seed)                                                                    \
    T(input, r->input)                                                                       \
    T(launch_bound, measured ? (r->launch_bound ? "yes" : "no") : "")                        \
    N(empty_kernel_s, r->empty_kernel_s)                                                     \
    T(ceiling, r->ceiling)                                                                   \
    N(sm_cycles, result_sm_cycles(r))                                                        \
    N(memory_clock_mhz, r->conditions.memory_clock_mhz)                                      \
    N(temperature_c, r->conditions.temperature_c)                                            \
    N(power_w, r->conditions.power_w)                                                        \
    N(energy_over_s, r->conditions.energy_over_s)                                            \
    N(preemptions, r->conditions.preemptions)                                                \
    T(marks, r->conditions.marks)                                                            \
    N(power_limit_w, d->power_limit_w > 0 ? d->power_limit_w : unknown)                      \
    N(sm_clock_set_mhz, d->sm_clock_set_mhz > 0 ? d->sm_clock_set_mhz : unknown)             \
    T(affinity, d->affinity)                                                                 \
    T(governor, d->governor)                                                                 \
    N(slowdown_pct, r->slowdown_pct)
/* clang-format on */

#define NAME(name, value) "," #name
#define T NAME
#define I NAME
#define N NAME
#define U NAME
static const char header[] = COLUMNS "\n";
#undef T
#undef I
#undef N
#undef U

static void put_row(FILE *line, const struct result *r)
{
    static const struct device_info no_device;
    const struct device_info *d = r->device ? r->device : &no_device;
    const double unknown = NAN;
    bool measured = r->statistics.count > 0;
    const char *separator = "";
#define CELL(put) fputs(separator, line), separator = ",", put;
#define T(name, value) CELL(csv_put_text(line, value))
#define I(name, value) CELL(fprintf(line, "%d", value))
#define N(name, value) CELL(csv_put_number(line, value))
#define U(name, value) CELL(fprintf(line, "%" PRIu64, value))
    COLUMNS
#undef T
#undef I
#undef N
#undef U
    fputc('\n', line);
}

bool report_csv_begin(struct output *output, struct error *error)
{
    return record_write_preamble(output, header + 1, error);
}

bool report_csv_result(void *self, const struct result *result, struct error *error)
{
    struct output *output = self;
    struct record record;
    if (!record_begin(&record, output, error))
        return false;
    put_row(record.text, result);
    return record_write(&record, output, error);
}
