/* How a kernel of the user's own is judged: in a player for it alone, `cold` by questions, and by a library that
 * answered questions in the same player before the kernel was loaded. */
#include "judge.h"
#include "question.h"

#include "bench/base/seeded.h"

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
    struct board *board;
    int board_fd;
    struct before *before;
    size_t before_count;
    char left[160]; /* what a player of it has left behind */
};

/* How general the kernel is, as column `general` says it. */
struct generality {
    const char *name; /* empty: unknown */
    char why[512];    /* it is not; or, if it is wrong whatever the size, what it does */
    bool is_wrong;
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

/* The state of the device, before and after. */
static void read_state(const struct stranger *stranger, struct device_state *state)
{
    struct ask ask = {.kind = ASK_STATE};
    struct reply reply;
    (void)link_ask(stranger->link, stranger->rung, &ask, &reply);
    *state = stranger->link->board->before;
}

/* The library's own row, which the first kernel reports that is compared with it. */
static const struct row *find_library_row(const struct stranger *stranger, const struct row *row)
{
    const struct selection *all = stranger->judge->selection;
    for (size_t i = 0; i < all->count; i++)
        if (all->rows[i].workload == row->workload && all->rows[i].mode == row->mode &&
            judge_is_library_of(stranger->judge, &all->rows[i], stranger->rung))
            return &all->rows[i];
    return NULL;
}

static bool is_reported(const struct judge *judge, const struct row *row)
{
    char name[ROW_NAME];
    row_name(row, name, sizeof name);
    const struct result_list *lists[] = {&judge->results->list, &judge->held};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->count; i++)
            if (strcmp(lists[l]->items[i].name, name) == 0 &&
                lists[l]->items[i].round == judge->facts->round + judge->round)
                return true;
    return false;
}

static void report_library(const struct stranger *stranger, const struct row *row, struct answered *answered)
{
    struct trial trial = {.judge = stranger->judge, .link = stranger->link, .check = answered->check};
    struct result result;
    trial.check.correct = true;
    result = trial_verified(&trial, row);
    trial_note_conditions(&trial, row, &result);
    trial_note_measurement(&answered->measurement, &result);
    snprintf(result.input, sizeof result.input, "%s", answered->note.text);
    trial_report_timed(&trial, row, &result);
}

/* Answers by the library, before the kernel is loaded. */
static void time_library(const struct stranger *stranger, const struct row *row, struct before *before)
{
    const struct row *own = find_library_row(stranger, row);
    const bool is_new = own && !is_reported(stranger->judge, own);
    const struct row asked = {.rung = own ? own->rung : find_library(stranger), .workload = row->workload};
    const struct trial trial = {.judge = stranger->judge, .link = stranger->link};
    struct answered answered;
    const char *infeasible = asked.rung ? judge_infeasible(stranger->link, &asked) : "";
    if (infeasible) {
        if (is_new)
            trial_report_all(&trial, (struct group){own, 1}, STATUS_SKIPPED, infeasible);
        return;
    }
    struct device_state state;
    read_state(stranger, &state);
    const struct questions questions = questions_to(stranger, asked.rung, row->workload);
    const double start_s = stranger->judge->run->clock.now();
    const enum outcome outcome = questions_ask(&questions, &answered);
    if (outcome == OUTCOME_DONE) {
        before->library_s = answered.measurement.statistics.median;
        before->library = asked.rung->variant;
    }
    const double elapsed_s = stranger->judge->run->clock.now() - start_s;
    if (is_new && outcome == OUTCOME_DONE) {
        read_state(stranger, &stranger->link->board->after);
        stranger->link->board->before = state;
        stranger->link->board->elapsed_s = elapsed_s;
        report_library(stranger, own, &answered);
    } else if (is_new && !stranger->judge->run->clock.interrupted()) {
        trial_report_all(&trial, (struct group){own, 1}, STATUS_FAILED, answered.check.reason);
    }
    measurement_free(&answered.measurement);
}

/* Empty calls and libraries: what the kernel cannot have changed yet. */
static void time_before(struct stranger *stranger)
{
    struct judge *judge = stranger->judge;
    for (size_t i = 0; i < stranger->rows->count && judge_goes_on(judge); i++) {
        const struct row *row = &stranger->rows->rows[i], *library = find_library_row(stranger, row);
        if (!is_asked(row))
            continue;
        const char *infeasible = judge_infeasible(stranger->link, row); /* or how the player has ended */
        if (infeasible) {
            const struct trial trial = {.judge = judge, .link = stranger->link};
            if (library && !is_reported(judge, library))
                trial_report_all(&trial, (struct group){library, 1},
                                 stranger->link->has_ended ? STATUS_FAILED : STATUS_SKIPPED, infeasible);
            continue;
        }
        judge_limit(judge, stranger->link, row->rung, op_work(row->rung->op, row->workload));
        judge_step(judge, row);
        const struct questions questions = questions_to(stranger, stranger->rung, row->workload);
        struct before *before = &stranger->before[stranger->before_count++];
        *before = (struct before){row->workload, questions_time_empty_calls(&questions), NAN, ""};
        time_library(stranger, row, before);
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

/* Loads the kernel in its player. False, with the reason. */
static bool load(const struct stranger *stranger, struct check *check)
{
    struct ask ask = {.kind = ASK_LOAD};
    struct reply reply;
    *check = (struct check){.correct = link_ask(stranger->link, stranger->rung, &ask, &reply) == OUTCOME_DONE,
                            .is_unjudged = true};
    snprintf(check->reason, sizeof check->reason, "%s", stranger->link->board->text);
    return check->correct;
}

/* The sizes that were asked for decide; how general it is, is looked at afterwards. */
static void judge_loaded(const struct stranger *stranger)
{
    struct judge *judge = stranger->judge;
    struct trial trial = {.judge = judge, .link = stranger->link};
    struct group group;
    const bool is_loaded = load(stranger, &trial.check);
    judge_is_right_on_ragged(judge, stranger->rung);
    for (size_t i = 0; i < stranger->rows->count && judge_goes_on(judge); i += group.count) {
        group = group_at(stranger->rows->rows + i, stranger->rows->count - i, true);
        if (is_loaded)
            judge_workload(stranger, group);
        else
            trial_report_wrong(&trial, group);
    }
}

static bool renew_player(struct stranger *stranger)
{
    struct judge *judge = stranger->judge;
    struct check check;
    char left[sizeof stranger->left] = "";
    link_end(stranger->link, left, sizeof left);
    if (stranger->left[0] == '\0')
        memcpy(stranger->left, left, sizeof left);
    stranger->link = judge->start(judge->self, true, stranger->board, stranger->board_fd, judge->error);
    if (!stranger->link)
        return false;
    judge_limit(judge, stranger->link, stranger->rung, 0);
    return load(stranger, &check);
}

/* For which sizes the kernel is made, from all of them to multiples of the side of a large tile. */
static const struct {
    struct verify_sizes sizes;
    const char *name;
} made_for[] = {
    {{1, false}, "yes"},
    {{1, true}, "16-byte aligned arrays"},
    {{4, true}, "16-byte aligned rows"},
    {{8, true}, "multiples of 8"},
    {{16, true}, "multiples of 16"},
    {{32, true}, "multiples of 32"},
    {{64, true}, "multiples of 64"},
    {{128, true}, "multiples of 128"},
};
enum { MADE_FOR = sizeof made_for / sizeof made_for[0] };

/* A simulator would take minutes for larger tiles. */
static const int simulated_multiple_max = 32;

/* A kernel that is to be general is verified beyond 2^32 elements, too. */
static void verify_beyond(const struct stranger *stranger, uint64_t seed, struct generality *general)
{
    struct check check = {.correct = true};
    struct error left_out;
    if (!stranger->judge->run->options->general)
        return;
    verify_far(stranger->link, stranger->rung, seed, &check, &left_out);
    if (left_out.text[0] != '\0')
        stranger->judge->note(left_out.text);
    if (check.correct)
        return;
    general->name = "less than 2^32 elements";
    snprintf(general->why, sizeof general->why, "%s", check.reason);
}

static void find_generality(struct stranger *stranger, struct generality *general)
{
    const struct judge *judge = stranger->judge;
    const uint64_t seed = seeded_stream(judge->run->options->seed, 'r');
    enum verify_finding found = VERIFY_SIZE;
    *general = (struct generality){.name = "no"};
    for (size_t i = 0; i < MADE_FOR && found == VERIFY_SIZE && judge_goes_on(judge); i++) {
        struct check check;
        if (stranger->rung->backend->simulates && made_for[i].sizes.multiple > simulated_multiple_max)
            break;
        if (stranger->link->has_ended && !renew_player(stranger))
            return;
        found = verify_on_sizes(stranger->link, stranger->rung, seed, made_for[i].sizes, &check);
        if (found == VERIFY_RIGHT)
            general->name = made_for[i].name;
        if (found == VERIFY_WRONG || i == 0)
            snprintf(general->why, sizeof general->why, "%s", check.reason);
        if (found == VERIFY_RIGHT && i == 0 && stranger->rung->only && stranger->rung->only[0])
            *general = (struct generality){.name = stranger->rung->only, .why = "it takes certain sizes alone"};
        if (found == VERIFY_RIGHT && i == 0)
            verify_beyond(stranger, seed, general);
        general->is_wrong = found == VERIFY_WRONG;
        if (stranger->link->has_hung)
            break; /* it would hang again */
    }
    if (!judge_goes_on(judge))
        *general = (struct generality){.name = ""};
}

/* Whether the rows say something of the kernel's answers. */
static bool is_to_be_general(const struct stranger *stranger)
{
    const struct result_list *held = &stranger->judge->held;
    bool any = false;
    for (size_t i = 0; i < held->count; i++)
        any = any || held->items[i].status == STATUS_OK || result_is_wrong(&held->items[i]);
    return any && judge_goes_on(stranger->judge) && judge_is_first_round(stranger->judge) && !stranger->link->has_hung;
}

static void fail(struct result *result, const char *what, const char *why)
{
    if (result->status != STATUS_OK)
        return;
    free(result->sample_s);
    result_forget_times(result);
    result_fail(result, true, what, why);
}

/* When nothing of it runs any more. */
static void report(struct judge *judge, const struct rung *rung, const char *left, const struct generality *general)
{
    struct result_list *held = &judge->held;
    const bool must_be_general = judge->run->options->general && strcmp(general->name, "yes") != 0 && general->why[0];
    judge->holds = false;
    for (struct result *result = held->items; result < held->items + held->count; result++) {
        const bool is_own = strcmp(result->variant, rung->variant) == 0;
        if (is_own && judge->run->options->general && !judge_goes_on(judge)) {
            free(result->sample_s); /* nobody knows how general it is */
            continue;
        }
        if (is_own && left[0] != '\0')
            fail(result, "leaves a process behind: ", left);
        if (is_own && (general->is_wrong || must_be_general))
            fail(result, must_be_general ? "not general: " : "", general->why);
        if (is_own && rung->calls && result->runs_as[0] == '\0')
            snprintf(result->runs_as, sizeof result->runs_as, "%s", rung->calls);
        if (is_own && !general->is_wrong && result->status != STATUS_SKIPPED) {
            snprintf(result->general, sizeof result->general, "%s", general->name);
            snprintf(result->not_general, sizeof result->not_general, "%s", general->why);
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

static void start(struct stranger *stranger, struct generality *general)
{
    struct judge *judge = stranger->judge;
    stranger->link = judge->start(judge->self, true, stranger->board, stranger->board_fd, judge->error);
    if (!stranger->link) {
        judge->status = EXIT_USAGE;
        return;
    }
    stranger->link->limit_s = stopping_row_limit_s(true, judge->run->options->min_time_s, 0, 0);
    time_before(stranger);
    judge_loaded(stranger);
    if (is_to_be_general(stranger))
        find_generality(stranger, general);
}

void judge_stranger(struct judge *judge, const struct selection *rows)
{
    struct stranger stranger = {.judge = judge, .rung = rows->rows[0].rung, .rows = rows, .board_fd = -1};
    struct generality general = {.name = ""};
    char left[160] = "";
    stranger.board = board_make(judge->shares_board ? &stranger.board_fd : NULL);
    stranger.before = calloc(rows->count, sizeof *stranger.before);
    judge_end_link(judge); /* two players would share the device */
    judge->holds = true;
    if (stranger.board && stranger.before) {
        say_that_nothing_has_rank(&stranger);
        start(&stranger, &general);
    } else {
        error_set(judge->error, "no memory to share with a player: %s", strerror(errno));
        judge->status = EXIT_USAGE;
    }
    link_end(stranger.link, left, sizeof left);
    report(judge, stranger.rung, stranger.left[0] ? stranger.left : left, &general);
    board_free(stranger.board, stranger.board_fd);
    free(stranger.before);
}
