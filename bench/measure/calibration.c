#include "calibration.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const int64_t steps_us[] = {1, 2, 5, 10, 20, 50, 100, 1000};
enum { STEPS = sizeof steps_us / sizeof steps_us[0], REPEATS = 5 };
static const double tolerated_share = 0.01, tolerated_ticks = 2;

const char *bench_measure(const struct bench *bench, const struct mode *mode, rung_function *run, const void *problem,
                          size_t problem_bytes, struct measurement *measurement)
{
    const struct backend_entry *entry = bench->device->entry;
    const struct rung rung = {.variant = "builtin", .backend = entry, .run = run};
    struct buffers buffers = bench->buffers ? *bench->buffers : (struct buffers){0};
    buffers.backend = entry->backend;
    assert(problem_bytes <= sizeof buffers.problem);
    memcpy(buffers.problem, problem, problem_bytes);
    const struct mode_context context = {.rung = &rung,
                                         .buffers = &buffers,
                                         .host = bench->host,
                                         .evict_by_writing = bench->evict_by_writing,
                                         .now = bench->clock->now};
    const struct measure_settings settings = {.min_time_s = bench->min_time_s,
                                              .tick_s = bench->device->info.tick_s,
                                              .interrupted = bench->clock->interrupted};
    return measure_row(mode, &context, &settings, measurement);
}

const char *calibration_spin(const void *problem, void *stream)
{
    (void)stream; /* the backend's only one */
    const struct spin_problem *p = problem;
    return p->backend->spin(p->nanoseconds);
}

/* The cost of a launch drifts, mostly on the host. So t(0) is measured before and after each t(n). */
struct calibrated_mode {
    struct bench bench;
    const struct mode *mode;
    double zero_s; /* the latest t(0) */
};

/* t(n) is the interquartile mean of the samples, since a median would snap to a tick. */
static const char *time_spin(const struct calibrated_mode *m, int64_t nanoseconds, double *time_s)
{
    const struct spin_problem problem = {m->bench.device->entry->backend, nanoseconds};
    struct measurement measurement;
    const char *error = bench_measure(&m->bench, m->mode, calibration_spin, &problem, sizeof problem, &measurement);
    *time_s = error ? NAN : statistics_midmean(measurement.sample_s, measurement.statistics.count);
    measurement_free(&measurement);
    return error;
}

static void print_step(FILE *to, double expected_s, double seen_s, bool within)
{
    double error_s = seen_s - expected_s;
    fprintf(to, "  %9.3f us  %12.4f us  %+9.4f us  %+8.2f%%  %s\n", expected_s * 1e6, seen_s * 1e6, error_s * 1e6,
            100 * error_s / expected_s, within ? "yes" : "NO");
}

/* Five times: t(n) minus the mean of the t(0) before and after it; returns the median of the five. */
static const char *time_step(struct calibrated_mode *m, int64_t step_us, double *seen_s)
{
    double differences_s[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double before_s = m->zero_s, busy_s;
        TRY_CALL(time_spin(m, step_us * 1000, &busy_s));
        TRY_CALL(time_spin(m, 0, &m->zero_s));
        differences_s[i] = busy_s - (before_s + m->zero_s) / 2;
    }
    *seen_s = statistics_of(differences_s, REPEATS).median;
    return NULL;
}

static const char *print_steps(struct calibrated_mode *m, double least_s, FILE *to, bool *all_within)
{
    for (size_t i = 0; i < STEPS && !m->bench.clock->interrupted(); i++) {
        double seen_s, expected_s = (double)steps_us[i] * 1e-6;
        double tolerated_s = fmax(tolerated_share * expected_s, least_s);
        TRY_CALL(time_step(m, steps_us[i], &seen_s));
        bool within = fabs(seen_s - expected_s) <= tolerated_s;
        print_step(to, expected_s, seen_s, within);
        *all_within = *all_within && within;
    }
    return NULL;
}

static const char *calibrate_mode(struct calibrated_mode *m, FILE *to, bool *all_within)
{
    const struct device_info *info = &m->bench.device->info;
    double empty_s, least_s = fmax(tolerated_ticks * info->tick_s, m->mode->resolution_s);
    TRY_CALL(time_spin(m, BACKEND_NO_SPIN, &empty_s));
    TRY_CALL(time_spin(m, 0, &m->zero_s));
    fprintf(to,
            "\n%s, %s: empty kernel %.4f us, t(0) = %.4f us, tick %.0f ns, within 1 %% or %.0f ns\n"
            "  %12s  %15s  %12s  %9s  within\n",
            info->name, m->mode->name, empty_s * 1e6, m->zero_s * 1e6, info->tick_s * 1e9, least_s * 1e9, "n",
            "t(n) - t(0)", "error", "");
    m->bench.min_time_s /= REPEATS;
    return print_steps(m, least_s, to, all_within);
}

static bool print_mode(const struct device *device, const struct mode *mode, const struct host_clock *clock,
                       double min_time_s, FILE *to)
{
    struct calibrated_mode m = {{.device = device, .clock = clock, .min_time_s = min_time_s}, mode, NAN};
    bool all_within = true;
    const char *error = calibrate_mode(&m, to, &all_within);
    if (error)
        fprintf(to, "\n%s, %s: %s\n", device->info.name, mode->name, error);
    return all_within && !error;
}

bool calibration_print(const struct devices *devices, const struct host_clock *clock, double min_time_s, FILE *to)
{
    bool all_within = true;
    fputs(
        "A kernel that spins for a time n on the device's own clock must take n longer than one that reads the clock\n"
        "and exits: t(n) - t(0) = n.\n",
        to);
    for (size_t d = 0; d < devices->count; d++) {
        const struct device *device = &devices->items[d];
        if (device->entry->simulates)
            continue;
        if (!device->usable)
            fprintf(to, "\n%s: %s\n", device->entry->label, device->reason);
        for (size_t m = 0; m < MODE_COUNT && device->usable && !clock->interrupted(); m++)
            if (mode_supports(modes[m], device->entry) && !print_mode(device, modes[m], clock, min_time_s, to))
                all_within = false;
    }
    return all_within;
}
