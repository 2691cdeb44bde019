/* Memory on the GPU between addresses where none is, by the virtual memory management of CUDA's driver API (CUDA Driver
 * API, "Virtual Memory Management"). A page has megabytes, so blocks that were released are used again. */
#include "cuda_parts.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

/* Addresses that are taken on either side; no memory. */
static const size_t guard_bytes = (size_t)64 << 20;
/* Larger blocks are not kept for those that follow. */
static const size_t kept_bytes = (size_t)16 << 20;

static struct {
    CUresult (*granularity)(size_t *, const CUmemAllocationProp *, CUmemAllocationGranularity_flags);
    CUresult (*reserve)(CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long);
    CUresult (*unreserve)(CUdeviceptr, size_t);
    CUresult (*create)(CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *, unsigned long long);
    CUresult (*destroy)(CUmemGenericAllocationHandle);
    CUresult (*map)(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long);
    CUresult (*unmap)(CUdeviceptr, size_t);
    CUresult (*set_access)(CUdeviceptr, size_t, const CUmemAccessDesc *, size_t);
} driver;

static const struct cuda_symbol symbols[] = {
    {"cuMemGetAllocationGranularity", &driver.granularity},
    {"cuMemAddressReserve", &driver.reserve},
    {"cuMemAddressFree", &driver.unreserve},
    {"cuMemCreate", &driver.create},
    {"cuMemRelease", &driver.destroy},
    {"cuMemMap", &driver.map},
    {"cuMemUnmap", &driver.unmap},
    {"cuMemSetAccess", &driver.set_access},
};

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

void cuda_open_guarded(void)
{
    guarded.properties = (CUmemAllocationProp){
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = cuda.device},
    };
    if (!cuda_find_in_driver(symbols, sizeof symbols / sizeof *symbols) ||
        driver.granularity(&guarded.page, &guarded.properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS)
        guarded.page = 0;
}

size_t cuda_guard_page(enum edge edge)
{
    return edge == EDGE_ANY ? 0 : guarded.page;
}

static bool allow(const struct piece *piece, CUmemAccess_flags access)
{
    CUmemAccessDesc description = {.location = guarded.properties.location, .flags = access};
    return driver.set_access(piece->first, piece->bytes, &description, 1) == CUDA_SUCCESS;
}

static bool map(struct piece *piece)
{
    size_t reserved = piece->bytes + 2 * guard_bytes;
    if (driver.reserve(&piece->reserved, reserved, 0, 0, 0) != CUDA_SUCCESS)
        return false;
    piece->first = piece->reserved + guard_bytes;
    if (driver.create(&piece->handle, piece->bytes, &guarded.properties, 0) == CUDA_SUCCESS) {
        if (driver.map(piece->first, piece->bytes, 0, piece->handle, 0) == CUDA_SUCCESS) {
            if (allow(piece, CU_MEM_ACCESS_FLAGS_PROT_READWRITE))
                return true;
            (void)driver.unmap(piece->first, piece->bytes);
        }
        (void)driver.destroy(piece->handle);
    }
    (void)driver.unreserve(piece->reserved, reserved);
    return false;
}

static void unmap(const struct piece *piece)
{
    (void)driver.unmap(piece->first, piece->bytes);
    (void)driver.destroy(piece->handle);
    (void)driver.unreserve(piece->reserved, piece->bytes + 2 * guard_bytes);
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

const char *cuda_guarded_allocate(size_t bytes, enum edge edge, void **memory)
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

bool cuda_guarded_release(void *memory)
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

void cuda_close_guarded(void)
{
    for (struct piece *piece = guarded.pieces; piece; piece = piece->next)
        piece->block = NULL;
    drop_free();
}
