#include "judge.h"

#include "bench/base/memory.h"
#include "bench/base/progress.h"
#include "bench/base/seeded.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char budget_is_spent[] = "out of reach: the --budget is spent";

/* A rung that is wrong here is not tried on workloads. */
struct ragged {
    bool known;
    struct check check;
};

struct group group_at(const struct row *rows, size_t count, bool by_rung)
{
    size_t end = 1;
    while (end < count && rows[end].workload == rows[0].workload && rows[end].rung->op == rows[0].rung->op &&
           (!by_rung || rows[end].rung == rows[0].rung))
        end++;
    return (struct group){rows, end};
}

bool judge_goes_on(const struct judge *judge)
{
    return judge->status != EXIT_USAGE && judge->status != EXIT_ALL_SKIPPED && !judge->run->clock.interrupted();
}

bool judge_is_first_round(const struct judge *judge)
{
    return (judge->round == 0 && judge->facts->round == 0) || judge->run->options->verify;
}

static double time_left_s(const struct judge *judge)
{
    return judge->run->options->budget_s - (judge->run->clock.now() - judge->facts->start_s);
}

void judge_step(const struct judge *judge, const struct row *row)
{
    char name[ROW_NAME];
    row_name(row, name, sizeof name);
    progress_step(judge->results->list.count, name, judge->run->clock.now());
}

bool judge_is_aside(const struct judge *judge, const char *backend)
{
    const struct registry *registry = judge->run->registry;
    bool has_own = false;
    for (const struct rung *rung = registry->rungs; rung < registry->rungs + registry->rung_count; rung++) {
        has_own = has_own || rung->load;
        if (rung->load && strcmp(rung->backend->name, backend) == 0)
            return false;
    }
    return has_own;
}

void judge_report(struct judge *judge, struct result *result)
{
    struct results *results = judge->results;
    double *samples = result->sample_s;
    judge->reported++;
    judge->has_failed = judge->has_failed || result->status == STATUS_FAILED;
    if (judge->stranger) {
        result_list_add(&judge->held, result);
        return;
    }
    if (result_is_measured(result) && judge_goes_on(judge) && !judge_is_aside(judge, result->backend))
        results_measure_ceilings(&results->ceilings, result);
    if (!results_take(results, result, judge->error))
        judge->status = EXIT_USAGE;
    free(samples);
}

/* What readers of the rows must know of the machine, once in a run; of the host, once in all runs. */
static bool is_said_before(const struct devices *devices, size_t device, const char *text)
{
    for (size_t i = 0; i < device; i++)
        for (int n = 0; n < devices->items[i].info.note_count; n++)
            if (strcmp(devices->items[i].info.notes[n].text, text) == 0)
                return true;
    return false;
}

static void print_notes(const struct judge *judge)
{
    const struct devices *devices = &judge->link->devices;
    for (size_t i = 0; i < devices->count; i++)
        for (int n = 0; n < devices->items[i].info.note_count &&
                        (devices->items[i].entry->separate_memory || !judge->run->options->is_hushed);
             n++)
            if (!is_said_before(devices, i, devices->items[i].info.notes[n].text))
                judge->note(devices->items[i].info.notes[n].text);
}

bool run_has_required(const struct run *run, const struct devices *devices)
{
    const struct backend_entry *required = run->options->require;
    const struct device *device = required ? devices_find(devices, required) : NULL;
    const bool has = !device || device->usable;
    if (!has)
        error_say("%s%s: %s", run->options->tune ? "--tune" : "--require=", run->options->tune ? "" : required->name,
                  device->reason);
    return has;
}

bool judge_link_up(struct judge *judge)
{
    if (judge->link)
        return true;
    judge->link =
        judge->start(judge->self, stranger_rung(judge->stranger), judge->board, judge->board_fd, judge->error);
    if (!judge->link) {
        judge->status = EXIT_USAGE;
        return false;
    }
    if (judge->has_started || judge->link->has_ended)
        return true;
    judge->has_started = true;
    if (!run_has_required(judge->run, &judge->link->devices)) {
        judge->status = EXIT_ALL_SKIPPED;
        return false;
    }
    print_notes(judge);
    return true;
}

static void time_ceiling(void *self, double min_time_s, struct ceiling *ceiling)
{
    struct judge *judge = self;
    const struct registry *registry = judge->run->registry;
    const struct mode *mode = mode_find(ceiling->mode);
    struct ask ask = {.kind = ASK_CEILING,
                      .backend = (int)(registry_find_backend(registry, ceiling->backend) - registry->backends),
                      .mode = mode_index(mode),
                      .ceiling = {ceiling->kind, ceiling->variant, ceiling->amount, min_time_s}};
    struct reply reply = {.seconds = NAN};
    if (judge_link_up(judge))
        (void)link_ask(judge->link, NULL, &ask, &reply);
    ceiling->seconds = reply.seconds;
    ceiling->variant = reply.variant;
}

void judge_end_link(struct judge *judge)
{
    char left[sizeof judge->left] = "", line[sizeof left + 64];
    judge->has_hung = judge->link && judge->link->has_hung;
    link_end(judge->link, left, sizeof left);
    judge->link = NULL;
    snprintf(line, sizeof line, "a rung has left a process behind, which was killed: %s", left);
    if (judge->stranger && judge->left[0] == '\0')
        memcpy(judge->left, left, sizeof left);
    else if (!judge->stranger && left[0] != '\0')
        judge->note(line);
}

void judge_try_far(const struct judge *judge, const struct rung *rung, struct check *check)
{
    struct error left_out;
    verify_far(judge->link, rung, seeded_stream(judge->run->options->seed, 'f'), check, &left_out);
    if (left_out.text[0] != '\0')
        judge->note(left_out.text);
}

static struct ragged *ragged_of(const struct judge *judge, const struct rung *rung)
{
    return &judge->ragged[rung - judge->run->registry->rungs];
}

void judge_set_ragged(const struct judge *judge, const struct rung *rung, const struct check *check)
{
    *ragged_of(judge, rung) = (struct ragged){.known = true, .check = *check};
}

const char *judge_infeasible(const struct judge *judge, const struct row *row)
{
    struct ask ask = {.kind = ASK_FEASIBLE, .workload = *row->workload};
    struct reply reply;
    return link_ask(judge->link, row->rung, &ask, &reply) == OUTCOME_DONE ? NULL : judge->link->board->text;
}

void judge_limit(const struct judge *judge, const struct rung *rung, double work)
{
    const struct options *options = judge->run->options;
    bool is_own = rung->load && !rung->backend->simulates; /* simulated kernels are slow */
    judge->link->limit_s =
        options->min_warm_up_s + stopping_row_limit_s(is_own, options->min_time_s, options->samples_per_row, work);
}

static void judge_row(struct trial *trial, const struct row *row)
{
    struct judge *judge = trial->judge;
    struct result result = trial_verified(trial, row);
    judge_step(judge, row);
    if (row->mode && time_left_s(judge) <= 0)
        judge_report_all(judge, (struct group){row, 1}, STATUS_SKIPPED, budget_is_spent);
    else if (!row->mode || (judge->stranger ? stranger_measure : trial_measure)(trial, row, &result))
        trial_report_timed(trial, row, &result);
}

bool judge_cannot_try(struct judge *judge, struct group group)
{
    const struct ragged *ragged = ragged_of(judge, group.rows->rung);
    const struct trial trial = {.judge = judge, .check = ragged->check};
    const char *clock_error = host_clock_error(); /* what follows waits by the clock */
    const bool is_wrong = ragged->known && !ragged->check.correct;
    const char *infeasible = is_wrong ? NULL : judge_infeasible(judge, group.rows);
    if (is_wrong)
        trial_report_wrong(&trial, group);
    else if (infeasible)
        judge_report_all(judge, group, judge->link->has_ended ? STATUS_FAILED : STATUS_SKIPPED, infeasible);
    else if (time_left_s(judge) <= 0)
        judge_report_all(judge, group, STATUS_SKIPPED, budget_is_spent);
    else if (clock_error)
        judge_report_all(judge, group, STATUS_FAILED, clock_error);
    else
        return false;
    return true;
}

static void try_group(struct trial *trial, struct group group)
{
    const struct judge *judge = trial->judge;
    trial_verify(trial, group.rows);
    memcpy(trial->check.mark, ragged_of(judge, group.rows->rung)->check.mark, sizeof trial->check.mark);
    if (!trial->check.correct)
        trial_report_wrong(trial, (struct group){group.rows, judge->link->has_ended ? 1 : group.count});
    for (size_t i = 0; i < group.count && trial->check.correct && judge_goes_on(judge) && !judge->link->has_ended; i++)
        judge_row(trial, &group.rows[i]);
}

/* The rest of a group whose rung has ended its process; it is not tried again. */
static void fail_rest(struct judge *judge, struct group group)
{
    char name[ROW_NAME];
    const size_t reported = judge->reported;
    struct check check = {.correct = false, .is_unjudged = true};
    row_name(&group.rows[reported > 0 ? reported - 1 : 0], name, sizeof name);
    snprintf(check.reason, sizeof check.reason, "not run: the rung ended its process in row %s", name);
    judge_set_ragged(judge, group.rows->rung, &check);
    if (reported < group.count)
        (void)judge_cannot_try(judge, (struct group){group.rows + reported, group.count - reported});
}

/* A player whose rung has failed is not used for another one: what it left behind (an error of the device, a thread)
 * must not be blamed on that. */
static void run_group(struct judge *judge, struct prepared_problem *prepared, struct group group)
{
    struct trial trial = {.judge = judge};
    judge_step(judge, group.rows);
    judge->reported = 0;
    const bool is_tried = !judge_cannot_try(judge, group);
    judge->has_failed = false;
    if (is_tried && trial_prepare(&trial, group.rows, prepared))
        try_group(&trial, group);
    else if (is_tried)
        judge_report_all(judge, group, STATUS_SKIPPED, prepared->why_not.text);
    if (judge->link->has_ended && judge_goes_on(judge))
        fail_rest(judge, group);
    if (judge->link->has_ended || (judge->has_failed && !judge->stranger))
        judge_end_link(judge);
}

/* On ragged sizes, and at far ones where those are asked for. If an earlier round has, it is correct without a call. */
static bool is_right_on_ragged(struct judge *judge, const struct rung *rung)
{
    const bool verifies = judge->run->options->verify, is_compared = judge->run->options->own.paths.count > 0;
    struct check check = {.correct = true, .err_bound = NAN, .rms_err = NAN};
    if (judge_is_first_round(judge) && (verifies || !is_compared)) { /* tests have verified rungs of the table */
        judge_limit(judge, rung, 0);
        verify_ragged(judge->link, rung, seeded_stream(judge->run->options->seed, 'r'), &check);
        if (check.correct && verifies) /* whether sizes larger than those timed are right */
            judge_try_far(judge, rung, &check);
        if (check.correct)
            (void)verify_left_as_it_was(judge->link, rung, &check);
    }
    judge_set_ragged(judge, rung, &check);
    return check.correct;
}

/* Before the input of a workload is made, since problems of other sizes take its place on the board. */
static void try_ragged(struct judge *judge, struct group workload)
{
    struct group group;
    for (size_t i = 0; i < workload.count && judge_goes_on(judge); i += group.count) {
        group = group_at(workload.rows + i, workload.count - i, true);
        if (ragged_of(judge, group.rows->rung)->known || time_left_s(judge) <= 0 || !judge_link_up(judge) ||
            judge_infeasible(judge, group.rows))
            continue;
        judge_step(judge, group.rows);
        if (!is_right_on_ragged(judge, group.rows->rung))
            judge_end_link(judge);
    }
}

void judge_workload(struct judge *judge, struct group workload)
{
    struct prepared_problem prepared = {0};
    struct group group;
    try_ragged(judge, workload);
    for (size_t i = 0; i < workload.count && judge_goes_on(judge) && judge_link_up(judge); i += group.count) {
        group = group_at(workload.rows + i, workload.count - i, true);
        run_group(judge, &prepared, group);
    }
    if (prepared.is_made)
        problem_free(&prepared.problem);
}

static void fail_round(struct judge *judge, const struct selection *rows)
{
    char reason[448];
    snprintf(reason, sizeof reason, "not reached: before the first row of its process, %s", judge->link->how);
    judge->note(judge->link->how);
    judge_report_all(judge, (struct group){rows->rows, rows->count}, STATUS_FAILED, reason);
    judge->status = judge->status == EXIT_USAGE ? EXIT_USAGE : EXIT_WRONG;
}

bool judge_is_library_of(const struct judge *judge, const struct row *row, const struct rung *own)
{
    const struct selection *all = judge->selection;
    if (!row->mode || !row->mode->evicts || !(row->rung->traits & RUNG_LIBRARY) || row->rung->load)
        return false;
    for (size_t i = 0; i < all->count; i++) {
        const struct row *of = &all->rows[i];
        if (of->rung->load && (!own || of->rung == own) && of->rung->op == row->rung->op &&
            of->rung->backend == row->rung->backend && of->workload == row->workload && of->mode == row->mode)
            return true;
    }
    return false;
}

/* Questions take other buffers than those that rows of other modes are timed on. */
static bool is_after(const struct row *asked, const struct row *row)
{
    return asked->workload == row->workload && stranger_asks(asked) && !stranger_asks(row);
}

/* The rows of a kernel of the user's own or, without one, of the table: in `room`, which has place for all. */
static struct selection rows_of(const struct judge *judge, const struct rung *own, struct row *room)
{
    const struct selection *selection = judge->selection;
    struct selection rows = {room, 0};
    for (size_t i = 0; i < selection->count; i++) {
        const struct row *row = &selection->rows[i];
        if (own ? row->rung != own : row->rung->load || judge_is_library_of(judge, row, NULL))
            continue;
        size_t at = rows.count++;
        for (; own && at > 0 && is_after(&room[at - 1], row); at--)
            room[at] = room[at - 1];
        room[at] = *row;
    }
    return rows;
}

/* Before a kernel of the user's own runs: then no player of the table need be started again for them. */
static void measure_ceilings_of_strangers(struct judge *judge)
{
    const struct selection *all = judge->selection;
    for (size_t i = 0; i < all->count && judge_goes_on(judge); i++) {
        const struct row *row = &all->rows[i];
        if (!row->mode || !(row->rung->load || judge_is_library_of(judge, row, NULL)) || !judge_link_up(judge) ||
            judge_infeasible(judge, row))
            continue;
        const struct trial trial = {.judge = judge};
        struct result result = trial_verified(&trial, row);
        results_prepare_ceilings(&judge->results->ceilings, &result);
    }
}

static void judge_table(struct judge *judge, const struct selection *rows)
{
    struct group workload;
    for (size_t i = 0; i < rows->count && judge_goes_on(judge); i += workload.count) {
        workload = group_at(rows->rows + i, rows->count - i, false);
        judge_workload(judge, workload);
    }
    measure_ceilings_of_strangers(judge);
    if (judge_goes_on(judge) && judge->run->options->own.paths.count == 0)
        ceilings_measure_last(&judge->results->ceilings);
}

/* Whether rows are timed, and none was before. */
static bool lacks_ceilings(const struct judge *judge)
{
    bool any = false;
    for (size_t i = 0; i < judge->selection->count; i++)
        any = any || judge->selection->rows[i].mode;
    return any && judge->results->ceilings.table.count == 0;
}

/* Where only kernels of the user's own are asked for, and the ceilings are known, no other player is needed. */
static void run_round(struct judge *judge, const struct selection *selection, struct row *room)
{
    judge->selection = selection;
    const struct registry *registry = judge->run->registry;
    struct selection rows = rows_of(judge, NULL, room);
    if (rows.count > 0 || lacks_ceilings(judge)) {
        if (!judge_link_up(judge))
            return;
        if (judge->link->has_ended) {
            fail_round(judge, selection);
            return;
        }
        judge_table(judge, &rows);
    }
    for (size_t i = 0; i < registry->rung_count && judge_goes_on(judge); i++) {
        rows = rows_of(judge, &registry->rungs[i], room);
        if (registry->rungs[i].load && rows.count > 0)
            judge_stranger(judge, &rows);
    }
}

int judge_run(struct judge *judge, const struct selection *selection, struct error *error)
{
    const struct options *options = judge->run->options;
    const bool is_shuffled = options->sitting[0] != '\0' || options->rounds > 1; /* else in the order of the table */
    struct row *room = memory_get(selection->count, sizeof *room);
    struct selection rows = {memory_get(selection->count, sizeof *rows.rows), selection->count};
    memcpy(rows.rows, selection->rows, rows.count * sizeof *rows.rows);
    error->text[0] = '\0';
    judge->error = error;
    judge->status = EXIT_RIGHT;
    judge->board_fd = -1;
    judge->ragged = memory_get(judge->run->registry->rung_count, sizeof *judge->ragged);
    judge->board = board_make(&judge->board_fd);
    if (!judge->board) {
        error_set(error, "no memory to share with a player: %s", strerror(errno));
        judge->status = EXIT_USAGE;
    }
    judge->results->ceilings.time = time_ceiling;
    judge->results->ceilings.self = judge;
    for (; judge->round < judge->facts->round_count && judge_goes_on(judge); judge->round++) {
        if (is_shuffled)
            selection_shuffle(&rows, judge->facts->seed, judge->facts->round + judge->round);
        run_round(judge, &rows, room);
        judge_end_link(judge);
    }
    free(rows.rows);
    free(room);
    free(judge->ragged);
    board_free(judge->board, judge->board_fd);
    return judge->status;
}
