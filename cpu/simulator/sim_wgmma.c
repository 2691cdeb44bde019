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

enum { ROWS = 16, COLUMNS_MAX = 256, DEPTH_MAX = 16, PIECE = 16, PIECES = 2, WARPS = 4 };

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
};

/* A factor's rows along k, as numbers. */
struct factor {
    double value[COLUMNS_MAX][DEPTH_MAX];
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
}

static int halves_of(enum sim_mma_format format)
{
    return format == SIM_MMA_TF32 ? 1 : 2;
}

/* Where the 16 bytes number `piece` of a row are. */
static const void *place_in(uint64_t descriptor, unsigned row, unsigned piece)
{
    const uint32_t start = (uint32_t)(descriptor & 0x3FFF) << 4, leading = (uint32_t)(descriptor >> 16 & 0x3FFF) << 4,
                   stride = (uint32_t)(descriptor >> 32 & 0x3FFF) << 4, mode = (uint32_t)(descriptor >> 62);
    if (mode == 0)
        return sim_shared_memory(start + row / 8 * stride + piece * leading + row % 8 * PIECE);
    const uint32_t width = 256u >> mode, address = start + row / 8 * stride + row % 8 * width + piece * PIECE;
    return sim_shared_memory(address ^ ((address >> 7 & (width / PIECE - 1)) << 4));
}

static void look_at_row(struct factor *to, unsigned row, int depth)
{
    to->is_zero[row] = to->is_finite[row] = true;
    for (int p = 0; p < depth; p++) {
        to->is_zero[row] = to->is_zero[row] && to->value[row][p] == 0;
        to->is_finite[row] = to->is_finite[row] && isfinite(to->value[row][p]);
    }
}

/* Rows that lie in shared memory from `first` on. */
static void read_shared(struct factor *to, const struct product *product, uint64_t descriptor, unsigned first,
                        unsigned rows)
{
    const enum sim_mma_format format = product->what.format;
    const int halves = halves_of(format), words = PIECE / 4;
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned piece = 0; piece < PIECES; piece++) {
            uint32_t bits[PIECE / 4];
            const void *at = place_in(descriptor, first + row, piece);
            sim_proxy_begin(product->place, "wgmma", at, PIECE, false);
            memcpy(bits, at, sizeof bits);
            for (int i = 0; i < words * halves; i++)
                to->value[row][(int)piece * words * halves + i] = sim_mma_value(format, bits[i / halves], i % halves);
        }
        look_at_row(to, row, PIECES * words * halves);
    }
}

static const uint32_t *registers_of(const struct sim_wgmma *what)
{
    return what->is_copied ? what->copied : what->a;
}

/* As a lane holds them for sim_mma(). */
static void read_registers(struct factor *to, struct product *const lanes[SIM_WARP])
{
    const enum sim_mma_format format = lanes[0]->what.format;
    const int halves = halves_of(format);
    for (int lane = 0; lane < SIM_WARP; lane++)
        for (int i = 0; i < 4; i++)
            for (int half = 0; half < halves; half++)
                to->value[lane / 4 + i % 2 * 8][halves * (lane % 4 + i / 2 * 4) + half] =
                    sim_mma_value(format, registers_of(&lanes[lane]->what)[i], half);
    for (unsigned row = 0; row < ROWS; row++)
        look_at_row(to, row, 8 * halves);
}

static float multiply_row(const struct factor *a, const struct factor *b, unsigned row, unsigned column, int depth,
                          double d)
{
    double addends[DEPTH_MAX + 1];
    if ((a->is_zero[row] && b->is_finite[column]) || (b->is_zero[column] && a->is_finite[row]))
        return (float)d;
    for (int p = 0; p < depth; p++)
        addends[p] = a->value[row][p] * b->value[column][p];
    addends[depth] = d;
    return sim_mma_sum(addends, depth + 1);
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
        read_shared(&factors->a, lanes[0], what->a_descriptor, warp * ROWS, ROWS);
    read_shared(&factors->b, lanes[0], what->b_descriptor, 0, what->columns);
    for (unsigned lane = 0; lane < SIM_WARP; lane++)
        for (unsigned i = 0; i < what->columns / 2; i++) {
            float *sum = &lanes[lane]->what.sums[i];
            const unsigned row = lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
            *sum = multiply_row(&factors->a, &factors->b, row, column, 8 * halves_of(what->format),
                                what->add ? (double)*sum : 0);
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
    if (of->products)
        free(of->products->items);
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
