#include "sim_proxy.h"

#include "bench/base/memory.h"
#include "sim_shared.h"
#include "sim_thread.h"

#include <stdlib.h>

enum { GRANULE = 4 };

/* Writes to shared memory that bulk copies and wgmma have to be ordered with. */
static struct {
    const void *kernel;
    const void **kernels; /* those that were found to start such things */
    size_t count;
    struct mark {
        uint32_t serial; /* of the block; another one: nobody has written */
        uint32_t clock, thread;
    } * marks; /* of each granule of the shared memory */
    size_t granules;
    uint32_t clock; /* counts fences */
} proxy;

bool sim_proxy_traces;

void sim_proxy_enter(const void *kernel)
{
    proxy.kernel = kernel;
    sim_proxy_traces = false;
    for (size_t i = 0; i < proxy.count; i++)
        sim_proxy_traces = sim_proxy_traces || proxy.kernels[i] == kernel;
}

static void trace(void)
{
    if (sim_proxy_traces)
        return;
    proxy.kernels = memory_grow(proxy.kernels, proxy.count, sizeof *proxy.kernels);
    proxy.kernels[proxy.count++] = proxy.kernel;
    sim_proxy_traces = true;
}

/* NULL: it is not in the block's shared memory. */
static struct mark *mark_of(const void *memory)
{
    const size_t offset = (uintptr_t)memory - sim_shared.region.start, bytes = sim_shared.region.bytes;
    if (offset >= bytes)
        return NULL;
    if (proxy.granules < bytes / GRANULE + 1) {
        free(proxy.marks);
        proxy.granules = bytes / GRANULE + 1;
        proxy.marks = memory_have(calloc(proxy.granules, sizeof *proxy.marks));
    }
    return &proxy.marks[offset / GRANULE];
}

void sim_proxy_note(const void *memory, size_t bytes)
{
    struct mark *mark = mark_of(memory);
    for (size_t i = 0; mark && i * GRANULE < bytes; i++)
        mark[i] = (struct mark){(uint32_t)sim_block.serial, proxy.clock, sim_block.current};
}

void sim_proxy_fence(void)
{
    sim_current()->fenced = ++proxy.clock;
}

unsigned sim_proxy_unfenced(const void *memory, size_t bytes)
{
    const struct mark *mark = mark_of(memory);
    trace();
    for (size_t i = 0; mark && i * GRANULE < bytes; i++)
        if (mark[i].serial == (uint32_t)sim_block.serial && sim_block.threads[mark[i].thread].fenced <= mark[i].clock &&
            sim_current()->fenced <= mark[i].clock)
            return mark[i].thread;
    return SIM_THREADS_MAX;
}
