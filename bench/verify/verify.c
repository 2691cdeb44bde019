#include "verify.h"

#include "bench/base/digest.h"
#include "bench/base/plain_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MADE_COPIES = 3 }; /* of inputs that the host makes: judge and player keep one each */

size_t problem_bytes(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op_buffers(op, workload, specs), bytes = op_reference_bytes(op, workload);
    for (size_t i = 0; i < count; i++)
        bytes += specs[i].bytes * (specs[i].is_output ? 2 : op->args[i].make ? MADE_COPIES : 1);
    return bytes;
}

/* Rung after rung is asked about the same small problems: what was made for one is kept. */
struct kept {
    struct kept *next;
    const struct op *op;
    int64_t size[OP_SIZES_MAX];
    uint64_t seed;
    enum input_kind kind;
    struct input_note note;
    struct reference *reference;
    char inputs[]; /* one behind the other */
};

static struct kept *all_kept;
static size_t kept_bytes;
static const size_t keep_at_most = (size_t)96 << 20, small_bytes = (size_t)16 << 20;

static size_t input_bytes(const struct problem *problem)
{
    size_t bytes = 0;
    for (size_t i = 0; i < op_output(problem->op); i++)
        bytes += problem->specs[i].bytes;
    return bytes;
}

/* Between the board and `inputs`. */
static void copy_inputs(const struct problem *problem, char *inputs, bool to_board)
{
    for (size_t i = 0; i < op_output(problem->op); inputs += problem->specs[i].bytes, i++)
        memcpy(to_board ? problem->host[i] : inputs, to_board ? inputs : problem->host[i], problem->specs[i].bytes);
}

static bool recall(struct problem *problem, const struct input_source *source)
{
    for (struct kept *kept = all_kept; kept; kept = kept->next)
        if (kept->op == problem->op && kept->seed == source->seed && kept->kind == source->kind &&
            memcmp(kept->size, problem->workload->size, sizeof kept->size) == 0) {
            copy_inputs(problem, kept->inputs, true);
            problem->note = kept->note;
            problem->reference = kept->reference;
            return true;
        }
    return false;
}

static void keep(struct problem *problem, const struct input_source *source)
{
    const size_t bytes = problem_bytes(problem->op, problem->workload);
    struct kept *kept = kept_bytes + bytes <= keep_at_most ? malloc(sizeof *kept + input_bytes(problem)) : NULL;
    if (!kept)
        return;
    *kept = (struct kept){.next = all_kept,
                          .op = problem->op,
                          .seed = source->seed,
                          .kind = source->kind,
                          .note = problem->note,
                          .reference = problem->reference};
    memcpy(kept->size, problem->workload->size, sizeof kept->size);
    copy_inputs(problem, kept->inputs, false);
    all_kept = kept;
    kept_bytes += bytes;
    problem->is_kept = true;
}

bool problem_make(struct problem *problem, struct link *link, const struct op *op, const struct workload *workload,
                  const struct input_source *source)
{
    const bool is_small = problem_bytes(op, workload) <= small_bytes && op->problem_bytes > 0 && !source->asks &&
                          !source->real.mnist &&
                          !source->real.photo; /* all elements of its answer are known, by the sizes and the seed */
    *problem = (struct problem){.op = op, .workload = workload};
    if (!board_make_room(link->board, op, workload))
        return false;
    problem->count = board_place(link->board, op, workload, problem->specs, problem->host);
    problem->outputs = board_outputs(op, workload, problem->host);
    problem->answer = malloc(problem->outputs.bytes);
    problem->is_kept = is_small && recall(problem, source);
    if (!problem->is_kept) {
        op_fill(op, workload, source, problem->host, &problem->note);
        problem->reference = op_reference_make(op, workload, &problem->note, problem->host);
        if (is_small && problem->reference)
            keep(problem, source);
    }
    if (problem->answer && problem->reference)
        return true;
    problem_free(problem);
    return false;
}

void problem_free(struct problem *problem)
{
    free(problem->answer);
    if (!problem->is_kept)
        op_reference_free(problem->reference);
    *problem = (struct problem){0};
}

void problem_keep_answer(struct problem *problem)
{
    memcpy(problem->answer, problem->outputs.start, problem->outputs.bytes);
    problem->has_answer = true;
}

const void *problem_answer(const struct problem *problem, size_t i)
{
    return (const char *)problem->answer + ((const char *)problem->host[i] - (const char *)problem->outputs.start);
}

bool problem_same_answer(const struct problem *problem)
{
    return problem->has_answer && memcmp(problem->answer, problem->outputs.start, problem->outputs.bytes) == 0;
}

void problem_answer_digest(const struct problem *problem, char *text, size_t size)
{
    struct digest digest;
    char hex[DIGEST_HEX];
    digest_start(&digest);
    for (size_t i = op_output(problem->op); i < problem->count; i++)
        digest_add(&digest, problem_answer(problem, i), problem->specs[i].bytes);
    digest_finish(&digest, hex);
    snprintf(text, size, "%.16s", hex);
}

void verify_fail(struct check *check, const char *what, const char *reason)
{
    *check = (struct check){.correct = false, .max_abs_err = NAN, .err_bound = NAN, .rms_err = NAN};
    snprintf(check->reason, sizeof check->reason, "%s%.480s", what, reason);
}

void verify_give_up(struct check *check, const char *what, const char *reason)
{
    verify_fail(check, what, reason);
    check->is_unjudged = true;
}

void verify_say_where(struct check *check, const char *format, ...)
{
    const struct check before = *check;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->reason, sizeof check->reason, format, arguments);
    va_end(arguments);
    text_append(check->reason, sizeof check->reason, "%s", before.reason);
}

bool verify_ask(struct link *link, const struct rung *rung, struct ask *ask, struct reply *reply, struct check *check)
{
    enum outcome outcome = link_ask(link, rung, ask, reply);
    if (outcome != OUTCOME_DONE)
        verify_fail(check, "", link->board->text);
    if (outcome == OUTCOME_GAVE_UP || outcome == OUTCOME_ENDED)
        check->is_unjudged = true;
    return outcome == OUTCOME_DONE;
}

void verify_differs(struct check *check, const char *which)
{
    verify_fail(
        check, which,
        " bit for bit: the order of its sums changes, as atomic additions have it (--unordered allows that), or "
        "threads race");
}

bool verify_place(struct link *link, const struct rung *rung, const struct problem *problem,
                  const struct placement *placement, struct check *check)
{
    struct ask ask = {.kind = ASK_PLACE, .workload = *problem->workload, .placement = *placement};
    return verify_ask(link, rung, &ask, NULL, check);
}

void verify_answer(struct link *link, const struct rung *rung, const struct problem *problem, enum call_kind kind,
                   struct check *check)
{
    struct ask ask = {.kind = ASK_CALL, .call = kind};
    if (verify_ask(link, rung, &ask, NULL, check))
        op_check(problem->reference, rung->precision, problem->host, check);
}

bool verify_left_as_it_was(struct link *link, const struct rung *rung, struct check *check)
{
    if (!verify_ask(link, rung, &(struct ask){.kind = ASK_CHANGED}, NULL, check))
        return false;
    if (!link->has_printed || rung->load) /* a student's printf() is shown */
        return true;
    verify_fail(check, "prints to standard output", "");
    return false;
}

static void verify_recorded(struct link *link, const struct rung *rung, const struct problem *problem,
                            struct kernel_launches *launches, struct check *check)
{
    struct ask ask = {.kind = ASK_CALL, .call = CALL_RECORDED};
    struct check recorded;
    if (!verify_ask(link, rung, &ask, NULL, &recorded)) {
        if (!rung->load || link->has_ended) /* a kernel of the user's own need not be one that can be recorded */
            *check = recorded;
        return;
    }
    op_check(problem->reference, rung->precision, problem->host, check);
    *launches = link->board->launches;
    launches->kernel[sizeof launches->kernel - 1] = '\0';
    launches->occupancy_limit[sizeof launches->occupancy_limit - 1] = '\0';
}

void verify_workload(struct link *link, const struct rung *rung, struct problem *problem, bool is_first,
                     struct kernel_launches *launches, struct check *check)
{
    if (verify_order_count(link, rung) > 1)
        verify_orders(link, rung, problem, check);
    else
        verify_answer(link, rung, problem, CALL_AWAITED, check);
    if (!check->correct)
        return;
    problem_keep_answer(problem);
    if (rung->load) /* what its output held before must not matter */
        verify_answer(link, rung, problem, CALL_ON_NAN, check);
    if (is_first && check->correct && rung->backend->backend->graphs)
        verify_recorded(link, rung, problem, launches, check);
    if (check->correct && (rung->traits & RUNG_UNORDERED) == 0 && !problem_same_answer(problem))
        verify_differs(check, "its second answer is not the first one");
    if (check->correct)
        (void)verify_left_as_it_was(link, rung, check);
}
