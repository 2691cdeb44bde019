#include "run.h"

#include "bench/base/memory.h"
#include "bench/measure/measure.h"
#include "bench/player/player.h"
#include "bench/place/devices.h"
#include "bench/verify/verify.h"

#include <stdio.h>
#include <string.h>

static const double warm_up_s = 0.05;

static const struct row *find_row(const struct selection *selection, const char *name)
{
    for (size_t i = 0; i < selection->count; i++) {
        char other[ROW_NAME];
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
    if (error || (error = backend->finish()) || (error = backend->profile(true)))
        return error;
    error = row->rung->run(buffers->problem, backend->stream());
    const char *failed = backend->finish();
    const char *unended = backend->profile(false);
    return error ? error : failed ? failed : unended;
}

static const char *warm_and_launch(const struct run *run, const struct row *row, struct buffers *buffers)
{
    struct mode_context context = {
        .rung = row->rung,
        .buffers = buffers,
        .evict_by_writing = run->options->flush_by_writing,
        .now = run->clock.now,
    };
    struct measure_settings settings = {.min_time_s = warm_up_s, .interrupted = run->clock.interrupted};
    struct measurement measured;
    const char *error = measure_row(&mode_hot, &context, &settings, &measured);
    measurement_free(&measured);
    return error ? error : launch_once(row, &context);
}

/* Verified as in a run. */
static bool run_row(const struct run *run, const struct row *row, struct link *link, struct error *error)
{
    const struct input_source source = {.seed = run->options->seed, .real = run->real};
    struct problem problem;
    struct check check;
    if (!problem_make(&problem, link, row->rung->op, row->workload, &source))
        return error_set(error, "no memory for its input and reference");
    if (verify_place(link, row->rung, &problem, &(struct placement){.edge = EDGE_ANY}, &check))
        verify_answer(link, row->rung, &problem, CALL_FRESH, &check);
    const char *reason = check.correct ? warm_and_launch(run, row, &link->player->buffers) : check.reason;
    problem_free(&problem);
    return !reason || error_set(error, "%s", reason);
}

static int profile_on(const struct run *run, const struct row *row, struct link *link, struct error *error)
{
    const char *unloaded = row->rung->load ? row->rung->load(row->rung) : NULL;
    if (unloaded) {
        error_set(error, "%s", unloaded);
        return EXIT_WRONG;
    }
    if (!feasible_rung(&link->devices, row->rung, row->workload, error))
        return EXIT_ALL_SKIPPED;
    if (!row->rung->backend->backend->profile) {
        error_set(error, "%s rungs have no profiler hooks, expected a rung of a GPU", row->rung->backend->label);
        return EXIT_USAGE;
    }
    return run_row(run, row, link, error) ? EXIT_RIGHT : EXIT_WRONG;
}

static int profile_in_this_process(const struct run *run, const struct row *row, struct error *error)
{
    struct player player = {.registry = run->registry, .settings = &run->options->backend, .clock = run->clock};
    int fd;
    player.board = memory_have(board_make(&fd));
    struct link *link = link_to(&player, error);
    int status = link ? profile_on(run, row, link, error) : EXIT_USAGE;
    link_end(link, NULL, 0);
    board_free(player.board, fd);
    return status;
}

int profile_row(const struct run *run, const struct selection *selection, const char *name)
{
    struct error error = {""};
    const struct row *row = find_row(selection, name);
    if (!row)
        error_set(&error, "no such row, expected one that --suite=all --modes=%s --list shows", mode_names);
    int status = row ? profile_in_this_process(run, row, &error) : EXIT_USAGE;
    if (status == EXIT_RIGHT) {
        error_say("launched %s/%s/%s once between cudaProfilerStart and cudaProfilerStop;", row->rung->op->name,
                  row->workload->name, row->rung->variant);
        error_say("see it alone by: ncu --profile-from-start off ..., or nsys profile -c cudaProfilerApi ...");
    } else {
        error_say("--profile=%s: %s", name, error.text);
    }
    return status;
}
