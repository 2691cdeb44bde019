/* How a kernel of the user's own is judged: in a player for it alone, `cold` by questions, and by a library that
 * answered questions in the same player before the kernel was loaded. */
#include "judge.h"
#include "question.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char unaudited[] = "unaudited", clock_unchecked[] = "clock-unchecked", clock_unclear[] = "clock-unclear";
/* Below, the judge's clock shows too little. */
static const double clock_needs_s = 20e-6;

/* What was timed of a workload before the kernel was loaded. */
struct before {
    const struct workload *workload;
    struct empty_calls empty;
    double library_s; /* NAN: no library answered */
    const char *library;
};

struct stranger {
    struct judge *judge;
    const struct rung *rung;
    const struct selection *rows;
    struct link *link;
    struct before *before;
    size_t before_count;
};

static bool is_asked(const struct row *row)
{
    return row->mode && row->mode->evicts;
}

static const struct before *find_before(const struct stranger *stranger, const struct workload *workload)
{
    for (size_t i = 0; i < stranger->before_count; i++)
        if (stranger->before[i].workload == workload)
            return &stranger->before[i];
    return NULL;
}

static struct questions questions_to(const struct stranger *stranger, const struct rung *rung,
                                     const struct workload *workload)
{
    const struct run *run = stranger->judge->run;
    const struct before *before = find_before(stranger, workload);
    return (struct questions){.link = stranger->link,
                              .rung = rung,
                              .workload = workload,
                              .real = run->real,
                              .clock = run->clock,
                              .settings = {.min_time_s = run->options->min_time_s,
                                           .samples = run->options->samples_per_row,
                                           .interval_s = trial_interval_s(run->options),
                                           .interrupted = run->clock.interrupted},
                              .empty = before ? before->empty : (struct empty_calls){.ahead_s = NAN}};
}

/* The library that its ratio is to; NULL: there is none on its backend. */
static const struct rung *find_library(const struct stranger *stranger)
{
    const struct registry *registry = stranger->judge->run->registry;
    for (size_t i = 0; i < registry->rung_count; i++) {
        const struct rung *rung = &registry->rungs[i];
        if (rung->op == stranger->rung->op && rung->backend == stranger->rung->backend && rung->run &&
            (rung->traits & RUNG_LIBRARY) != 0 && rung->precision == stranger->rung->precision)
            return rung;
    }
    return NULL;
}

static double time_library(const struct stranger *stranger, const struct rung *library, const struct workload *workload)
{
    const struct questions questions = questions_to(stranger, library, workload);
    struct answered answered;
    if (judge_infeasible(stranger->link, &(struct row){.rung = library, .workload = workload}))
        return NAN;
    enum outcome outcome = questions_ask(&questions, &answered);
    const double seconds = answered.measurement.statistics.median;
    measurement_free(&answered.measurement);
    return outcome == OUTCOME_DONE ? seconds : NAN;
}

/* Empty calls and libraries: what the kernel cannot have changed yet. */
static void time_before(struct stranger *stranger)
{
    const struct rung *library = find_library(stranger);
    struct judge *judge = stranger->judge;
    for (size_t i = 0; i < stranger->rows->count && judge_goes_on(judge) && !stranger->link->has_ended; i++) {
        const struct row *row = &stranger->rows->rows[i];
        if (!is_asked(row) || judge_infeasible(stranger->link, row))
            continue;
        judge_limit(judge, stranger->link, row->rung, op_work(row->rung->op, row->workload));
        judge_step(judge, row);
        const struct questions questions = questions_to(stranger, stranger->rung, row->workload);
        struct before *before = &stranger->before[stranger->before_count++];
        *before = (struct before){row->workload, questions_time_empty_calls(&questions), NAN, ""};
        if (library) {
            before->library_s = time_library(stranger, library, row->workload);
            before->library = library->variant;
        }
    }
}

static void note_library(const struct stranger *stranger, const struct row *row, struct result *result)
{
    const struct before *before = find_before(stranger, row->workload);
    if (!before || isnan(before->library_s))
        return;
    result->library_s = before->library_s;
    snprintf(result->baseline, sizeof result->baseline, "%s", before->library);
}

static void note_times(const struct stranger *stranger, const struct trial *trial, const struct row *row,
                       struct answered *answered, struct result *result)
{
    trial_note_conditions(trial, row, result);
    trial_note_measurement(&answered->measurement, result);
    snprintf(result->input, sizeof result->input, "%s", answered->note.text);
    result->rms_err = fmax(result->rms_err, answered->check.rms_err);
    if (answered->runs_as[0] != '\0')
        snprintf(result->runs_as, sizeof result->runs_as, "%s", answered->runs_as);
    note_library(stranger, row, result);
    if (result->statistics.median < clock_needs_s)
        conditions_mark(&result->conditions, clock_unchecked);
    if (answered->is_clock_unclear)
        conditions_mark(&result->conditions, clock_unclear);
    conditions_mark(&result->conditions, trial->check.mark);
}

/* The state of the device, before and after. */
static void read_state(const struct stranger *stranger, struct device_state *state)
{
    struct ask ask = {.kind = ASK_STATE};
    struct reply reply;
    (void)link_ask(stranger->link, stranger->rung, &ask, &reply);
    *state = stranger->link->board->before;
}

static bool ask_row(const struct stranger *stranger, const struct trial *trial, const struct row *row,
                    struct result *result)
{
    const struct questions questions = questions_to(stranger, stranger->rung, row->workload);
    const struct host_clock *clock = &stranger->judge->run->clock;
    struct board *board = stranger->link->board;
    struct answered answered;
    struct device_state before;
    *result = trial_verified(trial, row);
    read_state(stranger, &before);
    const double start_s = clock->now();
    enum outcome outcome = questions_ask(&questions, &answered);
    const double elapsed_s = clock->now() - start_s;
    bool is_finished = !clock->interrupted();
    if (outcome == OUTCOME_DONE && is_finished) {
        read_state(stranger, &board->after);
        board->before = before;
        board->elapsed_s = elapsed_s;
        note_times(stranger, trial, row, &answered, result);
    } else if (is_finished) {
        result_fail(result, !answered.check.is_unjudged, "", answered.check.reason);
    }
    measurement_free(&answered.measurement);
    return is_finished;
}

static void judge_row(const struct stranger *stranger, const struct trial *trial, const struct row *row)
{
    struct result result;
    bool is_finished = true;
    judge_step(stranger->judge, row);
    if (!row->mode) {
        result = trial_verified(trial, row);
        judge_report(stranger->judge, &result);
        return;
    }
    if (is_asked(row)) {
        is_finished = ask_row(stranger, trial, row, &result);
    } else {
        is_finished = trial_measure(trial, row, &result);
        conditions_mark(&result.conditions, unaudited);
    }
    if (is_finished)
        trial_report_timed(trial, row, &result);
}

/* Modes that are timed on buffers of the player come first, since questions take others. */
static void judge_rows(const struct stranger *stranger, const struct trial *trial, struct group group)
{
    for (int asked = 0; asked < 2; asked++)
        for (size_t i = 0; i < group.count && judge_goes_on(stranger->judge); i++) {
            if (is_asked(&group.rows[i]) != (asked == 1))
                continue;
            if (stranger->link->has_ended)
                trial_report_all(trial, (struct group){&group.rows[i], 1}, STATUS_FAILED, stranger->link->how);
            else
                judge_row(stranger, trial, &group.rows[i]);
        }
}

static void judge_workload(const struct stranger *stranger, struct group group)
{
    struct judge *judge = stranger->judge;
    const struct row *first = group.rows;
    const struct input_source source = {.seed = judge->run->options->seed, .real = judge->run->real};
    struct problem problem;
    struct trial trial = {.judge = judge, .link = stranger->link};
    judge_step(judge, first);
    const char *infeasible = judge_infeasible(stranger->link, first);
    if (judge_time_left_s(judge) <= 0)
        infeasible = judge_budget_is_spent;
    if (!infeasible && !problem_make(&problem, stranger->link, first->rung->op, first->workload, &source))
        infeasible = judge_lacks_memory;
    if (stranger->link->has_ended || infeasible) {
        trial_report_all(&trial, group, stranger->link->has_ended ? STATUS_FAILED : STATUS_SKIPPED,
                         stranger->link->has_ended ? stranger->link->how : infeasible);
        return;
    }
    trial.problem = &problem;
    trial_verify(&trial, first);
    if (trial.check.correct)
        judge_rows(stranger, &trial, group);
    else
        trial_report_wrong(&trial, group);
    problem_free(&problem);
}

/* With its player open and its libraries timed. */
static void judge_loaded(const struct stranger *stranger)
{
    struct judge *judge = stranger->judge;
    struct ask load = {.kind = ASK_LOAD};
    struct reply reply;
    struct trial trial = {.judge = judge, .link = stranger->link, .check = {.is_unjudged = true}};
    if (link_ask(stranger->link, stranger->rung, &load, &reply) == OUTCOME_DONE)
        trial.check = *judge_ragged(judge, stranger->link, stranger->rung);
    else
        snprintf(trial.check.reason, sizeof trial.check.reason, "%s", stranger->link->board->text);
    struct group group;
    for (size_t i = 0; i < stranger->rows->count && judge_goes_on(judge); i += group.count) {
        group = group_at(stranger->rows->rows + i, stranger->rows->count - i, true);
        if (trial.check.correct)
            judge_workload(stranger, group);
        else
            trial_report_wrong(&trial, group);
    }
}

/* When nothing of it runs any more. */
static void report(struct judge *judge, const char *left)
{
    struct result_list *held = &judge->held;
    judge->holds = false;
    for (struct result *result = held->items; result < held->items + held->count; result++) {
        if (left[0] != '\0' && result->status == STATUS_OK) {
            free(result->sample_s);
            result_forget_times(result);
            result_fail(result, true, "leaves a process behind: ", left);
        }
        judge_report(judge, result);
    }
    result_list_free(held);
}

static void say_that_nothing_has_rank(const struct stranger *stranger)
{
    char line[256];
    bool any_timed = false, any_asked = false;
    for (size_t i = 0; i < stranger->rows->count; i++) {
        any_timed = any_timed || stranger->rows->rows[i].mode;
        any_asked = any_asked || is_asked(&stranger->rows->rows[i]);
    }
    if (!any_timed || any_asked || stranger->rung->backend->simulates || stranger->judge->round > 0)
        return;
    snprintf(line, sizeof line, "%s: no ranked row was asked for: of a kernel of your own only cold is audited",
             stranger->rung->variant);
    stranger->judge->note(line);
}

static void start(struct stranger *stranger, struct board *board, int fd)
{
    struct judge *judge = stranger->judge;
    stranger->link = judge->start(judge->self, true, board, fd, judge->error);
    if (!stranger->link) {
        judge->status = EXIT_USAGE;
        return;
    }
    stranger->link->limit_s = stopping_row_limit_s(true, judge->run->options->min_time_s, 0, 0);
    time_before(stranger);
    judge_loaded(stranger);
}

void judge_stranger(struct judge *judge, const struct selection *rows)
{
    struct stranger stranger = {.judge = judge, .rung = rows->rows[0].rung, .rows = rows};
    char left[160] = "";
    int fd = -1;
    struct board *board = board_make(judge->shares_board ? &fd : NULL);
    stranger.before = calloc(rows->count, sizeof *stranger.before);
    judge_end_link(judge); /* two players would share the device */
    judge->holds = true;
    if (board && stranger.before) {
        say_that_nothing_has_rank(&stranger);
        start(&stranger, board, fd);
    } else {
        error_set(judge->error, "no memory to share with a player: %s", strerror(errno));
        judge->status = EXIT_USAGE;
    }
    link_end(stranger.link, left, sizeof left);
    report(judge, left);
    board_free(board, fd);
    free(stranger.before);
}
