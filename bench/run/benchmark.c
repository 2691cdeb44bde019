#include "benchmark.h"

#include "bench/base/interrupt.h"
#include "bench/base/output.h"
#include "bench/base/progress.h"
#include "bench/own/own_kernels.h"
#include "bench/report/reporter.h"
#include "explanation.h"
#include "judge.h"

#include <signal.h>
#include <stdlib.h>

static struct progress progress;

static void step(size_t done, const char *name)
{
    progress_step(&progress, done, name, host_now());
}

static void clear_progress(void)
{
    progress_clear(&progress);
}

/* A line of a player's stderr. */
static void print_message(const char *line)
{
    clear_progress();
    fprintf(stderr, "%s\n", line);
}

static void print_note(const char *line)
{
    clear_progress();
    fprintf(stderr, "rungbench: note: %s\n", line);
}

/* Whether somebody has named a kernel that was neither measured nor verified: says which, and why. */
static bool has_unseen_kernel(const struct registry *registry, const struct results *results)
{
    bool any = false;
    for (size_t i = 0; i < registry->rung_count; i++) {
        const struct rung *rung = &registry->rungs[i];
        const struct result *skipped = rung->load ? results_find_unseen(results, rung) : NULL;
        if (skipped)
            fprintf(stderr, "rungbench: %s (%s): neither measured nor verified: %s\n", rung->variant, rung->summary,
                    skipped->reason);
        any = any || skipped;
    }
    return any;
}

struct starter {
    const struct registry *registry;
    char **flags;
    struct link_settings settings[2]; /* of players of the table, and of strangers */
};

static struct link *start(void *self, bool is_strangers, struct board *board, int fd, struct error *error)
{
    const struct starter *starter = self;
    return link_start(&starter->settings[is_strangers], starter->registry, board, fd, error);
}

static struct link_settings link_settings(char **flags, bool is_strangers)
{
    return (struct link_settings){.program = "/proc/self/exe",
                                  .flags = flags,
                                  .is_strangers = is_strangers,
                                  .now = host_now,
                                  .interrupted = interrupt_ends_run,
                                  .message = print_message};
}

static int judge(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                 struct results *results)
{
    struct error error;
    char **flags = own_kernels_flags(run->options->shared);
    struct starter starter = {run->registry, flags, {link_settings(flags, false), link_settings(flags, true)}};
    const struct judge_settings settings = {.options = run->options,
                                            .registry = run->registry,
                                            .mnist = run->mnist,
                                            .facts = facts,
                                            .results = results,
                                            .clock = {host_now, interrupt_ends_run},
                                            .step = step,
                                            .note = print_note,
                                            .start = start,
                                            .self = &starter,
                                            .shares_board = true};
    if (!flags) {
        error_set(&error, "no memory for the arguments of a player");
        return error_report(&error);
    }
    int status = judge_run(&settings, selection, &error);
    free(flags);
    return status == EXIT_USAGE ? error_report(&error) : status;
}

int benchmark_judge(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                    struct results *results)
{
    struct outcomes outcomes;
    struct error error;
    if (!run_begin_ops(run->registry, &error))
        return error_report(&error);
    progress = progress_make(run->options->progress, selection->count * (size_t)run->options->rounds, NULL, host_now());
    int status = judge(run, selection, facts, results);
    interrupt_heard();
    clear_progress();
    bool written = results_end(results, &outcomes, &error);
    if (!written && status != EXIT_USAGE)
        status = error_report(&error);
    if (!run_finish_ops(run->registry, &error))
        status = error_report(&error);
    if (status == EXIT_USAGE || status == EXIT_WRONG || outcomes.ok + outcomes.skipped + outcomes.failed == 0)
        return status;
    status = outcomes_status(&outcomes);
    return status == EXIT_RIGHT && has_unseen_kernel(run->registry, results) ? EXIT_ALL_SKIPPED : status;
}

/* Or else it was interrupted, and its user wants those that it has. */
static bool has_all_rows(const struct options *options, const struct selection *selection,
                         const struct results *results)
{
    return interrupt_signal() ||
           (!results->has_stopped && results->list.count == selection->count * (size_t)options->rounds);
}

/* Below the table, which is complete by now: what ncu takes, nobody waits for in vain. */
static int explain(const struct run *run, const struct selection *selection, const struct results *results)
{
    struct error error;
    char **flags = own_kernels_flags(run->options->shared);
    struct explanation explanation = {
        .selection = selection,
        .to = stdout,
        .ncu = {.flags = flags, .interrupted = interrupt_ends_run, .now = host_now},
    };
    if (!flags)
        error_set(&error, "no memory for the arguments of ncu");
    bool ok = flags && explanation_print(&explanation, &results->list, &error);
    free(flags);
    return ok ? EXIT_RIGHT : error_report(&error);
}

int benchmark_run(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                  const char *program)
{
    struct error error;
    struct outputs outputs;
    signal(SIGPIPE, SIG_IGN); /* then write() fails instead, and files are still finished */
    if (!outputs_open(run->options, program, selection, clear_progress, &outputs, &error))
        return error_report(&error);
    struct results results = {
        .registry = run->registry, .reporters = outputs.reporters, .reporter_count = outputs.reporter_count};
    int status = benchmark_judge(run, selection, facts, &results);
    if (!outputs_commit(&outputs, &results.list, has_all_rows(run->options, selection, &results), &error))
        status = error_report(&error);
    else if (run->options->explain && standard_output_is_open() && explain(run, selection, &results) == EXIT_USAGE)
        status = EXIT_USAGE;
    results_free(&results);
    return status;
}
