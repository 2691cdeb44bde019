#include "verify_sizes.h"

/* As op_work() says: a costly size is run in all orders of a simulator against one of the edges only, the first,
 * the second, in turns, and a very costly one in one order. */
static const double costly = 5e4, very_costly = 1e6;

static size_t costliest(const struct rung *rung)
{
    size_t most = 0;
    for (size_t size = 1; size < rung->op->ragged_count; size++)
        if (op_work(rung->op, &rung->op->ragged[size]) > op_work(rung->op, &rung->op->ragged[most]))
            most = size;
    return most;
}

/* Each size gets two of these kinds; sizes that follow each other get others. */
static enum input_kind special_kind(size_t size, enum edge edge)
{
    return (enum input_kind)(1 + (size + (edge == EDGE_START ? 2 : 0)) % (INPUT_KINDS - 1));
}

static void verify_size(const struct rung *rung, size_t size, enum edge edge, uint64_t seed, struct check *worst)
{
    const struct workload *workload = &rung->op->ragged[size];
    struct input_source random = {.seed = seed}, special = {.seed = seed + 1, .kind = special_kind(size, edge)};
    bool is_turn = (size % 2 == 0) == (edge == EDGE_START);
    bool in_all_orders = op_work(rung->op, workload) <= (is_turn ? very_costly : costly);
    enum call_kind kind = edge == EDGE_START && size == costliest(rung) ? CALL_AWAITED : CALL_FRESH;
    struct buffers buffers;
    struct placement placement = {.edge = edge};
    const char *error = buffers_make_placed(&buffers, rung->backend->backend, rung->op, workload, &placement);
    if (error) {
        struct check check;
        verify_give_up(&check, "cannot prepare its buffers: ", error);
        verify_note(worst, &check, workload, "%s", "");
        return;
    }
    verify_input(rung, &buffers, workload, &random, in_all_orders, kind, worst);
    if (worst->correct)
        verify_input(rung, &buffers, workload, &special, false, CALL_HELD, worst);
    buffers_free(&buffers);
}

void verify_sizes(const struct rung *rung, uint64_t seed, struct check *worst)
{
    for (size_t size = 0; size < rung->op->ragged_count && worst->correct; size++) {
        verify_size(rung, size, EDGE_END, seed, worst);
        if (worst->correct)
            verify_size(rung, size, EDGE_START, seed + 2, worst);
    }
}
