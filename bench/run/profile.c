#include "profile.h"

#include "bench/base/exit_status.h"
#include "bench/measure/measure.h"
#include "bench/place/device_problem.h"
#include "bench/place/feasible.h"
#include "bench/verify/verify.h"

#include <stdio.h>
#include <string.h>

static const double warm_up_s = 0.05;

static const struct row *find_row(const struct selection *selection, const char *name)
{
    for (size_t i = 0; i < selection->count; i++) {
        char other[160];
        row_name(&selection->rows[i], other, sizeof other);
        if (strcmp(name, other) == 0)
            return &selection->rows[i];
        *strrchr(other, '/') = '\0'; /* the mode may be left out */
        if (strcmp(name, other) == 0)
            return &selection->rows[i];
    }
    return NULL;
}

static const char *launch_once(const struct row *row, const struct mode_context *context)
{
    const struct buffers *buffers = context->buffers;
    const struct backend *backend = buffers->backend;
    const char *error = NULL;
    if (row->mode->evicts)
        error = backend->evict(buffers->data, buffers->count, context->evict_by_writing);
    error = error ? error : backend->finish();
    error = error ? error : backend->profiler->begin();
    if (error)
        return error;
    error = row->rung->run(buffers->problem, backend->stream());
    const char *failed = backend->finish();
    const char *unended = backend->profiler->end();
    return error ? error : failed ? failed : unended;
}

static const char *warm_and_launch(const struct run *run, const struct row *row, double tick_s,
                                   const struct host_problem *host_problem, struct device_problem *device_problem)
{
    struct mode_context context = {
        .rung = row->rung,
        .buffers = &device_problem->buffers,
        .host = host_problem->host,
        .evict_by_writing = run->options->flush_by_writing,
        .now = run->clock.now,
    };
    struct measure_settings settings = {
        .min_time_s = warm_up_s, .tick_s = tick_s, .interrupted = run->clock.interrupted};
    struct measurement measured;
    const char *error = measure_row(&mode_hot, &context, &settings, &measured);
    measurement_free(&measured);
    return error ? error : launch_once(row, &context);
}

/* Success leaves `error` empty. */
static void run_row(const struct run *run, const struct row *row, double tick_s, struct error *error)
{
    struct host_problem host_problem;
    struct device_problem device_problem = {0};
    struct input_source source = {.seed = run->options->seed, .mnist = run->mnist};
    struct check check = {.correct = true};
    error->text[0] = '\0';
    if (!host_problem_make(&host_problem, row->rung->op, row->workload, &source)) {
        error_set(error, "no memory for its input and reference");
        return;
    }
    const char *reason = device_problem_move(&device_problem, &host_problem, row->rung->backend->backend);
    if (!reason) {
        verify_run(row->rung, &device_problem.buffers, host_problem.host, host_problem.reference, false, &check);
        reason = check.correct ? warm_and_launch(run, row, tick_s, &host_problem, &device_problem) : check.reason;
    }
    if (reason)
        error_set(error, "%s", reason);
    device_problem_leave(&device_problem);
    host_problem_free(&host_problem);
}

static int complain(const char *name, const struct error *error, int status)
{
    fprintf(stderr, "rungbench: --profile=%s: %s\n", name, error->text);
    return status;
}

int profile_row(const struct run *run, const struct selection *selection, const char *name,
                const struct devices *devices)
{
    struct error error;
    const struct row *row = find_row(selection, name);
    if (!row) {
        error_set(&error, "no such row, expected one that --suite=all --modes=%s --list shows", mode_names);
        return complain(name, &error, EXIT_USAGE);
    }
    const char *unloaded = row->rung->load ? row->rung->load(row->rung) : NULL;
    if (unloaded) {
        error_set(&error, "%s", unloaded);
        return complain(name, &error, EXIT_WRONG);
    }
    if (!feasible_rung(devices, row->rung, row->workload, &error))
        return complain(name, &error, EXIT_ALL_SKIPPED);
    if (!row->rung->backend->backend->profiler) {
        error_set(&error, "%s rungs have no profiler hooks, expected a rung of a GPU", row->rung->backend->label);
        return complain(name, &error, EXIT_USAGE);
    }
    run_row(run, row, devices_find(devices, row->rung->backend)->info.tick_s, &error);
    if (error.text[0] != '\0')
        return complain(name, &error, EXIT_WRONG);
    fprintf(stderr,
            "rungbench: launched %s/%s/%s once between cudaProfilerStart and cudaProfilerStop;\n"
            "rungbench: see it alone by: ncu --profile-from-start off ..., or nsys profile -c cudaProfilerApi ...\n",
            row->rung->op->name, row->workload->name, row->rung->variant);
    return EXIT_RIGHT;
}
