#include "sim_barrier.h"

#include "sim_blame.h"
#include "sim_thread.h"
#include "sim_race.h"
#include "sim_warp.h"

#include <stdio.h>
#include <string.h>

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
static unsigned missing_at_barrier(const struct sim_thread *waiting)
{
    for (unsigned i = 0; i < sim_block.count; i++) {
        const struct sim_thread *thread = &sim_block.threads[i];
        if (thread->state != SIM_AT_BARRIER || thread->place.line != waiting->place.line ||
            strcmp(thread->place.file, waiting->place.file) != 0)
            return i;
    }
    return SIM_THREADS_MAX;
}

static void accuse_missing(unsigned missing, const struct sim_thread *waiting)
{
    const struct sim_thread *thread = &sim_block.threads[missing];
    const struct uint3 *index = &waiting->index;
    char instead[192];
    if (thread->state == SIM_ENDED)
        snprintf(instead, sizeof instead, "has ended");
    else
        snprintf(instead, sizeof instead, "waits in %s at %s:%d", thread->operation, sim_short_name(thread->place.file),
                 thread->place.line);
    sim_accuse(missing, waiting->place, "%s, while thread (%u,%u,%u) waits here in %s", instead, index->x, index->y,
               index->z, waiting->operation);
}

bool sim_barrier_pass(void)
{
    unsigned in_warp = first_in(SIM_IN_WARP), at_barrier = first_in(SIM_AT_BARRIER);
    if (in_warp < SIM_THREADS_MAX) {
        accuse_missing(sim_warp_missing(in_warp), &sim_block.threads[in_warp]);
        return false;
    }
    if (at_barrier == SIM_THREADS_MAX)
        return false;
    unsigned missing = missing_at_barrier(&sim_block.threads[at_barrier]);
    if (missing < SIM_THREADS_MAX) {
        accuse_missing(missing, &sim_block.threads[at_barrier]);
        return false;
    }
    sim_race_barrier();
    sim_block.votes = 0;
    for (unsigned i = 0; i < sim_block.count; i++) {
        sim_block.votes += (int)sim_block.threads[i].value;
        sim_block.threads[i].state = SIM_READY;
    }
    return true;
}
