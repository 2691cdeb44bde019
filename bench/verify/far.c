/* Verification on problems so large that an index, or the product of two sizes, exceeds 2^32. */
#include "verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Larger problems are for the simulator, where untouched memory costs nothing. */
#define FAR_DEVICE_BYTES_MAX ((size_t)32 << 30)
/* No device has so much. A rung may refuse such problems. */
#define REFUSABLE_BYTES ((size_t)1 << 40)

enum { MANY_MULTIPROCESSORS = 1 << 23 };

/* Whether the end that is on the board is right; else `check` says what is not. */
static bool look_at_end(struct link *link, const struct rung *rung, const struct workload *workload,
                        const struct input_source *source, struct check *check)
{
    const struct op *op = rung->op;
    const int64_t count = op_end(op, workload), first = op_elements(op, workload) - count;
    const size_t output = op_output(op);
    struct made made[OP_BUFFERS_MAX];
    struct input_note note;
    op_made(op, workload, source, made, &note);
    for (int64_t i = 0; i < count; i++) {
        const double value = element_result(op->args[output].type, link->board->end, i);
        struct exact exact;
        double error;
        if (!op_element(op, workload, made, output, first + i, rung->precision, &exact)) {
            verify_give_up(check, "no memory to check its end", "");
            return false;
        }
        if (exact_is_met(&exact, value, &error))
            continue;
        snprintf(check->reason, sizeof check->reason,
                 "wrong answer: %s is %.9g at %" PRId64 " of %" PRId64 " elements, expected %.9g within %.3g",
                 op->args[output].name, value, first + i, first + count, exact.value, exact.bound);
        return false;
    }
    return true;
}

/* One call. `check` has the verdict on its answer, if it came to one. */
static enum outcome run(struct link *link, const struct rung *rung, const struct workload *workload, uint64_t seed,
                        int multiprocessors, struct check *check)
{
    const struct input_source source = {.seed = seed};
    struct ask ask = {.kind = ASK_FAR, .multiprocessors = multiprocessors, .seed = seed};
    struct reply reply;
    enum outcome outcome = link_ask(link, rung, &ask, &reply);
    *check = (struct check){.correct = true, .err_bound = NAN, .rms_err = NAN};
    if (outcome == OUTCOME_DONE)
        check->correct = look_at_end(link, rung, workload, &source, check);
    else
        verify_fail(check, "", link->board->text);
    if (outcome == OUTCOME_REFUSED || check->correct)
        return outcome;
    return reply.number > 0 ? OUTCOME_MISSED : OUTCOME_FAILED;
}

static void leave_out(struct error *note, const struct rung *rung, const struct workload *workload, const char *why)
{
    (void)error_set(note, "%s/%s is not verified at size %s: %s", rung->op->name, rung->variant, workload->name, why);
}

/* Simulated, a problem takes memory only where it is touched. */
static bool is_there(struct link *link, const struct rung *rung, const struct workload *workload)
{
    struct ask feasible = {.kind = ASK_FEASIBLE, .workload = *workload},
               place = {.kind = ASK_PLACE, .workload = *workload, .placement = {.edge = EDGE_END}};
    return (rung->backend->simulates || link_ask(link, rung, &feasible, NULL) == OUTCOME_DONE) &&
           link_ask(link, rung, &place, NULL) == OUTCOME_DONE;
}

static void verify_one(struct link *link, const struct rung *rung, const struct workload *workload, uint64_t seed,
                       struct check *check, struct error *note)
{
    struct check found;
    if (!is_there(link, rung, workload)) {
        leave_out(note, rung, workload, link->board->text);
        return;
    }
    enum outcome outcome = run(link, rung, workload, seed, 0, &found);
    /* Where few threads go through all of the problem, there may be a block for each part of it if there are enough
     * multiprocessors. Other rungs would cut sums into parts for so many, which would not all run. */
    if (outcome == OUTCOME_MISSED)
        outcome = run(link, rung, workload, seed, MANY_MULTIPROCESSORS, &found);
    if (outcome == OUTCOME_FAILED) {
        *check = found;
        verify_say_where(check, "at the end of size %s: ", workload->name);
    } else if (outcome == OUTCOME_MISSED) {
        leave_out(note, rung, workload, "the simulator does not come to the end of its answer");
    } else if (outcome == OUTCOME_REFUSED && buffers_bytes(rung->op, workload) < REFUSABLE_BYTES) {
        leave_out(note, rung, workload, link->board->text);
    }
}

void verify_far(struct link *link, const struct rung *rung, uint64_t seed, struct check *check, struct error *note)
{
    note->text[0] = '\0';
    if (!rung->backend->simulates && !rung->backend->separate_memory)
        return;
    for (size_t i = 0; i < rung->op->far_count && check->correct; i++) {
        const struct workload workload = op_far(rung->op, i);
        if (!op_fits(rung->op, rung->only, &workload))
            continue;
        if ((rung->traits & RUNG_INT_SIZES) != 0) {
            leave_out(note, rung, &workload, "it takes sizes as int");
            continue;
        }
        if (rung->backend->simulates || buffers_bytes(rung->op, &workload) <= FAR_DEVICE_BYTES_MAX)
            verify_one(link, rung, &workload, seed, check, note);
    }
    if (note->text[0] != '\0')
        snprintf(check->mark, sizeof check->mark, "far-unverified");
}
