/* Memory on the GPU for problems, pinned memory on the host, and emptying caches.
 *
 * The address of a buffer decides how far its lines are from the multiprocessors that use them. For kernels that wait
 * for memory this makes a few per cent. The addresses that cudaMalloc() returns depend on earlier calls, and so on the
 * order of rows. So problems get their memory from one region, which is allocated first of all and filled from its
 * start: a row has the same addresses in every process. What does not fit gets memory of its own. So does everything in
 * a run that times nothing, because tools that check accesses (compute-sanitizer) know only what cudaMalloc() returned.
 *
 * Guarded blocks lie between addresses where no memory is, so that a kernel's access outside of them fails. They are
 * made by the driver (CUDA Driver API, "Virtual Memory Management"). A page has megabytes, so blocks that were released
 * are used again. */
#include "cuda_parts.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

static const size_t region_bytes = (size_t)1 << 30;
static struct cuda_region region;

/* What is read, or written, to empty the caches: so many times the size of the L2 cache, and at least so many bytes. */
enum { EVICT_TIMES_L2 = 4, EVICT_BYTES_MIN = 64 << 20 };

/* Addresses that are taken on either side; no memory. */
static const size_t guard_bytes = (size_t)64 << 20;
/* Larger blocks are not kept for those that follow. */
static const size_t kept_bytes = (size_t)16 << 20;

struct piece {
    struct piece *next;
    CUdeviceptr reserved, first; /* of all addresses, and of those with memory */
    size_t bytes;                /* of memory: whole pages */
    CUmemGenericAllocationHandle handle;
    char *block; /* NULL: released */
};

static struct {
    size_t page; /* 0: not supported */
    CUmemAllocationProp properties;
    struct piece *pieces;
} guarded;

static void open_guarded(void)
{
    guarded.properties = (CUmemAllocationProp){
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = cuda->device},
    };
    if (!CUDA_DRIVER(cuMemSetAccess) || /* all of them came with CUDA 10.2 */
        CUDA_DRIVER(cuMemGetAllocationGranularity)(&guarded.page, &guarded.properties,
                                                   CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS)
        guarded.page = 0;
}

size_t cuda_guard_page(enum edge edge)
{
    return edge == EDGE_ANY ? 0 : guarded.page;
}

static bool allow(const struct piece *piece, CUmemAccess_flags access)
{
    CUmemAccessDesc description = {.location = guarded.properties.location, .flags = access};
    return CUDA_DRIVER(cuMemSetAccess)(piece->first, piece->bytes, &description, 1) == CUDA_SUCCESS;
}

static bool map(struct piece *piece)
{
    size_t reserved = piece->bytes + 2 * guard_bytes;
    if (CUDA_DRIVER(cuMemAddressReserve)(&piece->reserved, reserved, 0, 0, 0) != CUDA_SUCCESS)
        return false;
    piece->first = piece->reserved + guard_bytes;
    if (CUDA_DRIVER(cuMemCreate)(&piece->handle, piece->bytes, &guarded.properties, 0) == CUDA_SUCCESS) {
        if (CUDA_DRIVER(cuMemMap)(piece->first, piece->bytes, 0, piece->handle, 0) == CUDA_SUCCESS) {
            if (allow(piece, CU_MEM_ACCESS_FLAGS_PROT_READWRITE))
                return true;
            (void)CUDA_DRIVER(cuMemUnmap)(piece->first, piece->bytes);
        }
        (void)CUDA_DRIVER(cuMemRelease)(piece->handle);
    }
    (void)CUDA_DRIVER(cuMemAddressFree)(piece->reserved, reserved);
    return false;
}

static void unmap(const struct piece *piece)
{
    (void)CUDA_DRIVER(cuMemUnmap)(piece->first, piece->bytes);
    (void)CUDA_DRIVER(cuMemRelease)(piece->handle);
    (void)CUDA_DRIVER(cuMemAddressFree)(piece->reserved, piece->bytes + 2 * guard_bytes);
}

static struct piece *find_free(size_t bytes)
{
    for (struct piece *piece = guarded.pieces; piece; piece = piece->next)
        if (!piece->block && piece->bytes == bytes)
            return piece;
    return NULL;
}

/* Blocks of other sizes that were released may hold the memory that is lacking. */
static void drop_free(void)
{
    for (struct piece **link = &guarded.pieces; *link;) {
        struct piece *piece = *link;
        if (piece->block) {
            link = &piece->next;
            continue;
        }
        *link = piece->next;
        unmap(piece);
        free(piece);
    }
}

static struct piece *make(size_t bytes)
{
    struct piece *piece = calloc(1, sizeof *piece);
    if (!piece)
        return NULL;
    piece->bytes = bytes;
    if (!map(piece)) {
        free(piece);
        return NULL;
    }
    piece->next = guarded.pieces;
    guarded.pieces = piece;
    return piece;
}

static const char *allocate_guarded(size_t bytes, enum edge edge, void **memory)
{
    static char text[96];
    size_t whole = (bytes + guarded.page - 1) / guarded.page * guarded.page;
    struct piece *piece = find_free(whole);
    piece = piece ? piece : make(whole);
    if (!piece) {
        drop_free();
        piece = make(whole);
    }
    if (!piece) {
        snprintf(text, sizeof text, "no GPU memory for %zu bytes between guards", bytes);
        return text;
    }
    size_t before = edge == EDGE_END ? whole - bytes : 0;
    piece->block = (char *)(uintptr_t)(piece->first + before); // NOLINT(performance-no-int-to-ptr): the driver's type
    *memory = piece->block;
    return NULL;
}

static struct piece **find(const void *memory)
{
    struct piece **link = &guarded.pieces;
    while (*link && (*link)->block != memory)
        link = &(*link)->next;
    return link;
}

static bool release_guarded(void *memory)
{
    struct piece **link = find(memory), *piece = *link;
    if (!piece)
        return false;
    piece->block = NULL;
    if (piece->bytes > kept_bytes) {
        *link = piece->next;
        unmap(piece);
        free(piece);
    }
    return true;
}

/* Where the driver cannot, writes stay possible, and are found when inputs are compared. */
void cuda_freeze(void *memory, bool read_only)
{
    const struct piece *piece = *find(memory);
    if (piece)
        (void)allow(piece, read_only ? CU_MEM_ACCESS_FLAGS_PROT_READ : CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
}

static void close_guarded(void)
{
    for (struct piece *piece = guarded.pieces; piece; piece = piece->next)
        piece->block = NULL;
    drop_free();
}

/* Without room for the region there is none; that is no error. */
void cuda_open_memory(bool plain)
{
    void *start;
    open_guarded();
    region = (struct cuda_region){.bytes = region_bytes};
    if (!plain && !cuda_check(cudaMalloc(&start, region_bytes), "cudaMalloc of the region for problems"))
        region.start = start;
}

void cuda_close_memory(void)
{
    close_guarded();
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
    if (cudaDeviceGetDefaultMemPool(&pool, cuda->device) != cudaSuccess ||
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
        return allocate_guarded(bytes, edge, memory);
    *memory = cuda_region_take(&region, bytes);
    return *memory ? NULL : cuda_check(cudaMalloc(memory, bytes), "cudaMalloc of %zu bytes", bytes);
}

/* A failure stays CUDA's last error, which finish() reports. */
void cuda_release(void *memory)
{
    const char *block = memory;
    if (release_guarded(memory))
        return;
    if (region.start && block >= region.start && block < region.start + region.bytes)
        cuda_region_give(&region, block);
    else
        (void)cudaFree(memory);
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
    cuda->evicting.bytes = cuda->l2_bytes * EVICT_TIMES_L2;
    if (cuda->evicting.bytes < EVICT_BYTES_MIN)
        cuda->evicting.bytes = EVICT_BYTES_MIN;
    TRY(cudaMalloc(&cuda->evicting.start, cuda->evicting.bytes), "cudaMalloc of %zu bytes to empty the caches with",
        cuda->evicting.bytes);
    return cuda_fill(cuda->evicting.start, cuda->evicting.bytes, &(struct made){.kind = MADE_POSITIVE});
}

const char *cuda_evict(const struct span *spans, size_t count, bool by_writing)
{
    (void)spans, (void)count;
    if (by_writing) /* zeros, because cuda_queue_read() expects no top bit set */
        return cuda_check(cudaMemsetAsync(cuda->evicting.start, 0, cuda->evicting.bytes, cuda->stream),
                          "fill of %zu bytes", cuda->evicting.bytes);
    return cuda_queue_read(CUDA_SWEEP_OF_MUCH, cuda->evicting.start, cuda->evicting.bytes);
}
