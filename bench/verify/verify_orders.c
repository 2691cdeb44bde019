#include "verify_orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool verify_has_orders(const struct backend *backend)
{
    return backend->simulator && backend->simulator->order_count() > 1;
}

struct orders {
    const struct rung *rung;
    struct buffers *buffers;
    void *const *host;
    const void *reference;
    unsigned char *first[OP_BUFFERS_MAX]; /* the outputs in the first order */
    char first_name[sizeof((struct work_order *)NULL)->name];
};

static bool save_first_answer(struct orders *orders, const struct work_order *order)
{
    struct buffers *buffers = orders->buffers;
    snprintf(orders->first_name, sizeof orders->first_name, "%s", order->name);
    for (size_t i = 0; i < buffers->count; i++) {
        if (!buffers->is_output[i])
            continue;
        orders->first[i] = malloc(buffers->data[i].bytes);
        if (!orders->first[i])
            return false;
        memcpy(orders->first[i], orders->host[i], buffers->data[i].bytes);
    }
    return true;
}

/* Finds the first element that differs from the answer in the first order. */
static bool find_difference(const struct orders *orders, size_t *buffer, size_t *element)
{
    size_t size = orders->rung->op->element_bytes;
    for (size_t i = 0; i < orders->buffers->count; i++) {
        const unsigned char *host = orders->host[i];
        for (size_t e = 0; orders->first[i] && e < orders->buffers->data[i].bytes / size; e++) {
            if (memcmp(host + e * size, orders->first[i] + e * size, size) != 0) {
                *buffer = i;
                *element = e;
                return true;
            }
        }
    }
    return false;
}

/* Runs the rung again to find the block that writes this element last. The text is valid until the next watch(). */
static const char *find_writer(const struct orders *orders, size_t buffer, size_t element)
{
    const struct simulator *simulator = orders->buffers->backend->simulator;
    size_t size = orders->rung->op->element_bytes;
    struct check ignored;
    /* verify_once() poisons the outputs first; that is not a block's write. */
    simulator->watch((char *)orders->buffers->data[buffer].start + element * size, size);
    (void)verify_once(orders->rung, orders->buffers, orders->host, CALL_REPEATED, &ignored);
    const char *writer = simulator->writer();
    return writer ? writer : "no block";
}

/* Runs the rung once more to find what that block does wrong; empty: nothing was found. */
static const char *find_race(const struct orders *orders)
{
    static char text[320];
    const struct simulator *simulator = orders->buffers->backend->simulator;
    struct check ignored;
    text[0] = '\0';
    simulator->trace();
    (void)verify_once(orders->rung, orders->buffers, orders->host, CALL_REPEATED, &ignored);
    const char *found = simulator->found();
    if (found)
        snprintf(text, sizeof text, ": %s", found);
    return text;
}

static void compare_with_first(const struct orders *orders, const struct work_order *order, struct check *check)
{
    size_t buffer, element;
    if (!find_difference(orders, &buffer, &element))
        return;
    check->correct = false;
    char writer[192];
    snprintf(writer, sizeof writer, "%s", find_writer(orders, buffer, element));
    snprintf(check->reason, sizeof check->reason,
             "%s: element %zu of buffer %zu differs in the order '%s' from '%s'; written by %s%s", order->shows,
             element, buffer, order->name, orders->first_name, writer, find_race(orders));
    orders->buffers->backend->simulator->watch(NULL, 0);
}

/* The error may occur in this order only. */
static void name_order(struct check *check, const struct work_order *order)
{
    char reason[sizeof check->reason];
    memcpy(reason, check->reason, sizeof reason);
    snprintf(check->reason, sizeof check->reason, "in the order '%s': %.*s", order->name,
             (int)(sizeof reason - sizeof order->name - 32), reason);
}

/* Checks the answer in `host`, which was computed in this order. */
static void check_order(struct orders *orders, const struct work_order *order, bool is_first, struct check *check)
{
    const struct rung *rung = orders->rung;
    if (is_first && !save_first_answer(orders, order)) {
        verify_give_up(check, "", "no memory for its answer");
    } else if ((rung->traits & RUNG_UNORDERED) != 0) {
        rung->op->check(orders->reference, rung->precision, orders->host, check);
        if (!check->correct)
            name_order(check, order);
    } else if (!is_first) {
        compare_with_first(orders, order, check);
    }
}

/* Restores the answer of the first order in `host` and compares it with the reference. */
static void check_first(const struct orders *orders, struct check *check)
{
    for (size_t i = 0; i < orders->buffers->count; i++)
        if (orders->first[i])
            memcpy(orders->host[i], orders->first[i], orders->buffers->data[i].bytes);
    orders->rung->op->check(orders->reference, orders->rung->precision, orders->host, check);
}

void verify_orders(const struct rung *rung, struct buffers *buffers, void *const host[], const void *reference,
                   struct check *check)
{
    const struct simulator *simulator = buffers->backend->simulator;
    struct orders orders = {.rung = rung, .buffers = buffers, .host = host, .reference = reference};
    size_t count = simulator->order_count();
    check->correct = true;
    for (size_t i = 0; i < count && check->correct; i++) {
        const struct work_order *order = simulator->use_order(i);
        if (verify_once(rung, buffers, host, i == 0 ? CALL_FRESH : CALL_REPEATED, check))
            check_order(&orders, order, i == 0, check);
        else if (i > 0)
            name_order(check, order);
    }
    (void)simulator->use_order(0);
    if (check->correct)
        check_first(&orders, check);
    for (size_t i = 0; i < OP_BUFFERS_MAX; i++)
        free(orders.first[i]);
}
