#include "runner.h"

#include "bench/base/host.h"
#include "bench/base/left_behind.h"
#include "bench/base/own_process.h"
#include "bench/place/device_problem.h"
#include "bench/place/feasible.h"
#include "bench/place/host_problem.h"
#include "bench/table/hand_over.h"
#include "bench/verify/verify.h"
#include "bench/verify/verify_graph.h"
#include "bench/verify/verify_once.h"
#include "left_as_it_was.h"
#include "ragged_checks.h"
#include "trial.h"

#include <stdio.h>
#include <string.h>

static const char budget_spent[] = "out of reach: the --budget is spent";

struct runner {
    const struct runner_settings *settings;
    struct run_outcome *outcome;
    struct ragged_checks ragged;
    struct error *error;
    bool writable; /* no reporter has failed */
    bool is_spent; /* by a rung that failed */
    struct trial trial;
    struct ceilings ceilings;
    /* Of the workload in progress. */
    struct host_problem host_problem;
    struct device_problem device_problem; /* on the backend of the rung in progress */
};

/* Rows of one rung on one workload. */
struct group {
    const struct row *rows;
    size_t count;
};

static bool goes_on(const struct runner *runner)
{
    return runner->writable && !runner->is_spent && !runner->settings->clock.interrupted();
}

static void report(struct runner *runner, const struct result *result)
{
    own_process_check();
    const struct runner_settings *settings = runner->settings;
    run_outcome_count(runner->outcome, result);
    runner->writable = reporters_early(settings->reporters, settings->reporter_count, result, runner->error);
}

/* Reports all rows of the group as skipped or failed. */
static void report_all(struct runner *runner, struct group group, enum status status, const char *reason)
{
    for (size_t i = 0; i < group.count && runner->writable; i++) {
        struct result result = trial_blank(&runner->trial, &group.rows[i]);
        result.status = status;
        snprintf(result.reason, sizeof result.reason, "%s", reason);
        report(runner, &result);
    }
}

static void report_failed(struct runner *runner, struct group group, const struct check *check)
{
    for (size_t i = 0; i < group.count && runner->writable; i++) {
        struct result result = trial_failed(&runner->trial, &group.rows[i], check);
        report(runner, &result);
    }
}

static double time_left(const struct runner *runner)
{
    return runner->settings->options->budget_s - (runner->settings->clock.now() - runner->settings->facts->start_s);
}

static void measure_one(struct runner *runner, const struct row *row, const struct check *verified)
{
    struct result result;
    struct measurement measured;
    if (trial_measure(&runner->trial, row, verified, &measured, &result)) {
        struct check check;
        if (!left_all_as_it_was(runner->settings, row->rung, &check) && result.status == STATUS_OK)
            result = trial_failed(&runner->trial, row, &check);
        report(runner, &result);
    }
    measurement_free(&measured);
}

static void tell_step(const struct runner *runner, const struct row *row)
{
    char name[160];
    own_process_check();
    row_name(row, name, sizeof name);
    runner->settings->step(run_outcome_rows(runner->outcome), name);
}

/* Verifies the rung on the very buffers that are timed, and keeps its answer. */
static void verify_workload(struct runner *runner, const struct rung *rung, struct check *check)
{
    struct buffers *buffers = &runner->device_problem.buffers;
    void *const *host = runner->host_problem.host;
    const void *reference = runner->host_problem.reference;
    verify_run(rung, buffers, host, reference, false, check);
    if (!check->correct)
        return;
    host_problem_keep_answer(&runner->host_problem);
    if (!ragged_checks_are_done(&runner->ragged))
        verify_graph(rung, buffers, host, reference, &runner->trial.launches, check);
    if (check->correct && (rung->traits & RUNG_UNORDERED) == 0 && !host_problem_same_answer(&runner->host_problem))
        verify_fail(check, "", "its second answer is not the first one bit for bit");
    if (check->correct)
        (void)left_all_as_it_was(runner->settings, rung, check);
}

/* Verifies one rung on one workload and, if it is correct, measures it in each mode. */
static void run_group(struct runner *runner, struct group group)
{
    const struct row *first = &group.rows[0];
    const struct rung *rung = first->rung;
    struct error reason;
    tell_step(runner, first);
    const char *unloaded = rung->load ? rung->load(rung) : NULL;
    if (unloaded) {
        report_all(runner, group, STATUS_FAILED, unloaded);
        return;
    }
    if (!feasible_rung(runner->settings->devices, rung, first->workload, &reason)) {
        report_all(runner, group, STATUS_SKIPPED, reason.text);
        return;
    }
    if (time_left(runner) <= 0) {
        report_all(runner, group, STATUS_SKIPPED, budget_spent);
        return;
    }
    const char *clock_error = host_clock_error(); /* what follows waits by the clock */
    if (clock_error) {
        report_all(runner, group, STATUS_FAILED, clock_error);
        return;
    }
    const struct check *ragged = ragged_check(&runner->ragged, rung);
    if (!ragged->correct) {
        report_failed(runner, group, ragged);
        return;
    }
    const char *error = device_problem_move(&runner->device_problem, &runner->host_problem, rung->backend->backend);
    if (error) { /* out of memory, for example: the rung is not to blame */
        report_all(runner, group, STATUS_SKIPPED, error);
        return;
    }
    struct check check;
    hand_over_forget();
    verify_workload(runner, rung, &check);
    runner->trial.runs_as = hand_over_variant(runner->settings->registry);
    if (!check.correct) {
        report_failed(runner, group, &check);
        return;
    }
    memcpy(check.mark, ragged->mark, sizeof check.mark);
    if (rung->op->verified)
        rung->op->verified(first->workload, runner->host_problem.host);
    for (size_t i = 0; i < group.count && goes_on(runner); i++) {
        tell_step(runner, &group.rows[i]);
        if (!group.rows[i].mode) {
            struct result result = trial_verified(&runner->trial, &group.rows[i], &check);
            report(runner, &result);
        } else if (time_left(runner) <= 0) {
            report_all(runner, (struct group){&group.rows[i], 1}, STATUS_SKIPPED, budget_spent);
        } else {
            measure_one(runner, &group.rows[i], &check);
        }
    }
}

static void run_group_alone(struct runner *runner, struct group group)
{
    size_t failed = runner->outcome->failed;
    run_group(runner, group);
    runner->trial.runs_as = NULL;
    runner->trial.launches.kernels = 0;
    runner->is_spent = runner->settings->ends_after_failure && runner->outcome->failed > failed;
}

/* An earlier process has done all rows of a rung on a workload, or none: it does not end between them without failing
 * the others. */
static bool is_done(struct group group)
{
    return group.rows[0].is_done;
}

/* The rows from `start` that share a workload, or a workload and a rung. */
static struct group group_at(const struct row *rows, size_t count, bool by_rung)
{
    size_t end = 1;
    while (end < count && rows[end].workload == rows[0].workload && rows[end].rung->op == rows[0].rung->op &&
           (!by_rung || rows[end].rung == rows[0].rung))
        end++;
    return (struct group){rows, end};
}

/* The baseline of this workload's speed-ups, which is to run first: the first baseline rung of the registry that can
 * run it, whatever the order of the rows. */
static struct group find_baseline(const struct runner *runner, struct group workload)
{
    struct group best = {0};
    struct error reason;
    for (size_t i = 0; i < workload.count;) {
        struct group group = group_at(workload.rows + i, workload.count - i, true);
        const struct rung *rung = group.rows[0].rung;
        if ((rung->traits & RUNG_BASELINE) != 0 && (best.count == 0 || rung < best.rows[0].rung) &&
            feasible_rung(runner->settings->devices, rung, group.rows[0].workload, &reason))
            best = group;
        i += group.count;
    }
    return best;
}

/* Whether any rung can run the workload; if not, why. */
static bool is_worth_preparing(const struct runner *runner, struct group workload, struct error *reason)
{
    const struct devices *devices = runner->settings->devices;
    bool any = false, any_on_host = false;
    for (size_t i = 0; i < workload.count; i++) {
        const struct row *row = &workload.rows[i];
        struct error ignored;
        bool feasible = !row->is_done && feasible_rung(devices, row->rung, row->workload, &ignored);
        any = any || feasible;
        any_on_host = any_on_host || (feasible && !row->rung->backend->separate_memory);
    }
    return any && feasible_workload(devices, workload.rows[0].rung->op, workload.rows[0].workload, any_on_host,
                                    time_left(runner), reason);
}

/* A rung that cannot run reports its own reason, the others the common one. */
static void skip_workload(struct runner *runner, struct group workload, const char *common_reason)
{
    for (size_t i = 0; i < workload.count && runner->writable; i++) {
        const struct row *row = &workload.rows[i];
        struct error own;
        bool feasible = feasible_rung(runner->settings->devices, row->rung, row->workload, &own);
        if (!row->is_done)
            report_all(runner, (struct group){row, 1}, STATUS_SKIPPED, feasible ? common_reason : own.text);
    }
}

/* NULL: there is none. */
static const struct row *first_to_do(struct group workload)
{
    for (size_t i = 0; i < workload.count; i++)
        if (!workload.rows[i].is_done)
            return &workload.rows[i];
    return NULL;
}

static void run_workload(struct runner *runner, struct group workload)
{
    struct error reason;
    const struct row *first = first_to_do(workload);
    if (!first)
        return;
    if (!is_worth_preparing(runner, workload, &reason)) {
        skip_workload(runner, workload, reason.text);
        return;
    }
    tell_step(runner, first);
    struct input_source source = {.seed = runner->settings->options->seed, .mnist = runner->settings->mnist};
    if (!host_problem_make(&runner->host_problem, first->rung->op, first->workload, &source)) {
        skip_workload(runner, workload, "too large: memory ran out while its input and reference were made");
        return;
    }
    struct group baseline = find_baseline(runner, workload);
    if (baseline.count > 0 && !is_done(baseline))
        run_group_alone(runner, baseline);
    for (size_t i = 0; i < workload.count && goes_on(runner);) {
        struct group rung = group_at(workload.rows + i, workload.count - i, true);
        if (rung.rows != baseline.rows && !is_done(rung))
            run_group_alone(runner, rung);
        i += rung.count;
    }
    device_problem_leave(&runner->device_problem);
    host_problem_free(&runner->host_problem);
}

/* Workers tell theirs to the run that started them, which judges its rows by the best of all rounds. Of a session whose
 * rounds are programs of their own, as those of the gate, the first one is judged: the others run the same code. */
static bool needs_ceilings(const struct runner_settings *settings)
{
    return settings->facts->round == 0 || settings->options->worker;
}

bool runner_run(const struct runner_settings *settings, const struct selection *selection, struct run_outcome *outcome,
                struct error *error)
{
    *outcome = (struct run_outcome){0};
    left_behind_adopt();
    struct runner runner = {
        .settings = settings,
        .outcome = outcome,
        .error = error,
        .writable = true,
        .ceilings = {.clock = &settings->clock,
                     .evict_by_writing = settings->options->flush_by_writing,
                     .tell = settings->tell,
                     .self = settings->tell_self},
    };
    if (!ragged_checks_make(&runner.ragged, settings))
        return error_set(error, "no memory");
    runner.trial = (struct trial){
        .options = settings->options,
        .devices = settings->devices,
        .facts = settings->facts,
        .host_problem = &runner.host_problem,
        .device_problem = &runner.device_problem,
        .ceilings = needs_ceilings(settings) ? &runner.ceilings : NULL,
        .clock = &settings->clock,
    };
    for (size_t i = 0; i < selection->count && goes_on(&runner);) {
        struct group workload = group_at(selection->rows + i, selection->count - i, false);
        run_workload(&runner, workload);
        i += workload.count;
    }
    for (size_t i = 0; i < settings->devices->count && runner.trial.ceilings && goes_on(&runner); i++)
        if (settings->devices->items[i].usable)
            ceilings_measure_last(&runner.ceilings, &settings->devices->items[i]);
    ragged_checks_free(&runner.ragged);
    ceilings_free(&runner.ceilings);
    return runner.writable;
}
