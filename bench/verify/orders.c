/* Verification on a backend that can run the same work in several orders: all must give the same answer. */
#include "verify.h"

#include "bench/base/plain_text.h"

#include <stdio.h>
#include <string.h>

size_t verify_order_count(const struct link *link, const struct rung *rung)
{
    return devices_find(&link->devices, rung->backend)->orders;
}

/* Finds the first element that differs from the answer in the first order. */
static bool find_difference(const struct problem *problem, size_t *buffer, size_t *element)
{
    for (size_t i = op_output(problem->op); i < problem->count; i++) {
        const size_t size = element_bytes(problem->specs[i].type);
        const char *host = problem->host[i], *first = problem_answer(problem, i);
        for (size_t e = 0; e < problem->specs[i].bytes / size; e++) {
            if (memcmp(host + e * size, first + e * size, size) != 0) {
                *buffer = i;
                *element = e;
                return true;
            }
        }
    }
    return false;
}

/* The rung runs again, to find the block that writes an element last, and what that block does wrong: on the board. */
static void trace(struct link *link, const struct rung *rung, const struct problem *problem, size_t index,
                  size_t buffer, size_t element)
{
    const size_t size = element_bytes(problem->specs[buffer].type);
    struct ask ask = {.kind = ASK_CALL, .order = (int)index, .watched = {buffer, element * size, size}};
    link->board->writer[0] = link->board->found[0] = '\0';
    (void)link_ask(link, rung, &ask, NULL);
}

void verify_say_writer(struct link *link, const struct rung *rung, const struct problem *problem, struct check *check)
{
    if (check->correct || check->wrong_buffer == 0 || link->has_ended || !rung->backend->backend->simulator)
        return;
    trace(link, rung, problem, 0, check->wrong_buffer, (size_t)check->wrong_element);
    text_append(check->reason, sizeof check->reason, "; written by %.200s", link->board->writer);
}

/* What is said where the answers differ. */
static void compare_with_first(struct link *link, const struct rung *rung, const struct problem *problem, size_t index,
                               struct check *check)
{
    const struct simulator *simulator = rung->backend->backend->simulator;
    const struct work_order *first = simulator->use_order(0), *order = simulator->use_order(index);
    struct board *board = link->board;
    size_t buffer, element;
    if (!find_difference(problem, &buffer, &element))
        return;
    trace(link, rung, problem, index, buffer, element);
    char *thread = strstr(board->writer, ", thread (");
    if (thread && board->found[0] != '\0') /* which names those that matter */
        *thread = '\0';
    check->correct = false;
    snprintf(check->reason, sizeof check->reason,
             "%s: element %zu of buffer %zu differs in the order '%s' from '%s'; written by %.200s", order->shows,
             element, buffer, order->name, first->name, board->writer);
    if (board->found[0] != '\0')
        text_append(check->reason, sizeof check->reason, ": %s", board->found);
    else if (rung->load)
        text_append(check->reason, sizeof check->reason, " (--unordered allows sums in any order)");
}

/* An error may occur in this order only. */
static void name_order(const struct rung *rung, size_t index, struct check *check)
{
    verify_say_where(check, "in the order '%s': ", rung->backend->backend->simulator->use_order(index)->name);
}

/* Checks the answer on the board, which was computed in this order. */
static void check_order(struct link *link, const struct rung *rung, struct problem *problem, size_t index,
                        struct check *check)
{
    if (index == 0)
        problem_keep_answer(problem);
    if ((rung->traits & RUNG_UNORDERED) != 0) {
        op_check(problem->reference, rung->precision, problem->host, check);
        if (!check->correct)
            name_order(rung, index, check);
    } else if (index > 0) {
        compare_with_first(link, rung, problem, index, check);
    }
}

void verify_orders(struct link *link, const struct rung *rung, struct problem *problem, struct check *check)
{
    const size_t count = verify_order_count(link, rung);
    *check = (struct check){.correct = true, .err_bound = NAN, .rms_err = NAN};
    for (size_t i = 0; i < count && check->correct; i++) {
        struct ask ask = {.kind = ASK_CALL, .call = i == 0 ? CALL_FRESH : CALL_REPEATED, .order = (int)i};
        if (verify_ask(link, rung, &ask, NULL, check))
            check_order(link, rung, problem, i, check);
        else if (i > 0)
            name_order(rung, i, check);
    }
    (void)rung->backend->backend->simulator->use_order(0);
    if (!check->correct)
        return;
    memcpy(problem->outputs.start, problem->answer, problem->outputs.bytes);
    op_check(problem->reference, rung->precision, problem->host, check);
}
