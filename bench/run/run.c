#include "run.h"

#include "bench/base/crash.h"
#include "bench/base/interrupt.h"
#include "bench/base/memory.h"
#include "bench/base/process.h"
#include "bench/base/progress.h"
#include "bench/data/photo.h"
#include "bench/own/own_kernels.h"
#include "bench/player/player.h"
#include "bench/report/reporter.h"
#include "explanation.h"
#include "judge.h"
#include "tune.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void print_message(const char *line)
{
    progress_clear();
    fprintf(stderr, "%s\n", line);
}

/* Whether somebody has named a kernel that was neither measured nor verified: says which, and why. */
static bool has_unseen_kernel(const struct registry *registry, const struct results *results)
{
    bool any = false;
    for (size_t i = 0; i < registry->rung_count; i++) {
        const struct rung *rung = &registry->rungs[i];
        const struct result *skipped = rung->load ? results_find_unseen(results, rung) : NULL;
        if (skipped)
            error_say("%s (%s): neither measured nor verified: %s", rung->variant, rung->summary, skipped->reason);
        any = any || skipped;
    }
    return any;
}

enum { IMPORT_LIMIT_S = 300 }; /* for what a file of Python imports */

struct starter {
    const struct registry *registry;
    struct link_settings settings; /* of the player that is started */
};

static struct link *start(void *self, const struct rung *stranger, struct board *board, int fd, struct error *error)
{
    struct starter *starter = self;
    starter->settings.is_strangers = stranger != NULL;
    starter->settings.program = stranger ? own_kernels_host(stranger) : NULL;
    starter->settings.open_limit_s = starter->settings.program ? IMPORT_LIMIT_S : 0;
    return link_start(&starter->settings, starter->registry, board, fd, error);
}

static int judge_all(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                     struct results *results)
{
    struct error error;
    char **flags = own_kernels_flags(run->options->shared);
    struct starter starter = {
        run->registry, {.flags = flags, .now = host_now, .interrupted = interrupt_ends_run, .message = print_message}};
    struct judge judge = {
        .run = run, .facts = facts, .results = results, .note = progress_note, .start = start, .self = &starter};
    int status = judge_run(&judge, selection, &error);
    free(flags);
    return status == EXIT_USAGE ? error_report(&error) : status;
}

int run_to_results(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                   struct results *results)
{
    struct error error;
    if (!gray_photo_open(run->options->gray_out, run->real.photo, &error))
        return error_report(&error);
    progress_begin(run->options->progress, selection->count * (size_t)run->options->rounds, false, host_now());
    int status = judge_all(run, selection, facts, results);
    interrupt_heard();
    progress_clear();
    results_end(results);
    return gray_photo_write(&error) ? status : error_report(&error);
}

int run_status(const struct run *run, const struct results *results, int status)
{
    if (status == EXIT_USAGE || status == EXIT_WRONG || results->list.count == 0)
        return status;
    status = results_status(results);
    return status == EXIT_RIGHT && has_unseen_kernel(run->registry, results) ? EXIT_ALL_SKIPPED : status;
}

/* Or else it was interrupted, and its user wants those that it has. */
static bool has_all_rows(const struct options *options, const struct selection *selection,
                         const struct results *results)
{
    return interrupt_signal() ||
           (!results->has_stopped && results->list.count == selection->count * (size_t)options->rounds);
}

/* Below the table, which nobody waits for in vain: ncu takes seconds. */
static bool explain(const struct run *run, struct result_list *results, struct error *error)
{
    char **flags = own_kernels_flags(run->options->shared);
    bool ok = explanation_print(results, flags, stdout, error);
    free(flags);
    return ok;
}

/* What is explained is in the files, too: these come last. Returns the status. */
static int write_results(const struct run *run, struct outputs *outputs, struct results *results, int status)
{
    struct error untold, error;
    const bool explains = run->options->explain && standard_output_is_open();
    const bool is_told =
        outputs_tell(outputs, &results->list, &untold) && (!explains || explain(run, &results->list, &untold));
    if (!outputs_take_all(outputs, &results->list, &error) && status != EXIT_USAGE)
        status = error_report(&error);
    status = run_status(run, results, status);
    return is_told ? status : error_report(&untold);
}

int run_to_outputs(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                   const char *program)
{
    struct outputs outputs;
    struct results results = {.registry = run->registry, .early = outputs_take_early, .self = &outputs};
    struct error error;
    signal(SIGPIPE, SIG_IGN); /* then write() fails instead, and files are still finished */
    if ((run->options->tune && !constants_can_be_kept(&error)) ||
        !outputs_open(run->options, program, &outputs, &error))
        return error_report(&error);
    int status = run_to_results(run, selection, facts, &results);
    status = write_results(run, &outputs, &results, status);
    if (!outputs_commit(&outputs, &results.list, has_all_rows(run->options, selection, &results), &error))
        status = error_report(&error);
    if (run->options->tune && status == EXIT_WRONG)
        error_say("--tune: rows failed, so no constants are kept");
    else if (run->options->tune && status == EXIT_RIGHT && !interrupt_signal() && !tune_keep(&results.list, &error))
        status = error_report(&error);
    if (run->options->exercise && (status == EXIT_RIGHT || status == EXIT_WRONG))
        status = exercise_judge(run->options, &results.list, status);
    results_free(&results);
    return status;
}

/* Of the backends that know where an address lies, the first; NULL: none does. */
static const struct backend *find_describer(const struct registry *registry)
{
    for (size_t i = 0; i < registry->backend_count; i++)
        if (registry->backends[i].backend && registry->backends[i].backend->describe_address)
            return registry->backends[i].backend;
    return NULL;
}

int run_player(const struct run *run)
{
    const struct backend *describer = find_describer(run->registry);
    struct board *board = board_open(PROCESS_MEMORY_FD);
    close(PROCESS_MEMORY_FD); /* a rung that maps it could write where the judge looks */
    struct player player = {.registry = run->registry,
                            .settings = &run->options->backend,
                            .real = run->real,
                            .evict_by_writing = run->options->flush_by_writing,
                            .clock = run->clock,
                            .board = board};
    if (!board) {
        error_say("--player: expected memory of the process that has started this one");
        return EXIT_USAGE;
    }
    interrupt_drop(); /* the judge ends it */
    crash_install(board->crash, sizeof board->crash, describer ? describer->describe_address : NULL);
    player_serve(&player, PROCESS_EXTRA_FD);
    player_close(&player);
    board_free(board, -1);
    return EXIT_RIGHT;
}
