#include "sim_wgmma.h"

#include "bench/base/memory.h"
#include "sim_async.h"
#include "sim_order.h"
#include "sim_shared.h"
#include "sim_thread.h"
#include "sim_together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = SIM_MMA_ROWS, COLUMNS_MAX = 256, PIECE = 16, PIECES = 2, WARPS = 4 };

/* Of a thread: what it has begun, oldest first. */
struct sim_products {
    struct product {
        struct sim_wgmma what;
        struct sim_place place;
        unsigned group;
        bool is_done;
    } * items;
    size_t count;
    unsigned group; /* the one that is open */
    bool is_fenced;
    struct result { /* of products since the last fence: the same sums must have it when the next product begins */
        const float *sums;
        size_t bytes;
        float value[COLUMNS_MAX / 2];
    } * results;
    size_t result_count;
};

/* A factor's rows along k, as numbers. */
struct factor {
    double value[COLUMNS_MAX][SIM_MMA_DEPTH_MAX];
    bool is_zero[COLUMNS_MAX], is_finite[COLUMNS_MAX];
};

static struct sim_products *products(void)
{
    struct sim_thread *thread = sim_current();
    if (!thread->products)
        thread->products = memory_have(calloc(1, sizeof *thread->products));
    return thread->products;
}

void sim_wgmma_fence(void)
{
    products()->is_fenced = true;
    products()->result_count = 0;
}

static struct result *result_in(const struct sim_products *own, const float *sums)
{
    for (size_t i = 0; i < own->result_count; i++)
        if (own->results[i].sums == sums)
            return &own->results[i];
    return NULL;
}

static void keep_result(struct sim_products *own, const struct sim_wgmma *what)
{
    struct result *result = result_in(own, what->sums);
    if (!result) {
        own->results = memory_grow(own->results, own->result_count, sizeof *own->results);
        result = &own->results[own->result_count++];
        result->sums = what->sums;
    }
    result->bytes = what->columns / 2 * sizeof *what->sums;
    memcpy(result->value, what->sums, result->bytes);
}

/* Where the 16 bytes number `piece` of a line are: of a row along k, or, if the factor lies across, of what belongs to
 * one k. Lines come in eights. */
static const void *place_in(uint64_t descriptor, bool is_across, unsigned line, unsigned piece)
{
    const uint32_t start = (uint32_t)(descriptor & 0x3FFF) << 4, leading = (uint32_t)(descriptor >> 16 & 0x3FFF) << 4,
                   stride = (uint32_t)(descriptor >> 32 & 0x3FFF) << 4, mode = (uint32_t)(descriptor >> 62);
    const uint32_t width = mode == 0 ? PIECE : 256u >> mode, pieces = width / PIECE;
    const bool is_turned = is_across && mode == 0;
    const uint32_t address = start + line / 8 * (is_turned ? leading : stride) + line % 8 * width +
                             piece / pieces * (is_turned ? stride : leading) + piece % pieces * PIECE;
    return sim_shared_memory(address ^ ((address >> 7 & (pieces - 1)) << 4));
}

static void look_at_row(struct factor *to, unsigned row, unsigned depth)
{
    to->is_zero[row] = to->is_finite[row] = true;
    for (unsigned p = 0; p < depth; p++) {
        to->is_zero[row] = to->is_zero[row] && to->value[row][p] == 0;
        to->is_finite[row] = to->is_finite[row] && isfinite(to->value[row][p]);
    }
}

/* Rows that lie in shared memory from `first` on. */
static void read_shared(struct factor *to, const struct product *product, uint64_t descriptor, bool is_across,
                        unsigned first, unsigned rows)
{
    const enum sim_mma_format format = product->what.format;
    const unsigned parts = (unsigned)sim_mma_parts(format), each = PIECE / 4 * parts, depth = PIECES * each;
    for (unsigned line = 0; line < (is_across ? depth : rows); line++)
        for (unsigned piece = 0; piece < (is_across ? rows / each : PIECES); piece++) {
            uint32_t bits[PIECE / 4];
            const void *at = is_across ? place_in(descriptor, true, line, first / each + piece)
                                       : place_in(descriptor, false, first + line, piece);
            sim_proxy_begin(product->place, "wgmma", at, PIECE, false);
            memcpy(bits, at, sizeof bits);
            for (unsigned i = 0; i < each; i++)
                *(is_across ? &to->value[piece * each + i][line] : &to->value[line][piece * each + i]) =
                    sim_mma_value(format, bits[i / parts], (int)(i % parts));
        }
    for (unsigned row = 0; row < rows; row++)
        look_at_row(to, row, depth);
}

static const uint32_t *registers_of(const struct sim_wgmma *what)
{
    return what->is_copied ? what->copied : what->a;
}

/* As a lane holds them for sim_mma(). */
static void read_registers(struct factor *to, struct product *const lanes[SIM_WARP])
{
    const enum sim_mma_format format = lanes[0]->what.format;
    const unsigned depth = 8 * (unsigned)sim_mma_parts(format);
    for (unsigned lane = 0; lane < SIM_WARP; lane++)
        sim_mma_gather(format, depth, registers_of(&lanes[lane]->what), lane, to->value);
    for (unsigned row = 0; row < ROWS; row++)
        look_at_row(to, row, depth);
}

static float multiply_row(enum sim_mma_format format, const struct factor *a, const struct factor *b, unsigned row,
                          unsigned column, double d)
{
    if ((a->is_zero[row] && b->is_finite[column]) || (b->is_zero[column] && a->is_finite[row]))
        return (float)d;
    return sim_mma_sum(format, a->value[row], b->value[column], 8 * (unsigned)sim_mma_parts(format), d);
}

/* The product that all lanes of a warp have begun. */
static void multiply(struct product *const lanes[SIM_WARP])
{
    static SIM_OWN struct {
        struct factor a, b;
    } * factors;
    factors = factors ? factors : memory_get(1, sizeof *factors);
    const struct sim_wgmma *what = &lanes[0]->what;
    const unsigned warp = sim_block.current / SIM_WARP % WARPS;
    if (registers_of(what))
        read_registers(&factors->a, lanes);
    else
        read_shared(&factors->a, lanes[0], what->a_descriptor, what->is_a_across, warp * ROWS, ROWS);
    read_shared(&factors->b, lanes[0], what->b_descriptor, what->is_b_across, 0, what->columns);
    for (unsigned lane = 0; lane < SIM_WARP; lane++)
        for (unsigned i = 0; i < what->columns / 2; i++) {
            float *sum = &lanes[lane]->what.sums[i];
            const unsigned row = lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
            *sum = multiply_row(what->format, &factors->a, &factors->b, row, column, what->add ? (double)*sum : 0);
        }
    for (unsigned lane = 0; lane < SIM_WARP; lane++)
        lanes[lane]->is_done = true;
}

/* Of all lanes of the warp, which come together. */
static void gather(struct sim_place place, const char *operation, struct sim_products *of[SIM_WARP])
{
    const uint64_t *heard = sim_warp_whole(place, operation, (uintptr_t)sim_current()->products);
    for (unsigned lane = 0; lane < SIM_WARP; lane++) {
        of[lane] = (struct sim_products *)(uintptr_t)heard[lane];
        if (of[lane]->count != of[0]->count)
            sim_stop(place, "calls %s while lanes of its warp have begun other products", operation);
    }
}

/* Does the product number `item` of each lane. */
static void complete(struct sim_products *const of[SIM_WARP], size_t item)
{
    struct product *lanes[SIM_WARP];
    for (unsigned lane = 0; lane < SIM_WARP; lane++) {
        lanes[lane] = &of[lane]->items[item];
        if (lanes[lane]->what.columns != lanes[0]->what.columns || lanes[lane]->what.format != lanes[0]->what.format)
            sim_stop(lanes[lane]->place, "calls wgmma.mma_async with another shape than other lanes of its warp");
    }
    if (!lanes[0]->is_done)
        multiply(lanes);
}

void sim_wgmma_multiply(struct sim_place place, const struct sim_wgmma *what)
{
    struct sim_products *own = products(), *of[SIM_WARP];
    if (!own->is_fenced)
        sim_stop(place, "calls wgmma.mma_async before wgmma.fence");
    const struct result *result = result_in(own, what->sums);
    if (result && what->add && memcmp(result->value, what->sums, result->bytes) != 0)
        sim_stop(place, "calls wgmma.mma_async with sums that it has written to, with no wgmma.fence between");
    sim_current()->products_begun++;
    own->items = memory_grow(own->items, own->count, sizeof *own->items);
    own->items[own->count++] = (struct product){*what, place, own->group, false};
    gather(place, "wgmma.mma_async", of);
    if (sim_block.current % SIM_WARP == 0 && sim_order_copies_now())
        for (size_t i = 0; i < own->count; i++) /* they are done one after the other */
            complete(of, i);
    (void)sim_warp_exchange(place, "wgmma.mma_async", UINT32_MAX, 0);
}

void sim_wgmma_commit(void)
{
    products()->group++;
}

void sim_wgmma_wait(struct sim_place place, unsigned groups_left)
{
    struct sim_products *own = products(), *of[SIM_WARP];
    size_t done = 0;
    gather(place, "wgmma.wait_group", of);
    for (; done < own->count && own->items[done].group + groups_left < own->group; done++)
        if (sim_block.current % SIM_WARP == 0)
            complete(of, done);
    (void)sim_warp_exchange(place, "wgmma.wait_group", UINT32_MAX, 0);
    for (size_t i = 0; i < done; i++)
        keep_result(own, &own->items[i].what);
    own->count -= done;
    if (own->count > 0)
        memmove(own->items, own->items + done, own->count * sizeof *own->items);
}

void sim_wgmma_end(void)
{
    const struct sim_products *own = sim_current()->products;
    if (own && own->count > 0)
        sim_stop(own->items[0].place, "begins products by wgmma and ends before they are done");
}

void sim_wgmma_drop(unsigned thread)
{
    struct sim_thread *of = &sim_block.threads[thread];
    if (of->products) {
        free(of->products->items);
        free(of->products->results);
    }
    free(of->products);
    of->products = NULL;
}

/* The four warps whose rows make up a product begin the same ones. */
void sim_wgmma_end_block(void)
{
    for (unsigned i = 0; i < sim_block.count; i += SIM_WARP) {
        const unsigned first = i / (WARPS * SIM_WARP) * WARPS * SIM_WARP;
        if (sim_block.threads[i].products_begun != sim_block.threads[first].products_begun) {
            sim_accuse(i, (struct sim_place){"some line", 0},
                       "has begun %u products by wgmma, and another warp of its four %u",
                       sim_block.threads[i].products_begun, sim_block.threads[first].products_begun);
            return;
        }
    }
}
