/* A row: one rung on one workload in one mode, and its result. */

#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/data/photo.h"
#include "bench/select/sizes.h"
#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *code_of(const struct rung *rung, const struct code_digest *code)
{
    char name[128];
    snprintf(name, sizeof name, "%s_%s", rung->op->name, rung->variant);
    for (; code && code->rung; code++)
        if (strcmp(code->rung, name) == 0)
            return code->digest;
    return "";
}

static double bytes_written(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op_buffers(op, workload, specs);
    double bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += specs[i].is_output ? (double)specs[i].bytes : 0;
    return bytes;
}

static const struct device *device_of(const struct trial *trial, const struct row *row)
{
    const struct link *link = trial->judge->link;
    return link ? devices_find(&link->devices, row->rung->backend) : NULL;
}

/* The rung that one with RUNG_AUTO has run; NULL: it has run none, or is no such rung. */
static const struct rung *chosen_by(const struct trial *trial, const struct rung *rung)
{
    const bool is_auto = (rung->traits & RUNG_AUTO) != 0;
    return is_auto ? registry_find(trial->judge->run->registry, rung->op->name, trial->runs_as) : NULL;
}

/* A result with the identity of the row; everything measured is unknown. */
static struct result blank(const struct trial *trial, const struct row *row)
{
    const struct rung *rung = row->rung;
    const struct run_facts *facts = trial->judge->facts;
    const struct device *device = device_of(trial, row);
    const struct op_cost cost = op_cost(rung->op, row->workload);
    const struct rung *chosen = chosen_by(trial, rung);
    const struct arithmetic *arithmetic = rung->load && rung->precision != PRECISION_INT
                                              ? arithmetic_find("any")
                                              : arithmetic_of(rung->precision, (chosen ? chosen : rung)->traits);
    struct result result = result_blank();
    result.run = facts;
    if (device && device->usable)
        result.device = results_keep_device(trial->judge->results, &device->info);
    result.round = facts->round + trial->judge->round;
    result.round_count = facts->round_count;
    result.place = row->place;
    row_name(row, result.name, sizeof result.name);
    snprintf(result.op, sizeof result.op, "%s", rung->op->name);
    snprintf(result.workload, sizeof result.workload, "%s", row->workload->name);
    op_shape(rung->op, row->workload, result.shape, sizeof result.shape);
    sizes_print_axes(trial->judge->run->options, row->workload, result.axes, sizeof result.axes);
    snprintf(result.variant, sizeof result.variant, "%s", rung->variant);
    snprintf(result.backend, sizeof result.backend, "%s", rung->backend->name);
    snprintf(result.precision, sizeof result.precision, "%s", precision_name(rung->precision));
    snprintf(result.arithmetic, sizeof result.arithmetic, "%s", arithmetic ? arithmetic->name : "");
    snprintf(result.mode, sizeof result.mode, "%s", row->mode ? row->mode->name : "verify");
    snprintf(result.code, sizeof result.code, "%s", code_of(rung, facts->code));
    result.bytes = cost.bytes;
    result.bytes_written = bytes_written(rung->op, row->workload);
    result.flops = cost.flops > 0 ? cost.flops : (double)NAN;
    result.message_bytes = cost.message_bytes;
    result.passed_bytes = device && device->info.cards > 0 ? cost.passed_bytes : (double)NAN; /* others have no links */
    result_classify(&result, rung->backend, rung, row->mode);
    if (trial->problem)
        snprintf(result.input, sizeof result.input, "%s", trial->problem->note.text);
    if (trial->launches.kernels > 0)
        result.launches = trial->launches;
    result.warps = trial->warps;
    if (chosen) {
        snprintf(result.choice, sizeof result.choice, "%s; %s", chosen->variant, trial->choice);
    } else {
        snprintf(result.choice, sizeof result.choice, "%s", trial->choice);
        snprintf(result.runs_as, sizeof result.runs_as, "%s", trial->runs_as);
    }
    snprintf(result.answer, sizeof result.answer, "%s", trial->answer);
    return result;
}

static void note_check(struct result *result, const struct check *check)
{
    result->max_abs_err = check->max_abs_err;
    result->err_bound = check->err_bound;
    result->rms_err = check->rms_err;
    result->max_err = isnan(check->rms_err) ? (double)NAN : check->max_err;
    conditions_mark(&result->conditions, check->mark);
}

struct result trial_verified(const struct trial *trial, const struct row *row)
{
    struct result result = blank(trial, row);
    note_check(&result, &trial->check);
    return result;
}

void trial_report_timed(const struct trial *trial, const struct row *row, struct result *result)
{
    struct check check;
    if (result->status == STATUS_OK && !verify_left_as_it_was(trial->judge->link, row->rung, &check)) {
        free(result->sample_s);
        *result = blank(trial, row);
        result_fail(result, !check.is_unjudged, "", check.reason);
    }
    if (result->status == STATUS_OK || judge_goes_on(trial->judge))
        judge_report(trial->judge, result);
    else
        free(result->sample_s);
}

static void report_all(const struct trial *trial, struct group group, enum status status, bool is_wrong,
                       const char *reason)
{
    for (size_t i = 0; i < group.count && judge_goes_on(trial->judge); i++) {
        struct result result = blank(trial, &group.rows[i]);
        result_fail(&result, is_wrong, "", reason);
        result.status = status;
        judge_report(trial->judge, &result);
    }
}

void judge_report_all(struct judge *judge, struct group group, enum status status, const char *reason)
{
    report_all(&(struct trial){.judge = judge}, group, status, false, reason);
}

void trial_report_wrong(const struct trial *trial, struct group group)
{
    report_all(trial, group, STATUS_FAILED, !trial->check.is_unjudged, trial->check.reason);
}

/* A call of it takes seconds: the answer of the first that is timed is compared with the reference. */
static bool is_verified_by_timing(const struct row *row)
{
    const double much_work = 1e9;
    return (row->rung->traits & RUNG_SLOW) != 0 && row->mode && op_work(row->rung->op, row->workload) > much_work;
}

/* Whether a wrong answer is another one where its array held something else before: by three more calls, of which two
 * find the same there. */
static void explain_wrong(const struct trial *trial, const struct rung *rung, struct check *check)
{
    static const enum call_kind kinds[] = {CALL_REPEATED, CALL_REPEATED, CALL_FRESH};
    struct problem *problem = trial->problem;
    bool is_same[3];
    for (size_t i = 0; i < 3; i++) {
        struct ask ask = {.kind = ASK_CALL, .call = kinds[i]};
        struct check ignored;
        if (!verify_ask(trial->judge->link, rung, &ask, NULL, &ignored))
            return;
        is_same[i] = problem_same_answer(problem);
        if (i == 0)
            problem_keep_answer(problem);
    }
    problem->has_answer = false; /* it is none to compare with */
    if (is_same[1] && !is_same[2])
        text_append(check->reason, sizeof check->reason,
                    "; it depends on what %s held before: that is read, as beta * C is where beta = 0, or not written",
                    rung->op->args[op_output(rung->op)].name);
}

/* What its warps load and store, in one more call. The player's memory is not to be trusted: texts end where they must.
 */
static void count_accesses(struct trial *trial, const struct rung *rung)
{
    const struct options *options = trial->judge->run->options;
    struct warp_accesses *warps = &trial->warps;
    struct ask ask = {.kind = ASK_CALL, .call = CALL_REPEATED, .counts = true};
    if (!(options->explain || options->exercise) || !rung->backend->simulates ||
        !verify_ask(trial->judge->link, rung, &ask, NULL, &trial->check))
        return;
    *warps = trial->judge->link->board->warps;
    warps->count = warps->count < 0 || warps->count > WARP_LINES ? 0 : warps->count;
    warps->thread_place[sizeof warps->thread_place - 1] = '\0';
    for (int i = 0; i < warps->count; i++)
        warps->lines[i].place[sizeof warps->lines[i].place - 1] = '\0';
}

/* False, with the reason. */
static bool make_problem(const struct judge *judge, const struct row *row, struct problem *problem,
                         struct error *reason)
{
    const struct input_source source = {.seed = judge->run->options->seed, .real = judge->run->real};
    const struct device *host = devices_host(&judge->link->devices);
    if (host && !device_has_memory(host, problem_bytes(row->rung->op, row->workload), reason))
        return false;
    return problem_make(problem, judge->link, row->rung->op, row->workload, &source) ||
           error_set(reason, "too large: memory ran out while its input and reference were made");
}

bool trial_prepare(struct trial *trial, const struct row *row, struct prepared_problem *prepared)
{
    if (!prepared->is_made && prepared->why_not.text[0] == '\0')
        prepared->is_made = make_problem(trial->judge, row, &prepared->problem, &prepared->why_not);
    trial->problem = prepared->is_made ? &prepared->problem : NULL;
    return prepared->is_made;
}

void trial_verify(struct trial *trial, const struct row *row)
{
    const struct rung *rung = row->rung;
    struct link *link = trial->judge->link;
    struct check *check = &trial->check;
    judge_limit(trial->judge, rung, op_work(rung->op, row->workload));
    *check = (struct check){.correct = true, .max_abs_err = NAN, .err_bound = NAN, .rms_err = NAN};
    trial->problem->has_answer = false;
    if (!verify_place(link, rung, trial->problem, &(struct placement){.edge = EDGE_ANY}, check) ||
        is_verified_by_timing(row))
        return;
    verify_workload(link, rung, trial->problem, judge_is_first_round(trial->judge), &trial->launches, check);
    snprintf(trial->runs_as, sizeof trial->runs_as, "%.63s", link->board->runs_as);
    snprintf(trial->choice, sizeof trial->choice, "%.63s", link->board->choice);
    if (!check->correct) {
        const double little_work = rung->backend->separate_memory ? 1e12 : 1e9; /* not called for seconds once more */
        if (!check->is_unjudged && rung->load && !link->has_ended && op_work(rung->op, row->workload) <= little_work)
            explain_wrong(trial, rung, check);
        verify_say_writer(link, rung, trial->problem, check);
        return;
    }
    count_accesses(trial, rung);
    if ((rung->traits & (RUNG_UNORDERED | RUNG_CHOOSES)) == 0)
        problem_answer_digest(trial->problem, trial->answer, sizeof trial->answer);
    if (rung->op->args[0].real == REAL_PLANES && strcmp(row->workload->name, photo_workload) == 0)
        gray_photo_keep(trial->problem->host[op_output(rung->op)]);
}

/* The player's memory is not to be trusted: texts end where they must. */
static struct device_state state_on(const struct device_state *board)
{
    struct device_state state = *board;
    state.throttled[sizeof state.throttled - 1] = '\0';
    return state;
}

void trial_note_conditions(const struct trial *trial, const struct row *row, struct result *result)
{
    const struct board *board = trial->judge->link->board;
    const struct device *device = device_of(trial, row);
    const struct device_state before = state_on(&board->before), after = state_on(&board->after);
    if (row->rung->backend->backend->read_state)
        result->conditions = conditions_between(&before, &after, board->elapsed_s, &device->info, row->rung->traits);
    result->tick_s = device->info.tick_s;
    if (row->mode->evicts)
        snprintf(result->flush, sizeof result->flush, "%s",
                 device->info.eviction[trial->judge->run->options->flush_by_writing]);
}

/* A copy, of which each number is one that can be. The samples come raw; what follows from them is the judge's. */
static struct measurement take_from(const struct board *board)
{
    static double sorted[STOPPING_MAX_SAMPLES];
    struct measurement measured = *(const volatile struct measurement *)&board->measured;
    if (measured.iterations < 1 || measured.iterations > INT64_MAX / STOPPING_MAX_SAMPLES)
        measured.iterations = 1;
    if ((unsigned)measured.stop_reason > STOP_INTERRUPTED)
        measured.stop_reason = STOP_NOT_YET;
    const size_t told = measured.statistics.count, count = told < STOPPING_MAX_SAMPLES ? told : STOPPING_MAX_SAMPLES;
    measured.sample_s = memory_get(count, sizeof *sorted);
    memcpy(measured.sample_s, board->sample_s, count * sizeof *sorted);
    memcpy(sorted, measured.sample_s, count * sizeof *sorted);
    measured.statistics = statistics_of(sorted, count);
    return measured;
}

void trial_note_measurement(struct measurement *measured, struct result *result)
{
    result->statistics = measured->statistics;
    result->sample_s = measured->sample_s;
    measured->sample_s = NULL;
    result->iterations = measured->iterations * (int64_t)measured->statistics.count;
    snprintf(result->stop_reason, sizeof result->stop_reason, "%s", stop_reason_name(measured->stop_reason));
    result->upload_s = measured->upload_s;
    result->kernel_s = measured->kernel_s;
    result->download_s = measured->download_s;
    result->cpu_s = measured->cpu_s;
    result->launch_bound = measured->launch_bound;
}

/* A row may go on to have an interval, unless there are rounds, which have one. */
struct measure_settings trial_settings(const struct options *options)
{
    const bool has_rounds = options->rounds > 1 || options->sitting[0] != '\0';
    return (struct measure_settings){.min_time_s = options->min_time_s,
                                     .samples = options->samples_per_row,
                                     .samples_are_calls = options->exact_calls > 0,
                                     .min_warm_up_s = options->min_warm_up_s,
                                     .interval_s = has_rounds ? 0 : STOPPING_INTERVAL_S};
}

static void check_after_timing(const struct trial *trial, const struct row *row, struct check *check)
{
    const struct rung *rung = row->rung;
    if (problem_same_answer(trial->problem))
        return;
    op_check(trial->problem->reference, rung->precision, trial->problem->host, check);
    if (check->correct && !trial->problem->has_answer)
        problem_keep_answer(trial->problem);
    else if (check->correct && (rung->traits & RUNG_UNORDERED) == 0 && !problem_same_answer(trial->problem))
        verify_differs(check, "the answer is not the verified one");
}

static bool note_times(const struct trial *trial, const struct row *row, struct check *check, struct result *result)
{
    check_after_timing(trial, row, check);
    if (!check->correct) {
        result_fail(result, true, "correct before it was timed, then wrong: ", check->reason);
        return false;
    }
    trial_note_conditions(trial, row, result);
    note_check(result, check);
    struct measurement measured = take_from(trial->judge->link->board);
    trial_note_measurement(&measured, result);
    return true;
}

bool trial_measure(const struct trial *trial, const struct row *row, struct result *result)
{
    struct link *link = trial->judge->link;
    struct ask ask = {.kind = ASK_MEASURE,
                      .mode = mode_index(row->mode),
                      .settings = trial_settings(trial->judge->run->options),
                      .slowdown_pct = row->slowdown_pct,
                      .uploads = !trial->problem->has_answer};
    struct reply reply;
    struct check check = trial->check;
    *result = trial_verified(trial, row);
    if (judge_is_aside(trial->judge, row->rung->backend->name))
        ask.settings.min_time_s /= 2;
    enum outcome outcome = link_ask(link, row->rung, &ask, &reply);
    if (outcome == OUTCOME_DONE && link->board->measured.stop_reason == STOP_INTERRUPTED)
        return false; /* an unfinished row is no result */
    if (outcome == OUTCOME_DONE && note_times(trial, row, &check, result)) {
        snprintf(result->transfer, sizeof result->transfer, "%s", row->mode->transfer);
        result->slowdown_pct = link->board->slowdown_pct;
        if (!isnan(result->slowdown_pct))
            conditions_mark(&result->conditions, "slowed");
        conditions_mark(&result->conditions, trial->check.mark);
    } else if (outcome != OUTCOME_DONE) {
        result_fail(result, false, "", link->board->text);
    }
    if (outcome == OUTCOME_GAVE_UP)
        result->status = STATUS_SKIPPED;
    return true;
}
