#include "sim_proxy.h"

#include "bench/base/memory.h"
#include "sim_shared.h"
#include "sim_thread.h"

#include <pthread.h>
#include <stdlib.h>

enum { GRANULE = 4 };

/* Kernels that were found to start bulk copies or wgmma: by all threads of the host. */
static struct {
    pthread_mutex_t lock;
    const void **kernels;
    size_t count;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Writes to shared memory that these have to be ordered with. */
static SIM_OWN struct {
    const void *kernel;
    struct mark {
        uint32_t serial; /* of the block; another one: nobody has written */
        uint32_t clock, thread;
    } * marks; /* of each granule of the shared memory */
    size_t granules;
    uint32_t clock; /* counts fences */
} proxy;

SIM_OWN bool sim_proxy_traces;

void sim_proxy_look(void)
{
    (void)pthread_mutex_lock(&known.lock);
    for (size_t i = 0; i < known.count; i++)
        sim_proxy_traces = sim_proxy_traces || known.kernels[i] == proxy.kernel;
    (void)pthread_mutex_unlock(&known.lock);
}

void sim_proxy_enter(const void *kernel)
{
    proxy.kernel = kernel;
    sim_proxy_traces = false;
    sim_proxy_look();
}

static void trace(void)
{
    if (sim_proxy_traces)
        return;
    (void)pthread_mutex_lock(&known.lock);
    known.kernels = memory_grow(known.kernels, known.count, sizeof *known.kernels);
    known.kernels[known.count++] = proxy.kernel;
    (void)pthread_mutex_unlock(&known.lock);
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
