#include "judge.h"

#include "bench/base/error.h"
#include "bench/base/seeded.h"
#include "bench/place/feasible.h"
#include "bench/select/shuffle.h"
#include "judging.h"
#include "verdict.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char budget_spent[] = "out of reach: the --budget is spent";

struct ragged_verdict {
    bool known;
    struct check check;
    char ended_in[160]; /* the row in which the rung has ended its process, in this round; empty: none */
};

struct group group_at(const struct row *rows, size_t count, bool by_rung)
{
    size_t end = 1;
    while (end < count && rows[end].workload == rows[0].workload && rows[end].rung->op == rows[0].rung->op &&
           (!by_rung || rows[end].rung == rows[0].rung))
        end++;
    return (struct group){rows, end};
}

bool judging_goes_on(const struct judging *judging)
{
    return judging->status != EXIT_USAGE && judging->status != EXIT_ALL_SKIPPED &&
           !judging->settings->clock.interrupted();
}

double judging_time_left_s(const struct judging *judging)
{
    const struct judge_settings *settings = judging->settings;
    return settings->options->budget_s - (settings->clock.now() - settings->facts->start_s);
}

void judging_step(const struct judging *judging, const struct row *row)
{
    char name[160];
    row_name(row, name, sizeof name);
    judging->settings->step(judging->settings->results->list.count, name);
}

struct trial judging_trial(const struct judging *judging, struct link *link, struct problem *problem)
{
    return (struct trial){.options = judging->settings->options,
                          .facts = judging->settings->facts,
                          .round = judging->round,
                          .link = link,
                          .problem = problem};
}

void judging_report(struct judging *judging, struct result *result)
{
    struct results *results = judging->settings->results;
    double *samples = (double *)(uintptr_t)result->sample_s;
    if (judging->held.items) {
        struct result *held = &judging->held.items[judging->held.count++];
        *held = *result;
        if (held->device) /* which its player has */
            held->device = results_keep_device(results, held->device);
        return;
    }
    if (result->status == STATUS_OK && result->statistics.count > 0 && judging_goes_on(judging))
        verdict_measure_ceilings(&results->ceilings, result);
    if (!results_take(results, result, judging->error))
        judging->status = EXIT_USAGE;
    free(samples);
}

void judging_report_timed(struct judging *judging, const struct trial *trial, const struct row *row,
                          struct result *result)
{
    struct check check;
    if (result->status == STATUS_OK && !verify_left_as_it_was(trial->link, row->rung, &check)) {
        free((double *)(uintptr_t)result->sample_s);
        *result = trial_failed(trial, row, &check);
    }
    if (result->status == STATUS_OK || judging_goes_on(judging))
        judging_report(judging, result);
    else
        free((double *)(uintptr_t)result->sample_s);
}

void judging_report_all(struct judging *judging, const struct trial *trial, struct group group, enum status status,
                        const char *reason)
{
    for (size_t i = 0; i < group.count && judging_goes_on(judging); i++) {
        struct result result = trial_blank(trial, &group.rows[i]);
        result.status = status;
        snprintf(result.reason, sizeof result.reason, "%s", reason);
        judging_report(judging, &result);
    }
}

void judging_report_failed(struct judging *judging, const struct trial *trial, struct group group,
                           const struct check *check)
{
    for (size_t i = 0; i < group.count && judging_goes_on(judging); i++) {
        struct result result = trial_failed(trial, &group.rows[i], check);
        judging_report(judging, &result);
    }
}

static void time_ceiling(void *self, double min_time_s, struct ceiling *ceiling)
{
    struct judging *judging = self;
    const struct registry *registry = judging->settings->registry;
    const struct mode *mode = mode_find(ceiling->mode, strlen(ceiling->mode));
    struct ask ask = {.kind = ASK_CEILING,
                      .mode = mode_index(mode),
                      .ceiling = {ceiling->kind, ceiling->variant, ceiling->amount, min_time_s}};
    struct reply reply = {.seconds = NAN};
    while (strcmp(registry->backends[ask.backend].name, ceiling->backend) != 0)
        ask.backend++;
    if (judging_link(judging))
        (void)link_ask(judging->link, NULL, &ask, &reply);
    ceiling->seconds = reply.seconds;
    ceiling->variant = reply.variant;
}

/* What readers of the rows must know of the machine, once in a run. */
static void print_notes(const struct judging *judging)
{
    const struct devices *devices = &judging->link->devices;
    for (size_t i = 0; i < devices->count; i++)
        for (int n = 0; n < devices->items[i].info.note_count; n++)
            judging->settings->note(devices->items[i].info.notes[n].text);
}

static bool has_required(struct judging *judging)
{
    const struct backend_entry *required = judging->settings->options->require;
    const struct device *device = required ? devices_find(&judging->link->devices, required) : NULL;
    if (!device || device->usable)
        return true;
    fprintf(stderr, "rungbench: --require=%s: %s\n", required->name, device->reason);
    judging->status = EXIT_ALL_SKIPPED;
    return false;
}

bool judging_link(struct judging *judging)
{
    const struct judge_settings *settings = judging->settings;
    if (judging->link)
        return true;
    judging->link = settings->start(settings->self, false, judging->board, judging->board_fd, judging->error);
    if (!judging->link) {
        judging->status = EXIT_USAGE;
        return false;
    }
    if (judging->has_started || judging->link->has_ended)
        return true;
    judging->has_started = true;
    if (!has_required(judging))
        return false;
    print_notes(judging);
    return true;
}

void judging_end_link(struct judging *judging)
{
    char left[160] = "", line[224];
    link_end(judging->link, left, sizeof left);
    judging->link = NULL;
    snprintf(line, sizeof line, "a rung has left a process behind, which was killed: %s", left);
    if (left[0] != '\0')
        judging->settings->note(line);
}

static bool is_first_round(const struct judging *judging)
{
    return (judging->round == 0 && judging->settings->facts->round == 0) || judging->settings->options->verify;
}

/* What is timed is verified at its own size. Whether larger ones are right is what --verify is asked, and what we owe
 * to the kernel of a user. */
static void try_far(const struct judging *judging, struct link *link, const struct rung *rung, struct check *check)
{
    const struct options *options = judging->settings->options;
    struct error left_out;
    if (!check->correct || (!options->verify && !rung->load))
        return;
    verify_far(link, rung, seeded_stream(options->seed, 'f'), check, &left_out);
    if (left_out.text[0] != '\0')
        judging->settings->note(left_out.text);
}

const struct check *judging_ragged(struct judging *judging, struct link *link, const struct rung *rung)
{
    const struct judge_settings *settings = judging->settings;
    struct ragged_verdict *verdict = &judging->ragged[rung - settings->registry->rungs];
    if (verdict->known)
        return &verdict->check;
    verdict->check = (struct check){.correct = true, .max_abs_err = 0, .err_bound = NAN, .rms_err = NAN};
    verdict->known = true;
    if (!is_first_round(judging))
        return &verdict->check;
    link->limit_s = stopping_row_limit_s(rung->load && !rung->backend->simulates, settings->options->min_time_s, 0, 0);
    verify_ragged(link, rung, seeded_stream(settings->options->seed, 'r'), &verdict->check);
    try_far(judging, link, rung, &verdict->check);
    if (verdict->check.correct)
        (void)verify_left_as_it_was(link, rung, &verdict->check);
    return &verdict->check;
}

const char *judging_infeasible(struct link *link, const struct rung *rung, const struct workload *workload)
{
    struct ask ask = {.kind = ASK_FEASIBLE, .workload = *workload};
    struct reply reply;
    return link_ask(link, rung, &ask, &reply) == OUTCOME_DONE ? NULL : link->board->text;
}

void judging_limit(const struct judging *judging, struct link *link, const struct row *row)
{
    bool is_own = row->rung->load && !row->rung->backend->simulates; /* simulated kernels are slow */
    const struct options *options = judging->settings->options;
    link->limit_s = stopping_row_limit_s(is_own, options->min_time_s, options->samples_per_row,
                                         op_work(row->rung->op, row->workload));
}

/* A call of it takes seconds: the answer of the first that is timed is compared with the reference. */
static bool is_verified_by_timing(const struct row *row)
{
    const double much_work = 1e9;
    return (row->rung->traits & RUNG_SLOW) != 0 && row->mode && op_work(row->rung->op, row->workload) > much_work;
}

void judging_verify(const struct judging *judging, struct trial *trial, const struct row *row, struct check *check)
{
    const struct rung *rung = row->rung;
    struct link *link = trial->link;
    judging_limit(judging, link, row);
    *check = (struct check){.correct = true, .max_abs_err = NAN, .err_bound = NAN, .rms_err = NAN};
    trial->problem->has_answer = false;
    if (!verify_place(link, rung, trial->problem, &(struct placement){.edge = EDGE_ANY}, check))
        return;
    if (is_verified_by_timing(row))
        return;
    verify_workload(link, rung, trial->problem, is_first_round(judging), &trial->launches, check);
    memcpy(trial->runs_as, link->board->runs_as, sizeof trial->runs_as);
    trial->runs_as[sizeof trial->runs_as - 1] = '\0';
    if (!check->correct)
        return;
    if ((rung->traits & RUNG_UNORDERED) == 0)
        snprintf(trial->answer, sizeof trial->answer, "%016" PRIx64, problem_answer_digest(trial->problem));
    if (rung->op->verified)
        rung->op->verified(row->workload, trial->problem->host);
}

static void measure_row_of_table(struct judging *judging, const struct trial *trial, const struct row *row,
                                 const struct check *verified)
{
    struct result result;
    judging_step(judging, row);
    if (judging_time_left_s(judging) <= 0) {
        judging_report_all(judging, trial, (struct group){row, 1}, STATUS_SKIPPED, budget_spent);
        return;
    }
    if (trial_measure(trial, row, verified, &result))
        judging_report_timed(judging, trial, row, &result);
}

/* Why the group cannot even be tried: all of its rows are reported. */
static bool is_out_of_reach(struct judging *judging, const struct trial *trial, struct group group)
{
    const struct ragged_verdict *verdict = &judging->ragged[group.rows->rung - judging->settings->registry->rungs];
    const char *clock_error = host_clock_error(); /* what follows waits by the clock */
    char others[224];
    snprintf(others, sizeof others, "not run: the rung ended its process in row %s", verdict->ended_in);
    if (verdict->ended_in[0] != '\0')
        judging_report_all(judging, trial, group, STATUS_FAILED, others);
    else if (judging_time_left_s(judging) <= 0)
        judging_report_all(judging, trial, group, STATUS_SKIPPED, budget_spent);
    else if (clock_error)
        judging_report_all(judging, trial, group, STATUS_FAILED, clock_error);
    else if (!verdict->check.correct)
        judging_report_failed(judging, trial, group, &verdict->check);
    else
        return false;
    return true;
}

/* Verifies one rung on one workload and, if it is correct, measures it in each mode. False: it was not called. */
static bool run_group(struct judging *judging, struct problem *problem, struct group group)
{
    const struct row *first = &group.rows[0];
    struct trial trial = judging_trial(judging, judging->link, problem);
    struct check check;
    judging_step(judging, first);
    const char *infeasible = judging_infeasible(judging->link, first->rung, first->workload);
    if (infeasible) {
        judging_report_all(judging, &trial, group, STATUS_SKIPPED, infeasible);
        return false;
    }
    if (is_out_of_reach(judging, &trial, group))
        return false;
    judging_verify(judging, &trial, first, &check);
    if (!judging_goes_on(judging))
        return true; /* an unfinished row is no result */
    if (!check.correct) {
        judging_report_failed(judging, &trial, (struct group){group.rows, judging->link->has_ended ? 1 : group.count},
                              &check);
        return true;
    }
    memcpy(check.mark, judging->ragged[first->rung - judging->settings->registry->rungs].check.mark, sizeof check.mark);
    for (size_t i = 0; i < group.count && judging_goes_on(judging) && !judging->link->has_ended; i++) {
        if (!first->mode) {
            struct result result = trial_verified(&trial, &group.rows[i], &check);
            judging_report(judging, &result);
        } else {
            measure_row_of_table(judging, &trial, &group.rows[i], &check);
        }
    }
    return true;
}

/* The rest of a group whose rung has ended its process. */
static void fail_rest(struct judging *judging, struct group group, size_t reported)
{
    struct ragged_verdict *verdict = &judging->ragged[group.rows->rung - judging->settings->registry->rungs];
    const struct trial trial = judging_trial(judging, judging->link, NULL);
    row_name(&group.rows[reported > 0 ? reported - 1 : 0], verdict->ended_in, sizeof verdict->ended_in);
    (void)is_out_of_reach(judging, &trial, (struct group){group.rows + reported, group.count - reported});
}

/* A player whose rung has failed is not used for another one: what it left behind (an error of the device, a thread)
 * must not be blamed on that. */
static void run_group_alone(struct judging *judging, struct problem *problem, struct group group)
{
    const struct result_list *list = &judging->settings->results->list;
    const size_t before = list->count;
    bool has_failed = false;
    bool was_called = run_group(judging, problem, group);
    for (size_t i = before; was_called && i < list->count; i++)
        has_failed = has_failed || list->items[i].status == STATUS_FAILED;
    if (judging->link->has_ended && judging_goes_on(judging))
        fail_rest(judging, group, list->count - before);
    if (has_failed || judging->link->has_ended)
        judging_end_link(judging);
}

/* The rungs of the workload that may be run, on ragged sizes. Each failure costs a player. */
static void try_ragged(struct judging *judging, struct group workload)
{
    for (size_t i = 0; i < workload.count && judging_goes_on(judging);) {
        struct group group = group_at(workload.rows + i, workload.count - i, true);
        const struct row *first = group.rows;
        i += group.count;
        if (first->rung->load || judging->ragged[first->rung - judging->settings->registry->rungs].known ||
            judging_time_left_s(judging) <= 0 || !judging_link(judging) ||
            judging_infeasible(judging->link, first->rung, first->workload))
            continue;
        judging_step(judging, first);
        if (!judging_ragged(judging, judging->link, first->rung)->correct)
            judging_end_link(judging);
    }
}

/* Whether any rung of the table can run the workload. */
static bool has_feasible(struct judging *judging, struct group workload)
{
    for (size_t i = 0; i < workload.count;) {
        struct group group = group_at(workload.rows + i, workload.count - i, true);
        if (!group.rows->rung->load && !judging_infeasible(judging->link, group.rows->rung, group.rows->workload))
            return true;
        i += group.count;
    }
    return false;
}

/* Why input and reference of the workload are not worth making: assumed speeds, in flop/s and bytes/s. */
static bool is_worth_making(const struct judging *judging, struct group workload, struct error *reason)
{
    const double flop_rate = 2e9, byte_rate = 3e8;
    const struct op *op = workload.rows->rung->op;
    const struct op_cost cost = op_cost(op, workload.rows->workload);
    const double needed_s = fmin(cost.flops, FEASIBLE_SLOW_FLOP_LIMIT) / flop_rate + cost.bytes / byte_rate;
    const double left_s = judging_time_left_s(judging);
    const size_t needed = problem_bytes(op, workload.rows->workload);
    const struct device *host = devices_host(&judging->link->devices);
    const size_t there = host ? host->entry->backend->free_memory() : SIZE_MAX;
    if (left_s <= needed_s)
        return error_set(reason, "out of reach: --budget leaves %.1f s, the reference alone takes about %.1f s",
                         fmax(left_s, 0), needed_s);
    return needed <= there || error_set(reason, "too large: needs %.3g GB of %s memory, %.3g GB are free",
                                        (double)needed * 1e-9, host->entry->label, (double)there * 1e-9);
}

static void skip_workload(struct judging *judging, struct group workload, const char *common)
{
    const struct trial trial = judging_trial(judging, judging->link, NULL);
    for (size_t i = 0; i < workload.count; i++) {
        const struct row *row = &workload.rows[i];
        if (row->rung->load || judging->status == EXIT_USAGE)
            continue;
        const char *own = judging_infeasible(judging->link, row->rung, row->workload);
        judging_report_all(judging, &trial, (struct group){row, 1}, STATUS_SKIPPED, own ? own : common);
    }
}

static void run_workload(struct judging *judging, struct group workload)
{
    const struct input_source source = {.seed = judging->settings->options->seed, .mnist = judging->settings->mnist};
    struct problem problem;
    struct error reason = {"no rung can run it"};
    try_ragged(judging, workload);
    if (!judging_goes_on(judging) || !judging_link(judging))
        return;
    if (!has_feasible(judging, workload) || !is_worth_making(judging, workload, &reason)) {
        skip_workload(judging, workload, reason.text);
        return;
    }
    judging_step(judging, workload.rows);
    if (!problem_make(&problem, judging->link, workload.rows->rung->op, workload.rows->workload, &source)) {
        skip_workload(judging, workload, "too large: memory ran out while its input and reference were made");
        return;
    }
    for (size_t i = 0; i < workload.count && judging_goes_on(judging);) {
        struct group group = group_at(workload.rows + i, workload.count - i, true);
        if (!group.rows->rung->load && judging_link(judging))
            run_group_alone(judging, &problem, group);
        i += group.count;
    }
    problem_free(&problem);
}

static bool has_rows_of_table(struct group workload)
{
    for (size_t i = 0; i < workload.count; i++)
        if (!workload.rows[i].rung->load)
            return true;
    return false;
}

/* The player could not even open its devices. */
static void fail_round(struct judging *judging, const struct selection *selection)
{
    char reason[448];
    const struct trial trial = judging_trial(judging, NULL, NULL);
    snprintf(reason, sizeof reason, "not reached: before the first row of its process, %s", judging->link->how);
    judging->settings->note(judging->link->how);
    judging_report_all(judging, &trial, (struct group){selection->rows, selection->count}, STATUS_FAILED, reason);
    judging->status = judging->status == EXIT_USAGE ? EXIT_USAGE : EXIT_WRONG;
}

static void run_round(struct judging *judging, const struct selection *selection)
{
    const struct registry *registry = judging->settings->registry;
    for (size_t i = 0; i < registry->rung_count; i++)
        judging->ragged[i].ended_in[0] = '\0';
    if (!judging_link(judging))
        return;
    if (judging->link->has_ended) {
        fail_round(judging, selection);
        return;
    }
    for (size_t i = 0; i < selection->count && judging_goes_on(judging);) {
        struct group workload = group_at(selection->rows + i, selection->count - i, false);
        if (has_rows_of_table(workload))
            run_workload(judging, workload);
        i += workload.count;
    }
    for (size_t i = 0; i < registry->rung_count && judging_goes_on(judging); i++)
        if (registry->rungs[i].load)
            judge_stranger(judging, &registry->rungs[i], selection);
    if (judging_goes_on(judging))
        ceilings_measure_last(&judging->settings->results->ceilings);
}

/* In the order of the round; the only one of a run has the order of the table, but for libraries. */
static bool order_rows(const struct judging *judging, const struct selection *selection, struct selection *ordered)
{
    const struct judge_settings *settings = judging->settings;
    bool is_round = settings->options->session[0] != '\0' || settings->options->rounds > 1;
    int round = settings->facts->round + judging->round;
    bool ok = is_round ? shuffle_for_round(selection, settings->facts->seed, round, ordered)
                       : libraries_first(selection, ordered);
    return ok || error_set(judging->error, "no memory for the order of rows");
}

int judge_run(const struct judge_settings *settings, const struct selection *selection, struct error *error)
{
    struct judging judging = {.settings = settings, .error = error, .status = EXIT_RIGHT, .board_fd = -1};
    error->text[0] = '\0';
    judging.ragged = calloc(settings->registry->rung_count, sizeof *judging.ragged);
    judging.board = board_make(settings->shares_board ? &judging.board_fd : NULL);
    if (!judging.ragged || !judging.board) {
        error_set(error, "no memory to share with a player: %s", strerror(errno));
        judging.status = EXIT_USAGE;
    }
    settings->results->ceilings.time = time_ceiling;
    settings->results->ceilings.self = &judging;
    for (; judging.round < settings->facts->round_count && judging_goes_on(&judging); judging.round++) {
        struct selection ordered;
        if (!order_rows(&judging, selection, &ordered)) {
            judging.status = EXIT_USAGE;
            break;
        }
        run_round(&judging, &ordered);
        judging_end_link(&judging);
        free(ordered.rows);
    }
    free(judging.ragged);
    board_free(judging.board, judging.board_fd);
    return judging.status;
}
