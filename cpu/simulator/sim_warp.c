/* Lanes of the mask that have ended, or that the block is too small for, are not waited for: CUDA C++ Programming
 * Guide, "Warp Shuffle Functions". */
#include "sim_warp.h"

#include "sim_order.h"
#include "sim_thread.h"
#include "sim_race.h"

#include <string.h>

static unsigned first_of_warp(unsigned thread)
{
    return thread / SIM_WARP * SIM_WARP;
}

static bool takes_part(unsigned lane, unsigned thread)
{
    unsigned other = first_of_warp(thread) + lane;
    return (sim_block.threads[thread].mask >> lane & 1) != 0 && other < sim_block.count &&
           sim_block.threads[other].state != SIM_ENDED;
}

static bool waits_for_the_same(const struct sim_thread *one, const struct sim_thread *other)
{
    return one->state == SIM_IN_WARP && one->mask == other->mask &&
           (one->operation == other->operation || strcmp(one->operation, other->operation) == 0);
}

/* Looks at the next lane first: most often it is the missing one, since its turn has not come yet. */
unsigned sim_warp_missing(unsigned thread)
{
    for (unsigned i = 1; i < SIM_WARP; i++) {
        unsigned lane = (thread + i) % SIM_WARP, other = first_of_warp(thread) + lane;
        if (takes_part(lane, thread) && !waits_for_the_same(&sim_block.threads[other], &sim_block.threads[thread]))
            return other;
    }
    return SIM_THREADS_MAX;
}

/* All lanes that `thread` waits for are there, and wait for the same exchange. */
static void exchange(unsigned thread)
{
    struct sim_thread *warp = &sim_block.threads[first_of_warp(thread)];
    uint64_t values[SIM_WARP];
    unsigned lanes[SIM_WARP], count = 0;
    sim_order_poison(values, sizeof values);
    for (unsigned lane = 0; lane < SIM_WARP; lane++) {
        if (!takes_part(lane, thread))
            continue;
        values[lane] = warp[lane].value;
        lanes[count++] = lane;
    }
    for (unsigned i = 0; i < count; i++) {
        memcpy(warp[lanes[i]].heard, values, sizeof values);
        warp[lanes[i]].state = SIM_READY;
        sim_race_exchange(first_of_warp(thread) + lanes[i]);
    }
}

static void exchange_if_complete(unsigned thread)
{
    if (sim_block.threads[thread].state == SIM_IN_WARP && sim_warp_missing(thread) == SIM_THREADS_MAX)
        exchange(thread);
}

/* A thread that waits can complete its own exchange alone. One that ended may have been the last that others waited
 * for. */
void sim_warp_changed(unsigned thread)
{
    unsigned first = first_of_warp(thread);
    exchange_if_complete(thread);
    if (sim_block.threads[thread].state != SIM_ENDED)
        return;
    for (unsigned lane = 0; lane < SIM_WARP && first + lane < sim_block.count; lane++)
        exchange_if_complete(first + lane);
}

const uint64_t *sim_warp_exchange(struct sim_place place, const char *operation, uint32_t mask, uint64_t value)
{
    struct sim_thread *thread = sim_current();
    unsigned lane = sim_block.current % SIM_WARP;
    if ((mask >> lane & 1) == 0)
        sim_stop(place, "calls %s with the mask %08x, in which its own lane, %u, is missing", operation, mask, lane);
    thread->mask = mask;
    thread->value = value;
    sim_wait(SIM_IN_WARP, operation, place);
    return thread->heard;
}
