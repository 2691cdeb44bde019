#include "benchmark.h"

#include "bench/base/exit_status.h"
#include "bench/base/host.h"
#include "bench/base/interrupt.h"
#include "bench/base/progress.h"
#include "bench/base/standard_streams.h"
#include "bench/own/own_kernels.h"
#include "bench/report/outputs.h"
#include "explanation.h"
#include "measuring.h"
#include "supervisor.h"

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

/* A line of a worker's stderr. */
static void print_message(const char *line)
{
    clear_progress();
    fprintf(stderr, "%s\n", line);
}

static int supervise(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                     const struct outputs *outputs, struct judge *judge)
{
    struct error error, ignored;
    char **flags = own_kernels_flags(run->options->shared);
    if (!flags) {
        error_set(&error, "no memory for the arguments of a worker");
        return error_report(&error);
    }
    struct supervisor supervisor = {
        .program = "/proc/self/exe",
        .flags = flags,
        .selection = selection,
        .facts = facts,
        .budget_s = run->options->budget_s,
        .min_time_s = run->options->min_time_s,
        .judge = judge,
        .samples = outputs->samples,
        .now = host_now,
        .interrupted = interrupt_ends_run,
        .step = step,
        .message = print_message,
    };
    /* Workers write what operations write. Here it is opened to say at once where that cannot be written. */
    if (!run_begin_ops(run->registry, &error)) {
        free(flags);
        return error_report(&error);
    }
    int status = supervisor_run(&supervisor, &error);
    (void)run_finish_ops(run->registry, &ignored);
    free(flags);
    return status == EXIT_USAGE ? error_report(&error) : status;
}

/* Whether somebody has named a kernel that was neither measured nor verified: says which, and why. */
static bool has_unseen_kernel(const struct registry *registry, const struct judge *judge)
{
    bool any = false;
    for (size_t i = 0; i < registry->rung_count; i++) {
        const struct rung *rung = &registry->rungs[i];
        const struct result *skipped = rung->load ? judge_find_unseen(judge, rung) : NULL;
        if (skipped)
            fprintf(stderr, "rungbench: %s (%s): neither measured nor verified: %s\n", rung->variant, rung->summary,
                    skipped->reason);
        any = any || skipped;
    }
    return any;
}

/* Measures in other processes, or with --sitting in this one. */
static int measure_and_judge(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                             const struct outputs *outputs, struct judge *judge)
{
    struct run_outcome outcome;
    struct error error;
    int status = run->options->session[0] != '\0' ? measuring_run_session(run, selection, facts, judge, step)
                                                  : supervise(run, selection, facts, outputs, judge);
    interrupt_heard();
    clear_progress();
    bool written = judge_end(judge, &outcome, &error);
    if (status == EXIT_USAGE)
        return status;
    if (!written)
        return error_report(&error);
    if (status == EXIT_WRONG || run_outcome_rows(&outcome) == 0)
        return status;
    status = run_outcome_status(&outcome);
    return status == EXIT_RIGHT && has_unseen_kernel(run->registry, judge) ? EXIT_ALL_SKIPPED : status;
}

/* Or else it was interrupted, and its user wants those that it has. */
static bool has_all_rows(const struct options *options, const struct selection *selection, const struct judge *judge)
{
    return interrupt_signal() ||
           (!judge->has_stopped && judge->results.count == selection->count * (size_t)options->rounds);
}

/* Below the table, which is complete by now: what ncu takes, nobody waits for in vain. */
static int explain(const struct run *run, const struct selection *selection, const struct judge *judge)
{
    struct error error;
    char **flags = own_kernels_flags(run->options->shared);
    struct explanation explanation = {
        .selection = selection,
        .to = standard_output_file(),
        .ncu = {.flags = flags, .interrupted = interrupt_ends_run, .now = host_now},
    };
    if (!flags)
        error_set(&error, "no memory for the arguments of ncu");
    bool ok = flags && explanation_print(&explanation, &judge->results, &error);
    free(flags);
    return ok ? EXIT_RIGHT : error_report(&error);
}

int benchmark_run(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                  const char *program)
{
    struct error error;
    struct outputs outputs;
    bool is_worker = run->options->worker != NULL;
    signal(SIGPIPE, SIG_IGN); /* then write() fails instead, and files are still finished */
    if ((is_worker || run->options->session[0] != '\0') && !measuring_begin(run, &error))
        return error_report(&error);
    if (!outputs_open(run->options, program, selection, clear_progress, &outputs, &error))
        return error_report(&error);
    progress = progress_make(run->options->progress, selection->count * (size_t)run->options->rounds, host_now());
    struct judge judge = {
        .registry = run->registry, .reporters = outputs.reporters, .reporter_count = outputs.reporter_count};
    int status = is_worker ? measuring_run_worker(run, selection, facts, &outputs)
                           : measure_and_judge(run, selection, facts, &outputs, &judge);
    if (!outputs_commit(&outputs, has_all_rows(run->options, selection, &judge), &error))
        status = error_report(&error);
    else if (run->options->explain && standard_output_is_open() && explain(run, selection, &judge) == EXIT_USAGE)
        status = EXIT_USAGE;
    judge_free(&judge);
    return status;
}
