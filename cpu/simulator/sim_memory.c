#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "sim_memory.h"

#include "sim_sanitizer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* On either side; takes address space, but no memory. */
static const size_t guard_bytes = (size_t)64 << 20;

struct piece {
    struct piece *next;
    char *mapping;
    size_t mapping_bytes;
    char *data;
    size_t bytes;
};

static struct piece *pieces;

static const char *cannot(size_t bytes)
{
    static char error[96];
    snprintf(error, sizeof error, "cannot allocate %zu bytes of the simulator's memory", bytes);
    return error;
}

const char *sim_memory_allocate(size_t bytes, size_t alignment, void **memory)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t pages = (bytes + page - 1) / page * page;
    if (pages < bytes || SIZE_MAX - pages < 2 * guard_bytes)
        return cannot(bytes);
    struct piece *piece = malloc(sizeof *piece);
    if (!piece)
        return cannot(bytes);
    piece->mapping_bytes = pages + 2 * guard_bytes;
    piece->mapping = mmap(NULL, piece->mapping_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (piece->mapping == MAP_FAILED) {
        free(piece);
        return cannot(bytes);
    }
    char *first = piece->mapping + guard_bytes;
    if (pages > 0 && mprotect(first, pages, PROT_READ | PROT_WRITE) != 0) {
        (void)munmap(piece->mapping, piece->mapping_bytes);
        free(piece);
        return cannot(bytes);
    }
    size_t before = (pages - bytes) & ~(alignment - 1);
    piece->data = first + before;
    piece->bytes = bytes;
    sim_sanitizer_forbid(first, before);
    sim_sanitizer_forbid(piece->data + bytes, pages - before - bytes);
    piece->next = pieces;
    pieces = piece;
    *memory = piece->data;
    return NULL;
}

void sim_memory_release(void *memory)
{
    struct piece **link = &pieces;
    while (*link && (*link)->data != memory)
        link = &(*link)->next;
    struct piece *piece = *link;
    if (!piece)
        return;
    *link = piece->next;
    sim_sanitizer_allow(piece->mapping, piece->mapping_bytes); /* these addresses may be used again by others */
    (void)munmap(piece->mapping, piece->mapping_bytes);
    free(piece);
}

void sim_memory_describe(const void *address, char *text, size_t size)
{
    uintptr_t at = (uintptr_t)address;
    for (const struct piece *piece = pieces; piece; piece = piece->next) {
        uintptr_t data = (uintptr_t)piece->data, end = data + piece->bytes;
        if (at < (uintptr_t)piece->mapping || at >= (uintptr_t)piece->mapping + piece->mapping_bytes)
            continue;
        if (at < data)
            snprintf(text, size, "%zu bytes before a buffer of %zu bytes", (size_t)(data - at), piece->bytes);
        else if (at >= end)
            snprintf(text, size, "%zu bytes behind the end of a buffer of %zu bytes", (size_t)(at - end), piece->bytes);
        else
            snprintf(text, size, "at byte %zu of a buffer of %zu bytes", (size_t)(at - data), piece->bytes);
        return;
    }
    snprintf(text, size, "in no buffer, or at an address that is no multiple of the access's size");
}
