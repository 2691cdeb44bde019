/* Memory on the GPU for problems, pinned memory on the host, and emptying caches.
 *
 * The address of a buffer decides how far its lines are from the multiprocessors that use them. For kernels that wait
 * for memory this makes a few per cent. The addresses that cudaMalloc() returns depend on earlier calls, and so on the
 * order of rows. So problems get their memory from one region, which is allocated first of all and filled from its
 * start: a row has the same addresses in every process. What does not fit gets memory of its own. So does everything in
 * a run that times nothing, because tools that check accesses (compute-sanitizer) know only what cudaMalloc() returned.
 */
#include "cuda_parts.h"

enum { ALIGNMENT = 256 };
static const size_t region_bytes = (size_t)1 << 30;

static struct {
    char *start; /* NULL: there is none */
    size_t used;
    size_t last;   /* where the latest block starts, unless it was released */
    size_t blocks; /* in use */
} region;

/* What is read, or written, to empty the caches: so many times the size of the L2 cache, and at least so many bytes. */
enum { EVICT_TIMES_L2 = 4, EVICT_BYTES_MIN = 64 << 20 };
static struct {
    void *memory;
    size_t bytes;
} evicting;

/* Without room for the region there is none; that is no error. */
void cuda_open_memory(bool plain)
{
    void *start;
    cuda_open_guarded();
    region.start = NULL;
    region.used = region.last = region.blocks = 0;
    if (!plain && !cuda_check(cudaMalloc(&start, region_bytes), "cudaMalloc of the region for problems"))
        region.start = start;
}

void cuda_close_memory(void)
{
    cuda_close_guarded();
    if (evicting.memory)
        (void)cudaFree(evicting.memory);
    evicting.memory = NULL;
    if (region.start)
        (void)cudaFree(region.start);
    region.start = NULL;
}

size_t cuda_free_memory(void)
{
    size_t available = 0, total;
    size_t in_region = region.start ? region_bytes - region.used : 0;
    if (cuda_check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo"))
        available = 0;
    return available > in_region ? available : in_region; /* a block does not span both */
}

/* What is in use of the pool that cudaMallocAsync() takes memory from, less the pages that the pool has. */
static int64_t used_of_pool(void)
{
    cudaMemPool_t pool;
    uint64_t used = 0, reserved = 0;
    if (cudaDeviceGetDefaultMemPool(&pool, cuda.device) != cudaSuccess ||
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) != cudaSuccess ||
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved) != cudaSuccess) {
        (void)cudaGetLastError(); /* not every GPU has one */
        return 0;
    }
    return (int64_t)used - (int64_t)reserved;
}

/* Of all processes: CUDA does not say which pages are whose. */
size_t cuda_held_memory(void)
{
    size_t available = 0, total = 0;
    if (cuda_check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo"))
        return 0;
    return (size_t)((int64_t)(total - available) + used_of_pool());
}

/* cudaMalloc() aligns to 256 bytes at least. */
const char *cuda_allocate(size_t bytes, enum edge edge, void **memory)
{
    if (cuda_guard_page(edge) > 0)
        return cuda_guarded_allocate(bytes, edge, memory);
    if (!region.start || bytes > region_bytes - region.used)
        return cuda_check(cudaMalloc(memory, bytes), "cudaMalloc of %zu bytes", bytes);
    *memory = region.start + region.used;
    region.last = region.used;
    region.used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (region.used > region_bytes)
        region.used = region_bytes;
    region.blocks++;
    return NULL;
}

/* The room of a block is used again if it was the latest one, or when all are released. A failure stays CUDA's last
 * error, which finish() reports. */
void cuda_release(void *memory)
{
    char *block = memory;
    if (cuda_guarded_release(memory))
        return;
    if (!region.start || block < region.start || block >= region.start + region_bytes) {
        (void)cudaFree(memory);
        return;
    }
    region.blocks--;
    if (region.blocks == 0)
        region.used = region.last = 0;
    else if (block == region.start + region.last)
        region.used = region.last;
}

const char *cuda_pin(void *host, size_t bytes)
{
    return cuda_check(cudaHostRegister(host, bytes, cudaHostRegisterDefault), "cudaHostRegister of %zu bytes", bytes);
}

void cuda_unpin(void *host)
{
    (void)cudaHostUnregister(host); /* as in release() */
}

const char *cuda_open_evict(void)
{
    evicting.bytes = cuda.l2_bytes * EVICT_TIMES_L2;
    if (evicting.bytes < EVICT_BYTES_MIN)
        evicting.bytes = EVICT_BYTES_MIN;
    TRY(cudaMalloc(&evicting.memory, evicting.bytes), "cudaMalloc of %zu bytes to empty the caches with",
        evicting.bytes);
    return cuda_fill(evicting.memory, evicting.bytes, &(struct made){.kind = MADE_POSITIVE});
}

const char *cuda_evict(const struct span *spans, size_t count, bool by_writing)
{
    (void)spans, (void)count;
    if (by_writing) /* zeros, because cuda_queue_read() expects no top bit set */
        return cuda_check(cudaMemsetAsync(evicting.memory, 0, evicting.bytes, cuda.stream), "fill of %zu bytes",
                          evicting.bytes);
    return cuda_queue_read(CUDA_SWEEP_OF_MUCH, evicting.memory, evicting.bytes);
}
