#include "sim_group.h"

#include "bench/base/memory.h"
#include "sim_async.h"
#include "sim_order.h"
#include "sim_program.h"
#include "sim_proxy.h"
#include "sim_race.h"
#include "sim_shared.h"
#include "sim_thread.h"
#include "sim_together.h"
#include "sim_warps.h"
#include "sim_wgmma.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A block that waits for its turn. */
struct member {
    struct sim_block block;
    struct uint3 index;
    bool has_begun, is_over, is_traced; /* by sim_race.h */
};

static SIM_OWN struct {
    struct member *members; /* room for as many as there ever were */
    unsigned *order;
    unsigned room, count, rank; /* of blocks, and the one that runs */
    uint64_t serial;            /* of the last block that began */
    unsigned live, missing;     /* threads that have not ended, and that the barrier waits for */
    unsigned passed;            /* times that the barrier was passed */
} group;

/* Up to its last thread. */
static size_t bytes_of_block(void)
{
    return offsetof(struct sim_block, threads) + sim_block.count * sizeof sim_block.threads[0];
}

static void put_away(struct member *member)
{
    member->is_traced = sim_race_traces;
    sim_race_end();
    sim_program_look_at_block();
    memcpy(&member->block, &sim_block, bytes_of_block());
    for (unsigned i = 0; i < sim_block.count; i++) { /* what they have is that one's now */
        memset(sim_block.threads[i].copies, 0, sizeof sim_block.threads[i].copies);
        sim_block.threads[i].products = NULL;
    }
    sim_image_put_away(group.rank);
}

static void begin_block(struct uint3 index)
{
    sim_block.index = index;
    sim_block.serial = ++group.serial;
    sim_block.ended = sim_block.until = sim_block.events = 0;
    memset(sim_block.named, 0, sizeof sim_block.named);
    sim_block.waited_for_last = false;
    for (unsigned i = 0; i < sim_block.count; i++) {
        struct sim_thread *thread = &sim_block.threads[i];
        thread->state = SIM_READY;
        thread->exchanges = thread->arrivals = thread->heard = thread->fenced = 0;
        thread->has_arrived = thread->may_fail = false;
        thread->operation = NULL; /* which the block before may have left */
        thread->failures = thread->products_begun = 0;
        thread->fiber = -1;
    }
    sim_proxy_look();
    sim_together_begin();
    sim_turns_shuffle();
}

/* Whether it has something to do. */
static bool take_up(struct member *member)
{
    if (member->has_begun)
        memcpy(&sim_block, &member->block, bytes_of_block());
    else
        begin_block(member->index);
    blockIdx = sim_block.index;
    sim_image_take_up(group.rank, sim_block.serial);
    const bool is_new = !member->has_begun;
    member->has_begun = true;
    if (is_new)
        sim_race_begin();
    else
        sim_race_resume(member->is_traced);
    return sim_wake() || is_new;
}

/* Until none of its threads can go on. */
static void run_on(void)
{
    do
        sim_turns_run();
    while (!sim_error() &&
           (sim_wake() || sim_barrier_pass() || (sim_block.until > 0 && sim_async_arrive()) || sim_let_fail()));
}

static bool is_over(void)
{
    return sim_block.ended == sim_block.count;
}

static void end_block(void)
{
    sim_async_end();
    if (!sim_error())
        sim_wgmma_end_block();
}

static void run_alone(struct uint3 index)
{
    begin_block(index);
    blockIdx = index;
    sim_race_begin();
    run_on();
    if (!sim_error() && !is_over())
        sim_together_accuse();
    end_block();
    sim_race_end();
    sim_program_look_at_block();
}

/* Each member in turn. Whether one could go on. */
static bool run_members(void)
{
    bool any = false;
    for (unsigned i = 0; i < group.count && !sim_error(); i++) {
        struct member *member = &group.members[group.rank = group.order[i]];
        if (member->is_over)
            continue;
        if (take_up(member)) {
            any = true;
            run_on();
        }
        member->is_over = is_over();
        if (member->is_over)
            end_block();
        put_away(member);
        if (member->is_over)
            sim_image_close(group.rank);
    }
    return any;
}

static void accuse_first(void)
{
    for (unsigned i = 0; i < group.count && !sim_error(); i++)
        if (!group.members[i].is_over) {
            (void)take_up(&group.members[group.rank = i]);
            sim_together_accuse();
        }
}

static void make_room(void)
{
    if (group.count <= group.room)
        return;
    group.members = memory_have(realloc(group.members, group.count * sizeof *group.members));
    group.order = memory_have(realloc(group.order, group.count * sizeof *group.order));
    memset(group.members + group.room, 0, (group.count - group.room) * sizeof *group.members);
    group.room = group.count;
}

static void run_together(struct uint3 first, struct uint3 size)
{
    make_room();
    for (unsigned i = 0; i < group.count; i++) {
        group.members[i].has_begun = group.members[i].is_over = false;
        group.members[i].index =
            (struct uint3){first.x + i % size.x, first.y + i / size.x % size.y, first.z + i / size.x / size.y};
    }
    sim_order_threads(group.order, group.count);
    while (run_members())
        ;
    accuse_first();
    for (unsigned i = 0; i < group.count && sim_error(); i++)
        if (group.members[i].has_begun && !group.members[i].is_over) {
            memcpy(&sim_block, &group.members[i].block, bytes_of_block());
            sim_drop_threads();
        }
}

void sim_group_run(struct uint3 first, struct uint3 size)
{
    group.count = size.x * size.y * size.z;
    group.rank = group.passed = 0;
    group.live = group.missing = group.count * sim_block.count;
    sim_images_begin(group.count);
    if (group.count == 1)
        run_alone(first);
    else
        run_together(first, size);
    if ((sim_notes & SIM_NOTES_WARPS) != 0)
        sim_warps_block();
}

static void pass_if_complete(void)
{
    if (group.missing > 0)
        return;
    group.passed++;
    group.missing = group.live;
    (void)sim_wake();
}

void sim_group_arrive(struct sim_place place)
{
    struct sim_thread *thread = sim_current();
    if (thread->has_arrived)
        sim_stop(place, "arrives at the barrier of its cluster or grid again, and has not waited there");
    thread->has_arrived = true;
    thread->arrivals++;
    sim_block.events++;
    group.missing--;
    pass_if_complete();
}

void sim_group_wait(struct sim_place place, const char *operation)
{
    struct sim_thread *thread = sim_current();
    if (!thread->has_arrived)
        sim_stop(place, "waits in %s, and has not arrived there", operation);
    thread->has_arrived = false;
    (void)sim_wait_until(sim_has_reached, &group.passed, thread->arrivals, operation, place);
}

void sim_group_leave(unsigned thread)
{
    group.live--;
    group.missing -= sim_block.threads[thread].arrivals == group.passed;
    if (group.live > 0)
        pass_if_complete();
}

unsigned sim_cluster_size(void)
{
    return sim_block.launch->is_cooperative ? 1 : group.count;
}

unsigned sim_cluster_rank(void)
{
    return sim_block.launch->is_cooperative ? 0 : group.rank;
}

void *sim_cluster_map(struct sim_place place, const void *shared, unsigned rank)
{
    if (sim_shared_rank_of(shared) != group.rank)
        sim_stop(place, "asks where in another block's shared memory an address is that is not in its own");
    if (rank >= sim_cluster_size())
        sim_stop(place, "asks for the shared memory of block %u of %u", rank, sim_cluster_size());
    return sim_shared_map(shared, sim_block.launch->is_cooperative ? group.rank : rank);
}
