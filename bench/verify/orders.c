/* Verification on a backend that can run the same work in several orders: all must give the same answer. */
#include "verify.h"

#include "bench/base/plain_text.h"

#include <stdio.h>
#include <string.h>

size_t verify_order_count(const struct link *link, const struct rung *rung)
{
    return devices_find(&link->devices, rung->backend)->orders;
}

struct orders {
    struct link *link;
    const struct rung *rung;
    struct problem *problem; /* which keeps the answer in the first order */
    char first_name[sizeof((struct work_order *)NULL)->name];
};

/* Finds the first element that differs from the answer in the first order. */
static bool find_difference(const struct problem *problem, size_t *buffer, size_t *element)
{
    for (size_t i = 0; i < problem->count; i++) {
        const size_t size = element_bytes(problem->specs[i].type);
        const unsigned char *host = problem->host[i], *first = problem->verified[i];
        for (size_t e = 0; first && e < problem->specs[i].bytes / size; e++) {
            if (memcmp(host + e * size, first + e * size, size) != 0) {
                *buffer = i;
                *element = e;
                return true;
            }
        }
    }
    return false;
}

/* Runs the rung again to find the block that writes this element last, and what that block does wrong. */
static void find_writer(const struct orders *orders, size_t order, size_t buffer, size_t element)
{
    const size_t size = element_bytes(orders->problem->specs[buffer].type);
    struct ask ask = {.kind = ASK_CALL, .order = (int)order, .watched = {buffer, element * size, size}};
    struct reply reply;
    orders->link->board->writer[0] = orders->link->board->found[0] = '\0';
    (void)link_ask(orders->link, orders->rung, &ask, &reply);
}

static void compare_with_first(const struct orders *orders, size_t index, const struct work_order *order,
                               struct check *check)
{
    const struct board *board = orders->link->board;
    size_t buffer, element;
    if (!find_difference(orders->problem, &buffer, &element))
        return;
    check->correct = false;
    find_writer(orders, index, buffer, element);
    snprintf(check->reason, sizeof check->reason,
             "%s: element %zu of buffer %zu differs in the order '%s' from '%s'; written by %.120s", order->shows,
             element, buffer, order->name, orders->first_name, board->writer);
    if (board->found[0] != '\0')
        text_append(check->reason, sizeof check->reason, ": %s", board->found);
    else if (orders->rung->load)
        text_append(check->reason, sizeof check->reason, " (--unordered allows sums in any order)");
}

/* The error may occur in this order only. */
static void name_order(struct check *check, const struct work_order *order)
{
    verify_say_where(check, "in the order '%s': ", order->name);
}

/* Checks the answer on the board, which was computed in this order. */
static void check_order(struct orders *orders, size_t index, const struct work_order *order, struct check *check)
{
    const struct rung *rung = orders->rung;
    if (index == 0)
        snprintf(orders->first_name, sizeof orders->first_name, "%s", order->name);
    if (index == 0 && !problem_keep_answer(orders->problem)) {
        verify_give_up(check, "", "no memory for its answer");
    } else if ((rung->traits & RUNG_UNORDERED) != 0) {
        op_check(orders->problem->reference, rung->precision, orders->problem->host, check);
        if (!check->correct)
            name_order(check, order);
    } else if (index > 0) {
        compare_with_first(orders, index, order, check);
    }
}

/* Restores the answer of the first order on the board and compares it with the reference. */
static void check_first(const struct orders *orders, struct check *check)
{
    const struct problem *problem = orders->problem;
    for (size_t i = 0; i < problem->count; i++)
        if (problem->verified[i])
            memcpy(problem->host[i], problem->verified[i], problem->specs[i].bytes);
    op_check(problem->reference, orders->rung->precision, problem->host, check);
}

void verify_orders(struct link *link, const struct rung *rung, struct problem *problem, struct check *check)
{
    const struct simulator *simulator = rung->backend->backend->simulator;
    struct orders orders = {.link = link, .rung = rung, .problem = problem};
    const size_t count = verify_order_count(link, rung);
    check->correct = true;
    for (size_t i = 0; i < count && check->correct; i++) {
        const struct work_order *order = simulator->use_order(i); /* for its name; the player runs it */
        struct ask ask = {.kind = ASK_CALL, .call = i == 0 ? CALL_FRESH : CALL_REPEATED, .order = (int)i};
        struct reply reply;
        if (verify_ask(link, rung, &ask, &reply, check))
            check_order(&orders, i, order, check);
        else if (i > 0)
            name_order(check, order);
    }
    (void)simulator->use_order(0);
    if (check->correct)
        check_first(&orders, check);
}
