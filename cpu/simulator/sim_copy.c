#include "sim_copy.h"

#include "bench/base/memory.h"
#include "sim_access.h"
#include "sim_order.h"
#include "sim_thread.h"

#include <stdlib.h>
#include <string.h>

struct sim_copy {
    void *to;
    const void *from; /* NULL: zeros */
    size_t bytes;
    unsigned group;
};

static void arrive(const struct sim_copy *copy)
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

static void keep(struct sim_copies *copies, void *to, const void *from, size_t bytes)
{
    const struct sim_copy copy = {to, from, bytes, copies->group};
    if (sim_order_copies_now()) {
        arrive(&copy);
        return;
    }
    copies->items = memory_grow(copies->items, copies->count, sizeof *copies->items);
    copies->items[copies->count++] = copy;
}

void sim_copy_ask(struct sim_place place, void *to, const void *from, size_t bytes)
{
    if ((uintptr_t)to % bytes != 0 || (uintptr_t)from % bytes != 0)
        sim_stop(place, "copies %zu bytes from or to an address that is no multiple of %zu", bytes, bytes);
    touch(place, to, bytes, true);
    if (from)
        touch(place, from, bytes, false);
    keep(&sim_current()->async, to, from, bytes);
}

void sim_copy_commit(void)
{
    sim_current()->async.group++;
}

static void wait(struct sim_copies *copies, unsigned groups_left)
{
    size_t done = 0;
    while (done < copies->count && copies->items[done].group + groups_left < copies->group)
        arrive(&copies->items[done++]);
    copies->count -= done;
    if (copies->count > 0)
        memmove(copies->items, copies->items + done, copies->count * sizeof copies->items[0]);
}

void sim_copy_wait(unsigned groups_left)
{
    wait(&sim_current()->async, groups_left);
}

void sim_bulk_keep(void *to, const void *from, size_t bytes)
{
    keep(&sim_current()->bulk, to, from, bytes);
}

void sim_bulk_commit(void)
{
    sim_current()->bulk.group++;
}

void sim_bulk_wait(unsigned groups_left)
{
    wait(&sim_current()->bulk, groups_left);
}

void sim_bulk_end(void)
{
    if (sim_current()->bulk.count > 0)
        sim_stop((struct sim_place){"some line", 0}, "ends before its copies by cp.async.bulk are done");
}

static void drop(struct sim_copies *copies)
{
    free(copies->items);
    *copies = (struct sim_copies){NULL, 0, 0};
}

void sim_copy_drop(unsigned thread)
{
    drop(&sim_block.threads[thread].async);
    drop(&sim_block.threads[thread].bulk);
}
