#include "sim_together.h"

#include "sim_order.h"
#include "sim_thread.h"

#include <stdio.h>
#include <string.h>

static unsigned first_of_warp(unsigned thread)
{
    return thread / SIM_WARP * SIM_WARP;
}

/* Lanes of the mask that have ended, or that the block is too small for, are not waited for: CUDA C++ Programming
 * Guide, "Warp Shuffle Functions". */
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

/* A thread that `thread` waits for in its exchange; SIM_THREADS_MAX: none. Looks at the next lane first: most often it
 * is the missing one, since its turn has not come yet. */
static unsigned missing_in_warp(unsigned thread)
{
    for (unsigned i = 1; i < SIM_WARP; i++) {
        unsigned lane = (thread + i) % SIM_WARP, other = first_of_warp(thread) + lane;
        if (takes_part(lane, thread) && !waits_for_the_same(&sim_block.threads[other], &sim_block.threads[thread]))
            return other;
    }
    return SIM_THREADS_MAX;
}

/* Where all lanes that `thread` waits for are there, and wait for the same exchange. */
static void exchange_if_complete(unsigned thread)
{
    struct sim_thread *warp = &sim_block.threads[first_of_warp(thread)];
    uint64_t values[SIM_WARP];
    if (sim_block.threads[thread].state != SIM_IN_WARP || missing_in_warp(thread) < SIM_THREADS_MAX)
        return;
    sim_order_poison(values, sizeof values);
    for (unsigned lane = 0; lane < SIM_WARP; lane++)
        if (takes_part(lane, thread))
            values[lane] = warp[lane].value;
    for (unsigned lane = 0; lane < SIM_WARP; lane++) {
        if (!takes_part(lane, thread))
            continue;
        memcpy(warp[lane].heard, values, sizeof values);
        warp[lane].state = SIM_READY;
        warp[lane].exchanges++;
    }
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

int sim_barrier(struct sim_place place, const char *operation, int predicate)
{
    sim_current()->value = predicate != 0;
    sim_wait(SIM_AT_BARRIER, operation, place);
    return sim_block.votes;
}

/* The first thread in that state; SIM_THREADS_MAX: none. */
static unsigned first_in(enum sim_state state)
{
    for (unsigned i = 0; i < sim_block.count; i++)
        if (sim_block.threads[i].state == state)
            return i;
    return SIM_THREADS_MAX;
}

/* The first thread that is not at the barrier at which `waiting` is; SIM_THREADS_MAX: none. */
static unsigned missing_at_barrier(unsigned waiting)
{
    const struct sim_place *at = &sim_block.threads[waiting].place;
    for (unsigned i = 0; i < sim_block.count; i++) {
        const struct sim_thread *thread = &sim_block.threads[i];
        if (thread->state != SIM_AT_BARRIER || thread->place.line != at->line ||
            strcmp(thread->place.file, at->file) != 0)
            return i;
    }
    return SIM_THREADS_MAX;
}

static void accuse_missing(unsigned missing, unsigned waiting)
{
    const struct sim_thread *thread = &sim_block.threads[missing], *other = &sim_block.threads[waiting];
    char instead[192] = "has ended";
    if (thread->state != SIM_ENDED)
        snprintf(instead, sizeof instead, "waits in %s at %s:%d", thread->operation, sim_short_name(thread->place.file),
                 thread->place.line);
    sim_accuse(missing, other->place, "%s, while thread (%u,%u,%u) waits here in %s", instead, other->index.x,
               other->index.y, other->index.z, other->operation);
}

bool sim_barrier_pass(void)
{
    unsigned in_warp = first_in(SIM_IN_WARP), waiting = in_warp;
    if (waiting == SIM_THREADS_MAX)
        waiting = first_in(SIM_AT_BARRIER);
    if (waiting == SIM_THREADS_MAX)
        return false;
    unsigned missing = waiting == in_warp ? missing_in_warp(waiting) : missing_at_barrier(waiting);
    if (missing < SIM_THREADS_MAX) {
        accuse_missing(missing, waiting);
        return false;
    }
    sim_block.barriers++;
    sim_block.votes = 0;
    for (unsigned i = 0; i < sim_block.count; i++) {
        sim_block.votes += (int)sim_block.threads[i].value;
        sim_block.threads[i].state = SIM_READY;
    }
    return true;
}
