#include "sim_copy.h"

#include "bench/base/memory.h"
#include "sim_access.h"
#include "sim_order.h"

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

void sim_copy_keep(enum sim_copying how, void *to, const void *from, size_t bytes)
{
    struct sim_copies *copies = &sim_current()->copies[how];
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
    sim_access_touch(place, "copy_async", to, bytes, true);
    if (from)
        sim_access_touch(place, "copy_async", from, bytes, false);
    sim_copy_keep(SIM_ASYNC, to, from, bytes);
}

void sim_copy_commit(enum sim_copying how)
{
    sim_current()->copies[how].group++;
}

void sim_copy_wait(enum sim_copying how, unsigned groups_left)
{
    struct sim_copies *copies = &sim_current()->copies[how];
    size_t done = 0;
    while (done < copies->count && copies->items[done].group + groups_left < copies->group)
        arrive(&copies->items[done++]);
    copies->count -= done;
    if (copies->count > 0)
        memmove(copies->items, copies->items + done, copies->count * sizeof copies->items[0]);
}

void sim_bulk_end(void)
{
    if (sim_current()->copies[SIM_BULK].count > 0)
        sim_stop((struct sim_place){"some line", 0}, "ends before its copies by cp.async.bulk are done");
}

void sim_copy_drop(unsigned thread)
{
    for (int how = 0; how < SIM_COPYINGS; how++) {
        struct sim_copies *copies = &sim_block.threads[thread].copies[how];
        free(copies->items);
        *copies = (struct sim_copies){NULL, 0, 0};
    }
}
