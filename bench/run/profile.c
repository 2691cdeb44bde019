#include "profile.h"

#include "bench/base/exit_status.h"
#include "bench/place/feasible.h"
#include "bench/measure/measure.h"
#include "bench/place/device_problem.h"
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
    const char *trouble = NULL;
    if (row->mode->evicts)
        trouble = backend->evict(buffers->data, buffers->count, context->evict_by_writing);
    if (!trouble)
        trouble = backend->finish();
    if (!trouble)
        trouble = backend->profile_begin();
    if (trouble)
        return trouble;
    trouble = row->rung->run(buffers->problem, backend->stream());
    const char *failed = backend->finish();
    const char *unended = backend->profile_end();
    return trouble ? trouble : failed ? failed : unended;
}

static const char *warm_and_launch(const struct session *session, const struct row *row,
                                   const struct prepared *prepared, const struct placed *placed)
{
    struct mode_context context = {
        .rung = row->rung,
        .buffers = &placed->buffers,
        .host = prepared->host,
        .evict_by_writing = session->options->flush_by_writing,
        .now = session->clock.now,
    };
    struct measure_settings settings = {warm_up_s, placed->backend->tick(), session->clock.interrupted};
    struct measurement measured;
    const char *trouble = measure_row(&mode_hot, &context, &settings, &measured);
    measurement_free(&measured);
    return trouble ? trouble : launch_once(row, &context);
}

/* An empty text: all went well. */
static void run_row(const struct session *session, const struct row *row, struct error *error)
{
    struct prepared prepared;
    struct placed placed = {0};
    struct input_source source = {session->options->seed, session->mnist};
    struct check check = {.correct = true};
    error->text[0] = '\0';
    if (!prepared_make(&prepared, row->rung->op, row->workload, &source)) {
        error_set(error, "no memory for its input and reference");
        return;
    }
    const char *trouble = placed_move(&placed, &prepared, row->rung->backend->backend);
    if (!trouble) {
        verify_run(row->rung, &placed.buffers, prepared.host, prepared.reference, false, &check);
        trouble = check.correct ? warm_and_launch(session, row, &prepared, &placed) : check.reason;
    }
    if (trouble)
        error_set(error, "%s", trouble);
    placed_leave(&placed);
    prepared_free(&prepared);
}

static int complain(const char *name, const struct error *error, int status)
{
    fprintf(stderr, "rungbench: --profile=%s: %s\n", name, error->text);
    return status;
}

int profile_row(const struct session *session, const struct selection *selection, const char *name,
                const struct devices *devices)
{
    struct error error;
    const struct row *row = find_row(selection, name);
    if (!row) {
        error_set(&error, "no such row, expected one that --suite=all --modes=%s --list shows", mode_names);
        return complain(name, &error, EXIT_USAGE);
    }
    if (!feasible_rung(devices, row->rung, row->workload, &error))
        return complain(name, &error, EXIT_ALL_SKIPPED);
    if (!row->rung->backend->backend->profile_begin) {
        error_set(&error, "no profiler can be told of %s rungs, expected a GPU's", row->rung->backend->label);
        return complain(name, &error, EXIT_USAGE);
    }
    run_row(session, row, &error);
    if (error.text[0] != '\0')
        return complain(name, &error, EXIT_WRONG);
    fprintf(stderr,
            "rungbench: launched %s/%s/%s once between cudaProfilerStart and cudaProfilerStop;\n"
            "rungbench: see it alone by: ncu --profile-from-start off ..., or nsys profile -c cudaProfilerApi ...\n",
            row->rung->op->name, row->workload->name, row->rung->variant);
    return EXIT_RIGHT;
}
