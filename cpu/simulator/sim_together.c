#include "sim_together.h"

#include "bench/base/memory.h"
#include "sim_order.h"
#include "sim_thread.h"

#include <stdio.h>
#include <string.h>

static unsigned first_of_warp(unsigned thread)
{
    return thread / SIM_WARP * SIM_WARP;
}

static bool waits_for_the_same(const struct sim_thread *one, const struct sim_thread *other)
{
    return one->state == SIM_IN_WARP && one->mask == other->mask &&
           (one->operation == other->operation || strcmp(one->operation, other->operation) == 0);
}

static SIM_OWN uint64_t (*heard)[SIM_WARP]; /* by each thread */

void sim_together_begin(void)
{
    heard = heard ? heard : memory_get(SIM_THREADS_MAX, sizeof *heard);
    memset(sim_block.warps, 0, sizeof sim_block.warps);
    sim_block.barrier = (struct sim_meeting){.count = 0};
}

/* The lanes that `thread` waits for in its exchange. Those that have ended, or that the block is too small for, it does
 * not wait for: CUDA C++ Programming Guide, "Warp Shuffle Functions". */
static uint32_t partners(unsigned thread)
{
    const unsigned lanes = sim_block.count - first_of_warp(thread);
    const uint32_t present = lanes >= SIM_WARP ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    return sim_block.threads[thread].mask & present & ~sim_block.warps[thread / SIM_WARP].ended;
}

/* A thread that `thread` waits for; SIM_THREADS_MAX: none. */
static unsigned missing_in_warp(unsigned thread)
{
    for (uint32_t lanes = partners(thread); lanes; lanes &= lanes - 1) {
        const unsigned other = first_of_warp(thread) + (unsigned)__builtin_ctz(lanes);
        if (!waits_for_the_same(&sim_block.threads[other], &sim_block.threads[thread]))
            return other;
    }
    return SIM_THREADS_MAX;
}

static void exchange(unsigned thread, uint32_t lanes)
{
    struct sim_thread *warp = &sim_block.threads[first_of_warp(thread)];
    uint64_t values[SIM_WARP];
    if (lanes != UINT32_MAX)
        sim_order_poison(values, sizeof values);
    for (uint32_t left = lanes; left; left &= left - 1)
        values[__builtin_ctz(left)] = warp[__builtin_ctz(left)].value;
    unsigned heard_by_all = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned own = warp[__builtin_ctz(left)].heard;
        heard_by_all = own > heard_by_all ? own : heard_by_all;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        struct sim_thread *lane = &warp[__builtin_ctz(left)];
        const unsigned number = (unsigned)(lane - sim_block.threads);
        if (lane->from >= 0)
            lane->value = values[lane->from];
        else
            memcpy(heard[number], values, sizeof values);
        lane->exchanges++;
        lane->heard = heard_by_all;
        sim_ready(number);
    }
    sim_block.warps[thread / SIM_WARP].waiting &= ~lanes;
}

/* Where all lanes that `thread` waits for are there, and wait for the same exchange. */
static bool exchange_if_complete(unsigned thread)
{
    const uint32_t lanes = partners(thread);
    if ((lanes & ~sim_block.warps[thread / SIM_WARP].waiting) != 0 || missing_in_warp(thread) < SIM_THREADS_MAX)
        return false;
    exchange(thread, lanes);
    return true;
}

/* A thread that waits can complete its own exchange alone. One that ended may have been the last that others waited
 * for. */
bool sim_warp_changed(unsigned thread)
{
    const uint32_t lane = UINT32_C(1) << thread % SIM_WARP;
    if (sim_block.threads[thread].state == SIM_IN_WARP) {
        sim_block.warps[thread / SIM_WARP].waiting |= lane;
        return exchange_if_complete(thread);
    }
    sim_block.warps[thread / SIM_WARP].ended |= lane;
    for (uint32_t left = sim_block.warps[thread / SIM_WARP].waiting; left; left &= left - 1) {
        const unsigned other = first_of_warp(thread) + (unsigned)__builtin_ctz(left);
        if (sim_block.threads[other].state == SIM_IN_WARP)
            (void)exchange_if_complete(other);
    }
    return false;
}

/* `from`: the lane whose value is wanted; -1: all. */
static struct sim_thread *come_together(struct sim_place place, const char *operation, uint32_t mask, uint64_t value,
                                        int from)
{
    struct sim_thread *thread = sim_current();
    unsigned lane = sim_block.current % SIM_WARP;
    if ((mask >> lane & 1) == 0)
        sim_stop(place, "calls %s with the mask %08x, in which its own lane, %u, is missing", operation, mask, lane);
    thread->mask = mask;
    thread->value = value;
    thread->from = from;
    sim_wait(SIM_IN_WARP, operation, place);
    return thread;
}

const uint64_t *sim_warp_exchange(struct sim_place place, const char *operation, uint32_t mask, uint64_t value)
{
    (void)come_together(place, operation, mask, value, -1);
    return heard[sim_block.current];
}

const uint64_t *sim_warp_whole(struct sim_place place, const char *operation, uint64_t value)
{
    const unsigned first = first_of_warp(sim_block.current);
    const uint64_t *values = sim_warp_exchange(place, operation, UINT32_MAX, value);
    for (unsigned lane = 0; lane < SIM_WARP; lane++)
        if (first + lane >= sim_block.count || sim_block.threads[first + lane].state == SIM_ENDED)
            sim_stop(place, "calls %s without lane %u of its warp, which has ended or never was", operation, lane);
    return values;
}

uint64_t sim_warp_shuffle(struct sim_place place, const char *operation, uint32_t mask, uint64_t value, unsigned from)
{
    return come_together(place, operation, mask, value, (int)from)->value;
}

/* Of each thread: where it asks which lanes are active, and their mask as soon as it is known. */
static SIM_OWN struct {
    struct sim_place place;
    uint64_t serial; /* of its block; another one: it does not ask */
    uint32_t mask;
} asks[SIM_THREADS_MAX];

static bool is_asking(unsigned thread)
{
    return asks[thread].serial == sim_block.serial && asks[thread].mask == 0;
}

/* Those of the warp's lanes that ask at the place; 0: another lane may come yet. */
static uint32_t active_at(struct sim_place place)
{
    const unsigned first = first_of_warp(sim_block.current);
    uint32_t mask = 0;
    for (unsigned i = first; i < first + SIM_WARP && i < sim_block.count; i++) {
        if (!is_asking(i) && sim_block.threads[i].state == SIM_READY)
            return 0;
        if (is_asking(i) && asks[i].place.line == place.line && strcmp(asks[i].place.file, place.file) == 0)
            mask |= UINT32_C(1) << (i - first);
    }
    return mask;
}

uint32_t sim_warp_active(struct sim_place place)
{
    const unsigned own = sim_block.current, first = first_of_warp(own);
    asks[own].place = place;
    asks[own].serial = sim_block.serial;
    asks[own].mask = 0;
    while (asks[own].mask == 0) {
        const uint32_t active = active_at(place);
        for (uint32_t left = active; left; left &= left - 1)
            asks[first + (unsigned)__builtin_ctz(left)].mask = active;
        if (active == 0)
            sim_pause();
    }
    return asks[own].mask;
}

static bool is_same(struct sim_place one, struct sim_place other)
{
    return one.line == other.line && (one.file == other.file || strcmp(one.file, other.file) == 0);
}

int sim_barrier(struct sim_place place, const char *operation, int predicate)
{
    sim_block.barrier.is_mixed =
        sim_block.barrier.is_mixed || (sim_block.barrier.count > 0 && !is_same(sim_block.barrier.place, place));
    sim_block.barrier.place = place;
    sim_block.barrier.count++;
    sim_block.barrier.votes += predicate != 0;
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

/* The first thread that is not at the barrier at which `waiting` is; SIM_THREADS_MAX: none. Those that have ended are
 * not waited for, as from sm_70 on: PTX ISA, "bar, barrier". */
static unsigned missing_at_barrier(unsigned waiting)
{
    for (unsigned i = 0; i < sim_block.count; i++) {
        const struct sim_thread *thread = &sim_block.threads[i];
        const bool is_there =
            thread->state == SIM_AT_BARRIER && is_same(thread->place, sim_block.threads[waiting].place);
        if (!is_there && thread->state != SIM_ENDED)
            return i;
    }
    return SIM_THREADS_MAX;
}

static void accuse_missing(unsigned missing, unsigned waiting)
{
    const struct sim_thread *thread = &sim_block.threads[missing], *other = &sim_block.threads[waiting];
    sim_accuse(missing, other->place, "waits in %s at %s:%d, while thread (%u,%u,%u) waits here in %s",
               thread->operation, sim_short_name(thread->place.file), thread->place.line, other->index.x,
               other->index.y, other->index.z, other->operation);
}

void sim_together_accuse(void)
{
    const unsigned in_warp = first_in(SIM_IN_WARP), until = first_in(SIM_UNTIL), at_barrier = first_in(SIM_AT_BARRIER);
    if (in_warp < SIM_THREADS_MAX)
        accuse_missing(missing_in_warp(in_warp), in_warp);
    else if (until < SIM_THREADS_MAX)
        sim_accuse(until, sim_block.threads[until].place, "waits for ever in %s", sim_block.threads[until].operation);
    else
        accuse_missing(missing_at_barrier(at_barrier), at_barrier);
}

static bool waits_in_warp(void)
{
    uint32_t waiting = 0;
    for (size_t i = 0; i < SIM_THREADS_MAX / SIM_WARP; i++)
        waiting |= sim_block.warps[i].waiting;
    return waiting != 0;
}

bool sim_barrier_pass(void)
{
    if (sim_block.barrier.count == 0 || sim_block.barrier.is_mixed || sim_block.until > 0 || waits_in_warp())
        return false;
    sim_block.barriers++;
    sim_block.votes = sim_block.barrier.votes;
    sim_block.barrier = (struct sim_meeting){.count = 0};
    sim_ready_at_barrier();
    return true;
}
