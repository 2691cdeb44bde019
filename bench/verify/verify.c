#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

bool verify_ask(struct link *link, const struct rung *rung, struct ask *ask, struct reply *reply, struct check *check)
{
    enum outcome outcome = link_ask(link, rung, ask, reply);
    if (outcome == OUTCOME_GAVE_UP || outcome == OUTCOME_ENDED)
        verify_give_up(check, "", link->board->text);
    else if (outcome != OUTCOME_DONE)
        verify_fail(check, "", link->board->text);
    return outcome == OUTCOME_DONE;
}

bool verify_place(struct link *link, const struct rung *rung, const struct problem *problem,
                  const struct placement *placement, struct check *check)
{
    struct ask ask = {.kind = ASK_PLACE, .workload = *problem->workload, .placement = *placement};
    struct reply reply;
    enum outcome outcome = link_ask(link, rung, &ask, &reply);
    if (outcome != OUTCOME_DONE)
        verify_give_up(check, outcome == OUTCOME_ENDED ? "" : "cannot prepare its buffers: ", link->board->text);
    return outcome == OUTCOME_DONE;
}

void verify_answer(struct link *link, const struct rung *rung, const struct problem *problem, enum call_kind kind,
                   struct check *check)
{
    struct ask ask = {.kind = ASK_CALL, .call = kind};
    struct reply reply;
    if (verify_ask(link, rung, &ask, &reply, check))
        op_check(problem->reference, rung->precision, problem->host, check);
}

bool verify_left_as_it_was(struct link *link, const struct rung *rung, struct check *check)
{
    struct ask ask = {.kind = ASK_CHANGED};
    struct reply reply;
    bool ok = verify_ask(link, rung, &ask, &reply, check);
    if (ok && link->has_printed)
        verify_fail(check, "prints to standard output", "");
    return ok && !link->has_printed;
}

static void verify_graph(struct link *link, const struct rung *rung, const struct problem *problem,
                         struct kernel_launches *launches, struct check *check)
{
    struct ask ask = {.kind = ASK_GRAPH};
    struct reply reply;
    if (!rung->backend->backend->graphs || !verify_ask(link, rung, &ask, &reply, check))
        return;
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
    if (!problem_keep_answer(problem)) {
        verify_give_up(check, "", "no memory for its answer");
        return;
    }
    if (is_first)
        verify_graph(link, rung, problem, launches, check);
    if (check->correct && (rung->traits & RUNG_UNORDERED) == 0 && !problem_same_answer(problem))
        verify_fail(check, "", "its second answer is not the first one bit for bit");
    if (check->correct)
        (void)verify_left_as_it_was(link, rung, check);
}
