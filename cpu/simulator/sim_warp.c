/* What the 32 lanes of a warp do together. Lanes of the mask that have ended, or that the block is too small for, are
 * not waited for: CUDA C++ Programming Guide, "Warp Shuffle Functions". */
#include "sim_order.h"
#include "sim_thread.h"

#include <string.h>

static unsigned warp_of(unsigned thread)
{
    return thread / SIM_WARP * SIM_WARP;
}

static bool takes_part(unsigned lane, unsigned thread)
{
    unsigned other = warp_of(thread) + lane;
    return (sim_block.threads[thread].mask >> lane & 1) != 0 && other < sim_block.count &&
           sim_block.threads[other].state != SIM_ENDED;
}

static bool waits_for_the_same(const struct sim_thread *one, const struct sim_thread *other)
{
    return one->state == SIM_IN_WARP && one->mask == other->mask &&
           (one->operation == other->operation || strcmp(one->operation, other->operation) == 0);
}

/* Most often the next lane is it, which has not had its turn yet: so that one is looked at first. */
unsigned sim_warp_missing(unsigned thread)
{
    for (unsigned i = 1; i < SIM_WARP; i++) {
        unsigned lane = (thread + i) % SIM_WARP, other = warp_of(thread) + lane;
        if (takes_part(lane, thread) && !waits_for_the_same(&sim_block.threads[other], &sim_block.threads[thread]))
            return other;
    }
    return SIM_THREADS_MAX;
}

/* All that `thread` waits for are there, and it is for those they wait. */
static void exchange(unsigned thread)
{
    struct sim_thread *warp = &sim_block.threads[warp_of(thread)];
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
    }
}

static void exchange_if_complete(unsigned thread)
{
    if (sim_block.threads[thread].state == SIM_IN_WARP && sim_warp_missing(thread) == SIM_THREADS_MAX)
        exchange(thread);
}

/* Who came to wait completes no company but its own; who ended may have been the last that others waited for. */
void sim_warp_changed(unsigned thread)
{
    unsigned first = warp_of(thread);
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
