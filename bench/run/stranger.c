/* How a kernel of the user's own is judged: in a player for it alone, `cold` by questions, and by a library that
 * answered questions in the same player before the kernel was loaded. */
#include "bench/base/error.h"
#include "bench/report/result.h"
#include "judge.h"
#include "judging.h"
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
    struct judging *judging;
    const struct rung *rung;
    const struct selection *selection;
    struct link *link;
    struct before *before;
    size_t before_count;
};

static bool is_of(const struct stranger *stranger, const struct row *row)
{
    return row->rung == stranger->rung;
}

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
    const struct judge_settings *settings = stranger->judging->settings;
    const struct before *before = find_before(stranger, workload);
    return (struct questions){.link = stranger->link,
                              .rung = rung,
                              .workload = workload,
                              .mnist = settings->mnist,
                              .clock = settings->clock,
                              .min_time_s = settings->options->min_time_s,
                              .samples = settings->options->samples_per_row,
                              .interval_s = trial_interval_s(settings->options),
                              .empty = before ? before->empty : (struct empty_calls){.ahead_s = NAN}};
}

/* The library that its ratio is to; NULL: there is none on its backend. */
static const struct rung *find_library(const struct stranger *stranger)
{
    const struct registry *registry = stranger->judging->settings->registry;
    for (size_t i = 0; i < registry->rung_count; i++) {
        const struct rung *rung = &registry->rungs[i];
        if (rung->op == stranger->rung->op && rung->backend == stranger->rung->backend && rung->run &&
            (rung->traits & RUNG_LIBRARY) != 0 && rung->precision == stranger->rung->precision)
            return rung;
    }
    return NULL;
}

static double time_library(const struct stranger *stranger, const struct rung *library, const struct row *row)
{
    const struct questions questions = questions_to(stranger, library, row->workload);
    struct answered answered;
    if (judging_infeasible(stranger->link, library, row->workload))
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
    for (size_t i = 0; i < stranger->selection->count && judging_goes_on(stranger->judging); i++) {
        const struct row *row = &stranger->selection->rows[i];
        if (!is_of(stranger, row) || !is_asked(row) || stranger->link->has_ended ||
            judging_infeasible(stranger->link, stranger->rung, row->workload))
            continue;
        judging_limit(stranger->judging, stranger->link, row);
        judging_step(stranger->judging, row);
        const struct questions questions = questions_to(stranger, stranger->rung, row->workload);
        struct before *before = &stranger->before[stranger->before_count++];
        *before = (struct before){row->workload, questions_time_empty_calls(&questions), NAN, ""};
        if (library) {
            before->library_s = time_library(stranger, library, row);
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

static double *copy_samples(const struct measurement *measurement)
{
    size_t bytes = measurement->statistics.count * sizeof *measurement->sample_s;
    double *copy = malloc(bytes + 1);
    if (copy)
        memcpy(copy, measurement->sample_s, bytes);
    return copy;
}

static void note_times(const struct stranger *stranger, const struct trial *trial, const struct row *row,
                       const struct answered *answered, struct result *result)
{
    const struct measurement *measured = &answered->measurement;
    const double rms_err = result->rms_err;
    trial_note_conditions(trial, row, result);
    result->statistics = measured->statistics;
    result->sample_s = copy_samples(measured);
    result->iterations = (int64_t)measured->statistics.count;
    snprintf(result->stop_reason, sizeof result->stop_reason, "%s", stop_reason_name(measured->stop_reason));
    snprintf(result->input, sizeof result->input, "%s", answered->note.text);
    result->rms_err = fmax(rms_err, answered->check.rms_err);
    if (answered->runs_as[0] != '\0')
        snprintf(result->runs_as, sizeof result->runs_as, "%s", answered->runs_as);
    note_library(stranger, row, result);
    if (measured->statistics.median < clock_needs_s)
        conditions_mark(&result->conditions, clock_unchecked);
    if (answered->is_clock_unclear)
        conditions_mark(&result->conditions, clock_unclear);
}

/* The state of the device, before and after. */
static void read_state(const struct stranger *stranger, struct device_state *state)
{
    struct ask ask = {.kind = ASK_STATE};
    struct reply reply;
    (void)link_ask(stranger->link, stranger->rung, &ask, &reply);
    *state = stranger->link->board->before;
}

static bool ask_row(struct stranger *stranger, const struct trial *trial, const struct row *row,
                    const struct check *verified, struct result *result)
{
    const struct questions questions = questions_to(stranger, stranger->rung, row->workload);
    const struct judge_settings *settings = stranger->judging->settings;
    struct board *board = stranger->link->board;
    struct answered answered;
    struct device_state before;
    *result = trial_verified(trial, row, verified);
    read_state(stranger, &before);
    const double start_s = settings->clock.now();
    enum outcome outcome = questions_ask(&questions, &answered);
    const double elapsed_s = settings->clock.now() - start_s;
    bool is_finished = !settings->clock.interrupted();
    if (outcome == OUTCOME_DONE && is_finished) {
        read_state(stranger, &board->after);
        board->before = before;
        board->elapsed_s = elapsed_s;
        note_times(stranger, trial, row, &answered, result);
        conditions_mark(&result->conditions, verified->mark);
    } else if (is_finished) {
        result_fail(result, !answered.check.is_unjudged, "", answered.check.reason);
    }
    measurement_free(&answered.measurement);
    return is_finished;
}

static void judge_row(struct stranger *stranger, const struct trial *trial, const struct row *row,
                      const struct check *verified)
{
    struct judging *judging = stranger->judging;
    struct result result;
    bool is_finished;
    judging_step(judging, row);
    if (!row->mode) {
        result = trial_verified(trial, row, verified);
        judging_report(judging, &result);
        return;
    }
    if (is_asked(row)) {
        is_finished = ask_row(stranger, trial, row, verified, &result);
    } else {
        is_finished = trial_measure(trial, row, verified, &result);
        conditions_mark(&result.conditions, unaudited);
    }
    if (is_finished)
        judging_report_timed(judging, trial, row, &result);
}

/* Modes that are timed on buffers of the player come first, since questions take others. */
static void judge_rows(struct stranger *stranger, const struct trial *trial, struct group group,
                       const struct check *verified)
{
    struct judging *judging = stranger->judging;
    for (int asked = 0; asked < 2; asked++)
        for (size_t i = 0; i < group.count && judging_goes_on(judging); i++) {
            if (is_asked(&group.rows[i]) != (asked == 1))
                continue;
            if (stranger->link->has_ended)
                judging_report_all(judging, trial, (struct group){&group.rows[i], 1}, STATUS_FAILED,
                                   stranger->link->how);
            else
                judge_row(stranger, trial, &group.rows[i], verified);
        }
}

static void judge_workload(struct stranger *stranger, struct group group, const struct check *ragged)
{
    struct judging *judging = stranger->judging;
    const struct row *first = group.rows;
    const struct input_source source = {.seed = judging->settings->options->seed, .mnist = judging->settings->mnist};
    struct problem problem;
    struct trial trial = judging_trial(judging, stranger->link, NULL);
    struct check check;
    judging_step(judging, first);
    const char *infeasible = judging_infeasible(stranger->link, first->rung, first->workload);
    if (judging_time_left_s(judging) <= 0)
        infeasible = "out of reach: the --budget is spent";
    if (stranger->link->has_ended || infeasible) {
        judging_report_all(judging, &trial, group, stranger->link->has_ended ? STATUS_FAILED : STATUS_SKIPPED,
                           stranger->link->has_ended ? stranger->link->how : infeasible);
        return;
    }
    if (!problem_make(&problem, stranger->link, first->rung->op, first->workload, &source)) {
        judging_report_all(judging, &trial, group, STATUS_SKIPPED,
                           "too large: memory ran out while its input and reference were made");
        return;
    }
    trial.problem = &problem;
    judging_verify(judging, &trial, first, &check);
    if (!check.correct) {
        judging_report_failed(judging, &trial, group, &check);
    } else {
        memcpy(check.mark, ragged->mark, sizeof check.mark);
        judge_rows(stranger, &trial, group, &check);
    }
    problem_free(&problem);
}

/* With its player open and its libraries timed. */
static void judge_loaded(struct stranger *stranger)
{
    struct judging *judging = stranger->judging;
    struct ask load = {.kind = ASK_LOAD};
    struct reply reply;
    struct check ragged = {.correct = false, .is_unjudged = true};
    if (link_ask(stranger->link, stranger->rung, &load, &reply) == OUTCOME_DONE)
        ragged = *judging_ragged(judging, stranger->link, stranger->rung);
    else
        snprintf(ragged.reason, sizeof ragged.reason, "%s", stranger->link->board->text);
    const struct trial trial = judging_trial(judging, stranger->link, NULL);
    for (size_t i = 0; i < stranger->selection->count && judging_goes_on(judging);) {
        struct group group = group_at(stranger->selection->rows + i, stranger->selection->count - i, true);
        i += group.count;
        if (!is_of(stranger, group.rows))
            continue;
        if (ragged.correct)
            judge_workload(stranger, group, &ragged);
        else
            judging_report_failed(judging, &trial, group, &ragged);
    }
}

/* When nothing of it runs any more. */
static void report(struct stranger *stranger, const char *left)
{
    struct judging *judging = stranger->judging;
    const struct held held = judging->held;
    judging->held = (struct held){0};
    for (size_t i = 0; i < held.count; i++) {
        struct result *result = &held.items[i];
        if (left[0] != '\0' && result->status == STATUS_OK) {
            free((double *)(uintptr_t)result->sample_s);
            result_forget_times(result);
            result_fail(result, true, "leaves a process behind: ", left);
        }
        judging_report(judging, result);
    }
    free(held.items);
}

static void say_that_nothing_has_rank(const struct stranger *stranger)
{
    char line[256];
    bool any_timed = false, any_asked = false;
    for (size_t i = 0; i < stranger->selection->count; i++) {
        const struct row *row = &stranger->selection->rows[i];
        any_timed = any_timed || (is_of(stranger, row) && row->mode);
        any_asked = any_asked || (is_of(stranger, row) && is_asked(row));
    }
    if (!any_timed || any_asked || stranger->rung->backend->simulates || stranger->judging->round > 0)
        return;
    snprintf(line, sizeof line, "%s: no ranked row was asked for: of a kernel of your own only cold is audited",
             stranger->rung->variant);
    stranger->judging->settings->note(line);
}

static void start(struct stranger *stranger, struct board *board, int fd)
{
    struct judging *judging = stranger->judging;
    const struct judge_settings *settings = judging->settings;
    stranger->link = settings->start(settings->self, true, board, fd, judging->error);
    if (!stranger->link) {
        judging->status = EXIT_USAGE;
        return;
    }
    stranger->link->limit_s = stopping_row_limit_s(true, settings->options->min_time_s, 0, 0);
    time_before(stranger);
    judge_loaded(stranger);
}

void judge_stranger(struct judging *judging, const struct rung *rung, const struct selection *selection)
{
    struct stranger stranger = {.judging = judging, .rung = rung, .selection = selection};
    char left[160] = "";
    int fd = -1;
    struct board *board = board_make(judging->settings->shares_board ? &fd : NULL);
    stranger.before = calloc(selection->count + 1, sizeof *stranger.before);
    judging_end_link(judging); /* two players would share the device */
    judging->held.items = calloc(selection->count + 1, sizeof *judging->held.items);
    if (board && stranger.before && judging->held.items) {
        say_that_nothing_has_rank(&stranger);
        start(&stranger, board, fd);
    } else {
        error_set(judging->error, "no memory to share with a player: %s", strerror(errno));
        judging->status = EXIT_USAGE;
    }
    link_end(stranger.link, left, sizeof left);
    report(&stranger, left);
    board_free(board, fd);
    free(stranger.before);
}
