#include "sim_copy.h"

#include "sim_access.h"
#include "sim_order.h"
#include "sim_thread.h"

#include <stdlib.h>
#include <string.h>

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
    if (copy->from)
        memcpy(copy->to, copy->from, copy->bytes);
    else
        memset(copy->to, 0, copy->bytes);
}

/* So that a bad address is a fault of the line that asks, not of the line that waits. */
static void touch(struct sim_place place, const void *memory, size_t bytes, bool writes)
{
    const volatile char *byte = memory;
    sim_access_begin(place, "copy_async", memory, bytes, writes);
    (void)byte[0];
    (void)byte[bytes - 1];
    sim_access_end();
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
    struct copies *copies = &copies_of[sim_block.current];
    if ((uintptr_t)to % bytes != 0 || (uintptr_t)from % bytes != 0)
        sim_stop(place, "copies %zu bytes from or to an address that is no multiple of %zu", bytes, bytes);
    touch(place, to, bytes, true);
    if (from)
        touch(place, from, bytes, false);
    struct copy copy = {to, from, bytes, copies->group};
    if (sim_order_copies_now())
        arrive(&copy);
    else
        keep(place, copies, &copy);
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
