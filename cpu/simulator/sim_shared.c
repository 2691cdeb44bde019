#include "sim_shared.h"

#include "cpu/backend/guarded_memory.h"
#include "sim_order.h"
#include "sim_race.h"
#include "sim_thread.h"

#include <stdlib.h>
#include <string.h>

enum { DYNAMIC_ALIGNMENT = 16 }; /* the widest access */

/* Counts the bytes of the block that runs. */
static void take(size_t bytes, struct sim_place place)
{
    static uint64_t serial;
    static size_t taken;
    if (serial != sim_block.serial)
        taken = 0;
    serial = sim_block.serial;
    taken += bytes;
    if (taken > SIM_SHARED_BYTES_MAX)
        sim_stop(place, "the block uses %zu bytes of shared memory, expected at most %d", taken, SIM_SHARED_BYTES_MAX);
}

void *sim_shared_here(struct sim_shared *shared, struct sim_place place)
{
    static const char owner;
    const char *error = NULL;
    if (shared->serial == sim_block.serial)
        return shared->memory;
    take(shared->bytes, place);
    if (!shared->memory) /* it ends at a page that may not be touched, or up to alignment - 1 bytes before */
        error = guarded_memory_allocate(&owner, shared->bytes, EDGE_END, shared->alignment, &shared->memory);
    if (error)
        sim_stop(place, "%s", error);
    sim_order_poison(shared->memory, shared->bytes);
    sim_race_memory(shared->memory, shared->bytes);
    shared->serial = sim_block.serial;
    return shared->memory;
}

void *sim_dynamic_shared(struct sim_place place)
{
    static struct sim_shared dynamic = {.name = "dynamic shared memory", .alignment = DYNAMIC_ALIGNMENT};
    size_t bytes = sim_block.launch->dynamic_shared_bytes;
    if (dynamic.memory && dynamic.bytes != bytes) { /* the size must fit to the byte */
        guarded_memory_release(dynamic.memory);
        dynamic.memory = NULL;
    }
    dynamic.bytes = bytes;
    return sim_shared_here(&dynamic, place);
}

struct copy {
    void *to;
    const void *from; /* NULL: zeros */
    size_t bytes;
    unsigned group;
};

/* Of each thread: copies that it has asked for and not waited for, oldest first. */
static struct copies {
    struct copy *items;
    size_t count;
    unsigned group; /* the one that is open */
} copies_of[SIM_THREADS_MAX];

static void arrive(const struct copy *copy)
{
    sim_race_pause(true);
    if (copy->from)
        memcpy(copy->to, copy->from, copy->bytes);
    else
        memset(copy->to, 0, copy->bytes);
    sim_race_pause(false);
}

/* So that a bad address is a fault of the line that asks, not of the line that waits. */
static void touch(const void *memory, size_t bytes)
{
    const volatile char *byte = memory;
    (void)byte[0];
    (void)byte[bytes - 1];
}

static void keep(struct sim_place place, struct copies *copies, const struct copy *copy)
{
    struct copy *items = realloc(copies->items, (copies->count + 1) * sizeof *items);
    if (!items)
        sim_stop(place, "no memory for an asynchronous copy");
    copies->items = items;
    copies->items[copies->count++] = *copy;
}

void sim_copy_ask(struct sim_place place, void *to, const void *from, size_t bytes)
{
    struct sim_thread *thread = sim_current();
    struct copies *copies = &copies_of[sim_block.current];
    thread->place = place;
    thread->operation = "copy_async";
    if ((uintptr_t)to % bytes != 0 || (uintptr_t)from % bytes != 0)
        sim_stop(place, "copies %zu bytes from or to an address that is no multiple of %zu", bytes, bytes);
    sim_race_pause(true);
    touch(to, bytes);
    sim_race_pause(false);
    if (from)
        touch(from, bytes);
    struct copy copy = {to, from, bytes, copies->group};
    if (sim_order_copies_now())
        arrive(&copy);
    else
        keep(place, copies, &copy);
    thread->operation = NULL;
}

void sim_copy_commit(void)
{
    copies_of[sim_block.current].group++;
}

void sim_copy_wait(unsigned groups_left)
{
    struct copies *copies = &copies_of[sim_block.current];
    size_t done = 0;
    while (done < copies->count && copies->items[done].group + groups_left < copies->group)
        arrive(&copies->items[done++]);
    copies->count -= done;
    if (copies->count > 0)
        memmove(copies->items, copies->items + done, copies->count * sizeof copies->items[0]);
}

void sim_copy_drop(unsigned thread)
{
    copies_of[thread].count = 0;
    copies_of[thread].group = 0;
}
