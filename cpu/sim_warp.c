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

unsigned sim_warp_missing(unsigned thread)
{
    const struct sim_thread *waiting = &sim_block.threads[thread];
    for (unsigned lane = 0; lane < SIM_WARP; lane++) {
        const struct sim_thread *other = &sim_block.threads[warp_of(thread) + lane];
        if (takes_part(lane, thread) && (other->state != SIM_IN_WARP || other->mask != waiting->mask ||
                                         strcmp(other->operation, waiting->operation) != 0))
            return warp_of(thread) + lane;
    }
    return SIM_THREADS_MAX;
}

/* All that `thread` waits for are there, and it is for those they wait. */
static void exchange(unsigned thread)
{
    struct sim_thread *warp = &sim_block.threads[warp_of(thread)];
    uint64_t values[SIM_WARP];
    unsigned lanes[SIM_WARP], count = 0;
    memset(values, sim_order.poison, sizeof values);
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

void sim_warp_changed(unsigned thread)
{
    unsigned first = warp_of(thread);
    for (unsigned lane = 0; lane < SIM_WARP && first + lane < sim_block.count; lane++)
        if (sim_block.threads[first + lane].state == SIM_IN_WARP && sim_warp_missing(first + lane) == SIM_THREADS_MAX)
            exchange(first + lane);
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
