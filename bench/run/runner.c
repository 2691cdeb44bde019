#include "runner.h"

#include "bench/base/exit_status.h"
#include "bench/place/feasible.h"
#include "bench/place/device_problem.h"
#include "bench/place/host_problem.h"
#include "bench/base/seeded.h"
#include "trial.h"
#include "bench/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char budget_spent[] = "out of reach: the --budget is spent";

/* The ragged sizes are verified once a run for each rung. */
struct ragged_verdict {
    bool known;
    struct check check;
};

struct run {
    const struct runner_settings *settings;
    struct run_outcome *outcome;
    struct ragged_verdict *ragged; /* one for each rung of the registry */
    struct error *error;
    bool writable; /* no reporter has failed */
    struct trial trial;
    struct ceilings ceilings;
    /* Of the workload in progress. */
    struct prepared prepared;
    struct placed placed;               /* on the backend of the rung in progress */
    const struct rung *baseline;        /* NULL: none */
    double baseline_time_s[MODE_COUNT]; /* by mode; NAN until it is known */
};

/* Rows of one rung on one workload. */
struct group {
    const struct row *rows;
    size_t count;
};

static bool goes_on(const struct run *run)
{
    return run->writable && !run->settings->clock.interrupted();
}

static size_t mode_index(const char *name)
{
    size_t i = 0;
    while (i + 1 < MODE_COUNT && strcmp(modes[i]->name, name) != 0)
        i++;
    return i;
}

static void report(struct run *run, const struct result *result)
{
    run->writable =
        run_report(result, run->settings->reporters, run->settings->reporter_count, run->outcome, run->error);
}

/* Reports all rows of the group as having had no chance. */
static void report_all(struct run *run, struct group group, enum status status, const char *reason)
{
    for (size_t i = 0; i < group.count && run->writable; i++) {
        struct result result = trial_blank(&run->trial, &group.rows[i]);
        result.status = status;
        snprintf(result.reason, sizeof result.reason, "%s", reason);
        report(run, &result);
    }
}

static double time_left(const struct run *run)
{
    return run->settings->options->budget_s - (run->settings->clock.now() - run->settings->facts->start_s);
}

static const struct check *ragged_check(struct run *run, const struct rung *rung)
{
    struct ragged_verdict *verdict = &run->ragged[rung - run->settings->registry->rungs];
    if (!verdict->known) {
        verify_ragged(rung, seeded_stream(run->settings->options->seed, 'r'), &verdict->check);
        verdict->known = true;
    }
    return &verdict->check;
}

static void note_speedup(struct run *run, const struct row *row, struct result *result)
{
    double time_s = result->statistics.median;
    if (row->rung == run->baseline)
        run->baseline_time_s[mode_index(row->mode->name)] = time_s;
    double baseline_time_s = run->baseline_time_s[mode_index(row->mode->baseline_mode)];
    if (!run->baseline || isnan(baseline_time_s))
        return;
    result->baseline = run->baseline->variant;
    result->speedup = baseline_time_s / time_s;
}

static void measure_one(struct run *run, const struct row *row, const struct check *verified)
{
    struct result result;
    struct measurement measured;
    if (trial_measure(&run->trial, row, verified, &measured, &result)) {
        if (result.status == STATUS_OK && isnan(result.slowdown_pct)) /* else its time is not its own */
            note_speedup(run, row, &result);
        report(run, &result);
    }
    measurement_free(&measured);
}

static void tell_step(const struct run *run, const struct row *row)
{
    char name[160];
    row_name(row, name, sizeof name);
    run->settings->step(run_outcome_rows(run->outcome), name);
}

/* Verifies one rung on one workload, and if it is right, measures it in each mode. */
static void run_group(struct run *run, struct group group)
{
    const struct row *first = &group.rows[0];
    const struct rung *rung = first->rung;
    struct error reason;
    tell_step(run, first);
    if (!feasible_rung(run->settings->devices, rung, first->workload, &reason)) {
        report_all(run, group, STATUS_SKIPPED, reason.text);
        return;
    }
    if (time_left(run) <= 0) {
        report_all(run, group, STATUS_SKIPPED, budget_spent);
        return;
    }
    const struct check *ragged = ragged_check(run, rung);
    if (!ragged->correct) {
        report_all(run, group, STATUS_FAILED, ragged->reason);
        return;
    }
    const char *trouble = placed_move(&run->placed, &run->prepared, rung->backend->backend);
    if (trouble) { /* no memory, say: nothing is wrong with the rung */
        report_all(run, group, STATUS_SKIPPED, trouble);
        return;
    }
    struct check check;
    verify_run(rung, &run->placed.buffers, run->prepared.host, run->prepared.reference, false, &check);
    if (!check.correct) {
        report_all(run, group, STATUS_FAILED, check.reason);
        return;
    }
    prepared_keep_answer(&run->prepared);
    if (rung->op->verified)
        rung->op->verified(first->workload, run->prepared.host);
    for (size_t i = 0; i < group.count && goes_on(run); i++) {
        tell_step(run, &group.rows[i]);
        if (!group.rows[i].mode) {
            struct result result = trial_verified(&run->trial, &group.rows[i], &check);
            report(run, &result);
        } else if (time_left(run) <= 0) {
            report_all(run, (struct group){&group.rows[i], 1}, STATUS_SKIPPED, budget_spent);
        } else {
            measure_one(run, &group.rows[i], &check);
        }
    }
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

/* What a speed-up on this workload is divided by: of the baseline rungs that can run it the first in the registry,
 * whatever the order of the rows. */
static struct group find_baseline(const struct run *run, struct group workload)
{
    struct group best = {0};
    struct error reason;
    for (size_t i = 0; i < workload.count;) {
        struct group group = group_at(workload.rows + i, workload.count - i, true);
        const struct rung *rung = group.rows[0].rung;
        if ((rung->traits & RUNG_BASELINE) != 0 && (best.count == 0 || rung < best.rows[0].rung) &&
            feasible_rung(run->settings->devices, rung, group.rows[0].workload, &reason))
            best = group;
        i += group.count;
    }
    return best;
}

/* Whether anything could come of preparing the workload; if not, why. */
static bool is_worth_preparing(const struct run *run, struct group workload, struct error *reason)
{
    const struct devices *devices = run->settings->devices;
    bool any = false, any_on_host = false;
    for (size_t i = 0; i < workload.count; i++) {
        const struct row *row = &workload.rows[i];
        struct error ignored;
        bool feasible = feasible_rung(devices, row->rung, row->workload, &ignored);
        any = any || feasible;
        any_on_host = any_on_host || (feasible && !row->rung->backend->separate_memory);
    }
    return any && feasible_workload(devices, workload.rows[0].rung->op, workload.rows[0].workload, any_on_host,
                                    time_left(run), reason);
}

/* Each rung says for itself why it is skipped; those that could run say what is wrong with the workload. */
static void skip_workload(struct run *run, struct group workload, const char *common_reason)
{
    for (size_t i = 0; i < workload.count && run->writable; i++) {
        const struct row *row = &workload.rows[i];
        struct error own;
        bool feasible = feasible_rung(run->settings->devices, row->rung, row->workload, &own);
        report_all(run, (struct group){row, 1}, STATUS_SKIPPED, feasible ? common_reason : own.text);
    }
}

static void run_workload(struct run *run, struct group workload)
{
    struct error reason;
    const struct row *first = &workload.rows[0];
    if (!is_worth_preparing(run, workload, &reason)) {
        skip_workload(run, workload, reason.text);
        return;
    }
    tell_step(run, first);
    struct input_source source = {run->settings->options->seed, run->settings->mnist};
    if (!prepared_make(&run->prepared, first->rung->op, first->workload, &source)) {
        skip_workload(run, workload, "too large: memory ran out while its input and reference were made");
        return;
    }
    struct group baseline = find_baseline(run, workload);
    run->baseline = baseline.count > 0 ? baseline.rows[0].rung : NULL;
    for (size_t i = 0; i < MODE_COUNT; i++)
        run->baseline_time_s[i] = NAN;
    if (baseline.count > 0)
        run_group(run, baseline);
    for (size_t i = 0; i < workload.count && goes_on(run);) {
        struct group rung = group_at(workload.rows + i, workload.count - i, true);
        if (rung.rows != baseline.rows)
            run_group(run, rung);
        i += rung.count;
    }
    placed_leave(&run->placed);
    prepared_free(&run->prepared);
}

bool runner_run(const struct runner_settings *settings, const struct selection *selection, struct run_outcome *outcome,
                struct error *error)
{
    *outcome = (struct run_outcome){0};
    struct run run = {
        .settings = settings,
        .outcome = outcome,
        .error = error,
        .writable = true,
        .ceilings = {.clock = &settings->clock, .evict_by_writing = settings->options->flush_by_writing},
        .ragged = calloc(settings->registry->rung_count, sizeof *run.ragged),
    };
    if (!run.ragged)
        return error_set(error, "no memory");
    run.trial = (struct trial){
        .options = settings->options,
        .devices = settings->devices,
        .facts = settings->facts,
        .prepared = &run.prepared,
        .placed = &run.placed,
        .ceilings = &run.ceilings,
        .clock = &settings->clock,
    };
    for (size_t i = 0; i < selection->count && goes_on(&run);) {
        struct group workload = group_at(selection->rows + i, selection->count - i, false);
        run_workload(&run, workload);
        i += workload.count;
    }
    free(run.ragged);
    ceilings_free(&run.ceilings);
    return run.writable;
}

int run_outcome_status(const struct run_outcome *outcome)
{
    if (outcome->failed > 0)
        return EXIT_WRONG;
    return outcome->ok > 0 ? EXIT_RIGHT : EXIT_ALL_SKIPPED;
}

size_t run_outcome_rows(const struct run_outcome *outcome)
{
    return outcome->ok + outcome->skipped + outcome->failed;
}

bool run_report(const struct result *result, const struct reporter *reporters, size_t count,
                struct run_outcome *outcome, struct error *error)
{
    size_t *counter = result->status == STATUS_OK        ? &outcome->ok
                      : result->status == STATUS_SKIPPED ? &outcome->skipped
                                                         : &outcome->failed;
    ++*counter;
    return reporters_result(reporters, count, result, error);
}
