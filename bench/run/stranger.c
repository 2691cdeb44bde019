/* How a kernel of the user's own is judged: in a player for it alone, `cold` by questions, and by a library that
 * answered questions in the same player before the kernel was loaded. */
#include "judge.h"
#include "question.h"

#include "bench/base/memory.h"
#include "bench/base/seeded.h"

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
    bool plays; /* a player that is started is its own, else one of the table */
    const struct rung *rung;
    const struct selection *rows;
    struct before *before;
    size_t before_count;
};

/* How general the kernel is, as column `general` says it. */
struct generality {
    const char *name; /* empty: unknown */
    char why[512];    /* it is not; or, if it is wrong whatever the size, what it does */
    bool is_wrong;
};

const struct rung *stranger_rung(const struct stranger *stranger)
{
    return stranger && stranger->plays ? stranger->rung : NULL;
}

bool stranger_asks(const struct row *row)
{
    return row->mode && row->mode->evicts;
}

/* time_before() has made it, for each workload that is asked about. */
static const struct before *find_before(const struct stranger *stranger, const struct workload *workload)
{
    const struct before *before = stranger->before;
    while (before->workload != workload)
        before++;
    return before;
}

static struct questions questions_to(const struct stranger *stranger, const struct rung *rung,
                                     const struct workload *workload)
{
    const struct run *run = stranger->judge->run;
    struct questions questions = {.link = stranger->judge->link,
                                  .rung = rung,
                                  .workload = workload,
                                  .real = run->real,
                                  .clock = run->clock,
                                  .settings = trial_settings(run->options),
                                  .empty = find_before(stranger, workload)->empty};
    questions.settings.interrupted = run->clock.interrupted;
    return questions;
}

/* Its ratio is to the fastest of these. */
static bool is_library(const struct stranger *stranger, const struct rung *rung)
{
    return rung->op == stranger->rung->op && rung->backend == stranger->rung->backend &&
           (rung->traits & RUNG_LIBRARY) != 0 && rung->precision == stranger->rung->precision;
}

static void read_state(struct link *link, const struct rung *rung, struct device_state *state)
{
    struct ask ask = {.kind = ASK_STATE};
    struct reply reply;
    (void)link_ask(link, rung, &ask, &reply);
    *state = link->board->before;
}

/* With the state of the device before and after on the board. */
static enum outcome ask_questions(const struct stranger *stranger, const struct rung *rung, const struct row *row,
                                  struct answered *answered)
{
    const struct questions questions = questions_to(stranger, rung, row->workload);
    struct board *board = questions.link->board;
    struct device_state before;
    read_state(questions.link, rung, &before);
    const double start_s = questions.clock.now();
    const enum outcome outcome = questions_ask(&questions, answered);
    board->elapsed_s = questions.clock.now() - start_s;
    read_state(questions.link, rung, &board->after);
    board->before = before;
    return outcome;
}

/* The library's own row, which the first kernel reports that is compared with it. */
static const struct row *find_library_row(const struct stranger *stranger, const struct row *row,
                                          const struct rung *library)
{
    const struct selection *all = stranger->judge->selection;
    for (size_t i = 0; i < all->count; i++)
        if (all->rows[i].rung == library && all->rows[i].workload == row->workload && all->rows[i].mode == row->mode &&
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
    struct trial trial = {.judge = stranger->judge, .check = answered->check};
    trial.check.correct = true;
    snprintf(trial.choice, sizeof trial.choice, "%.63s", stranger->judge->link->board->choice);
    struct result result = trial_verified(&trial, row);
    trial_note_conditions(&trial, row, &result);
    trial_note_measurement(&answered->measurement, &result);
    snprintf(result.input, sizeof result.input, "%s", answered->note.text);
    trial_report_timed(&trial, row, &result);
}

/* Answers by a library, before the kernel is loaded; or why there can be none. */
static void time_library(const struct stranger *stranger, const struct rung *library, const struct row *row,
                         const char *why_not, struct before *before)
{
    struct judge *judge = stranger->judge;
    const struct row *own = find_library_row(stranger, row, library);
    const struct group new = {own, own && !is_reported(judge, own)};
    const struct row asked = {.rung = library, .workload = row->workload};
    struct answered answered;
    if (judge->run->options->watch && new.count == 0)
        return; /* it shows no ratio */
    if (!why_not)
        why_not = judge_infeasible(judge, &asked);
    if (why_not) {
        judge_report_all(judge, new, judge->link->has_ended ? STATUS_FAILED : STATUS_SKIPPED, why_not);
        return;
    }
    if (ask_questions(stranger, library, row, &answered) == OUTCOME_DONE) {
        if (!(before->library_s <= answered.measurement.statistics.median)) {
            before->library_s = answered.measurement.statistics.median;
            before->library = library->variant;
        }
        if (new.count > 0)
            report_library(stranger, own, &answered);
    } else if (!judge->run->clock.interrupted()) {
        judge_report_all(judge, new, STATUS_FAILED, answered.check.reason);
    }
    measurement_free(&answered.measurement);
}

/* Empty calls and libraries: what the kernel cannot have changed yet. */
static void time_before(struct stranger *stranger)
{
    struct judge *judge = stranger->judge;
    const struct registry *registry = judge->run->registry;
    for (size_t i = 0; i < stranger->rows->count && judge_goes_on(judge); i++) {
        const struct row *row = &stranger->rows->rows[i];
        if (!stranger_asks(row))
            continue;
        const char *infeasible = judge_infeasible(judge, row); /* or how the player has ended */
        struct before *before = &stranger->before[stranger->before_count++];
        *before = (struct before){row->workload, {.ahead_s = NAN}, NAN, ""};
        if (!infeasible) {
            judge_limit(judge, row->rung, op_work(row->rung->op, row->workload));
            judge_step(judge, row);
            const struct questions questions = questions_to(stranger, stranger->rung, row->workload);
            before->empty = questions_time_empty_calls(&questions);
        }
        for (const struct rung *rung = registry->rungs; rung < registry->rungs + registry->rung_count; rung++)
            if (is_library(stranger, rung))
                time_library(stranger, rung, row, infeasible, before);
    }
}

static void note_times(const struct stranger *stranger, const struct trial *trial, const struct row *row,
                       struct answered *answered, struct result *result)
{
    const struct before *before = find_before(stranger, row->workload);
    trial_note_conditions(trial, row, result);
    trial_note_measurement(&answered->measurement, result);
    snprintf(result->input, sizeof result->input, "%s", answered->note.text);
    result->rms_err = fmax(result->rms_err, answered->check.rms_err);
    if (answered->runs_as[0] != '\0')
        snprintf(result->runs_as, sizeof result->runs_as, "%s", answered->runs_as);
    if (!isnan(before->library_s)) {
        result->library_s = before->library_s;
        snprintf(result->baseline, sizeof result->baseline, "%s", before->library);
    }
    if (result->statistics.median < clock_needs_s)
        conditions_mark(&result->conditions, clock_unchecked);
    if (answered->is_clock_unclear)
        conditions_mark(&result->conditions, clock_unclear);
    conditions_mark(&result->conditions, trial->check.mark);
}

bool stranger_measure(const struct trial *trial, const struct row *row, struct result *result)
{
    const struct stranger *stranger = trial->judge->stranger;
    struct answered answered;
    if (!stranger_asks(row)) {
        bool is_finished = trial_measure(trial, row, result);
        conditions_mark(&result->conditions, unaudited);
        return is_finished;
    }
    *result = trial_verified(trial, row);
    const enum outcome outcome = ask_questions(stranger, stranger->rung, row, &answered);
    if (outcome == OUTCOME_DONE)
        note_times(stranger, trial, row, &answered, result);
    else
        result_fail(result, !answered.check.is_unjudged, "", answered.check.reason);
    measurement_free(&answered.measurement);
    if (!trial->judge->run->clock.interrupted())
        return true;
    free(result->sample_s);
    return false;
}

static struct check load(const struct stranger *stranger)
{
    struct ask ask = {.kind = ASK_LOAD};
    struct reply reply;
    struct link *link = stranger->judge->link;
    struct check check = {.correct = link_ask(link, stranger->rung, &ask, &reply) == OUTCOME_DONE, .is_unjudged = true};
    snprintf(check.reason, sizeof check.reason, "%s", link->board->text);
    return check;
}

/* The sizes that were asked for decide; how general it is, is looked at afterwards. */
static void judge_loaded(const struct stranger *stranger)
{
    struct judge *judge = stranger->judge;
    const struct check check = load(stranger);
    struct group group;
    judge_set_ragged(judge, stranger->rung, &check);
    for (size_t i = 0; i < stranger->rows->count && judge_goes_on(judge); i += group.count) {
        group = group_at(stranger->rows->rows + i, stranger->rows->count - i, true);
        if (check.correct && judge->link)
            judge_workload(judge, group);
        else
            (void)judge_cannot_try(judge, group);
    }
}

static bool start_player(const struct stranger *stranger)
{
    struct judge *judge = stranger->judge;
    judge_end_link(judge);
    if (!judge_link_up(judge))
        return false;
    judge_limit(judge, stranger->rung, 0);
    return true;
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
static void verify_beyond(const struct stranger *stranger, struct generality *general)
{
    struct check check = {.correct = true};
    judge_try_far(stranger->judge, stranger->rung, &check);
    if (check.correct)
        return;
    general->name = "less than 2^32 elements";
    snprintf(general->why, sizeof general->why, "%s", check.reason);
}

static void find_generality(const struct stranger *stranger, struct generality *general)
{
    const struct judge *judge = stranger->judge;
    const struct rung *rung = stranger->rung;
    const uint64_t seed = seeded_stream(judge->run->options->seed, 'r');
    enum verify_finding found = VERIFY_SIZE;
    *general = (struct generality){.name = "no"};
    for (size_t i = 0; i < MADE_FOR && found == VERIFY_SIZE && judge_goes_on(judge); i++) {
        struct check check;
        if (rung->backend->simulates && made_for[i].sizes.multiple > simulated_multiple_max)
            break;
        if ((!judge->link || judge->link->has_ended) && !(start_player(stranger) && load(stranger).correct))
            return;
        found = verify_on_sizes(judge->link, rung, seed, made_for[i].sizes, &check);
        if (found == VERIFY_RIGHT)
            general->name = made_for[i].name;
        if (found == VERIFY_WRONG || i == 0)
            snprintf(general->why, sizeof general->why, "%s", check.reason);
        if (found == VERIFY_RIGHT && i == 0 && rung->only && rung->only[0])
            *general = (struct generality){.name = rung->only, .why = "it takes only certain sizes"};
        if (found == VERIFY_RIGHT && i == 0 && judge->run->options->general)
            verify_beyond(stranger, general);
        general->is_wrong = found == VERIFY_WRONG;
        if (judge->link->has_hung)
            break; /* it would hang again */
    }
    if (!judge_goes_on(judge))
        *general = (struct generality){.name = ""};
}

/* Whether the rows say something of the kernel's answers. */
static bool is_to_be_general(const struct stranger *stranger)
{
    const struct result_list *held = &stranger->judge->held;
    const struct link *link = stranger->judge->link; /* NULL: it has ended */
    const bool has_hung = link ? link->has_hung : stranger->judge->has_hung;
    const struct options *options = stranger->judge->run->options;
    bool any = false;
    if (options->exercise && !options->general)
        return false;
    for (size_t i = 0; i < held->count; i++)
        any = any || (strcmp(held->items[i].variant, stranger->rung->variant) == 0 &&
                      (held->items[i].status == STATUS_OK || result_is_wrong(&held->items[i])));
    return any && judge_goes_on(stranger->judge) && judge_is_first_round(stranger->judge) && !has_hung;
}

static void fail(struct result *result, const char *what, const char *why)
{
    if (result->status != STATUS_OK)
        return;
    free(result->sample_s);
    result_forget_times(result);
    result_fail(result, true, what, why);
}

/* What is known of the kernel when nothing of it runs any more. */
static void note_end(const struct judge *judge, const struct rung *rung, const struct generality *general,
                     struct result *result)
{
    const bool must_be_general = judge->run->options->general && strcmp(general->name, "yes") != 0 && general->why[0];
    if (judge->left[0] != '\0')
        fail(result, "leaves a process behind: ", judge->left);
    if (general->is_wrong || must_be_general)
        fail(result, must_be_general ? "not general: " : "", general->why);
    if (rung->calls && result->runs_as[0] == '\0')
        snprintf(result->runs_as, sizeof result->runs_as, "%s", rung->calls);
    if (!general->is_wrong && result->status != STATUS_SKIPPED) {
        snprintf(result->general, sizeof result->general, "%s", general->name);
        snprintf(result->not_general, sizeof result->not_general, "%s", general->why);
    }
}

static void report(struct judge *judge, const struct rung *rung, const struct generality *general)
{
    struct result_list *held = &judge->held;
    judge->stranger = NULL;
    for (struct result *result = held->items; result < held->items + held->count; result++) {
        const bool is_own = strcmp(result->variant, rung->variant) == 0;
        if (is_own && judge->run->options->general && !judge_goes_on(judge)) {
            free(result->sample_s); /* nobody knows how general it is */
            continue;
        }
        if (is_own)
            note_end(judge, rung, general, result);
        judge_report(judge, result);
    }
    result_list_free(held);
}

static void say_that_nothing_has_rank(const struct judge *judge, const struct selection *rows)
{
    char line[256];
    bool any_timed = false, any_asked = false;
    for (size_t i = 0; i < rows->count; i++) {
        any_timed = any_timed || rows->rows[i].mode;
        any_asked = any_asked || stranger_asks(&rows->rows[i]);
    }
    if (!any_timed || any_asked || rows->rows[0].rung->backend->simulates || !judge_is_first_round(judge))
        return;
    snprintf(line, sizeof line, "%s: no ranked row was asked for: of a kernel of your own only cold is audited",
             rows->rows[0].rung->variant);
    judge->note(line);
}

void judge_stranger(struct judge *judge, const struct selection *rows)
{
    const struct rung *rung = rows->rows[0].rung;
    struct stranger stranger = {.judge = judge, .plays = !rung->is_hosted, .rung = rung, .rows = rows};
    struct generality general = {.name = ""};
    struct board *const board = judge->board;
    const int board_fd = judge->board_fd;
    stranger.before = memory_get(rows->count, sizeof *stranger.before);
    judge_end_link(judge);                                    /* two players would share the device */
    judge->board = memory_have(board_make(&judge->board_fd)); /* others never see it */
    judge->stranger = &stranger;
    judge->left[0] = '\0';
    judge->has_hung = false;
    bool is_up = start_player(&stranger);
    if (is_up)
        time_before(&stranger);
    if (is_up && rung->is_hosted) { /* what its process loads as it starts has changed nothing of this */
        stranger.plays = true;
        is_up = start_player(&stranger);
    }
    if (is_up)
        judge_loaded(&stranger);
    if (is_to_be_general(&stranger))
        find_generality(&stranger, &general);
    judge_end_link(judge);
    board_free(judge->board, judge->board_fd);
    judge->board = board;
    judge->board_fd = board_fd;
    report(judge, stranger.rung, &general);
    say_that_nothing_has_rank(judge, rows);
    free(stranger.before);
}
