#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "guarded_memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Takes address space on either side, but no memory. */
static const size_t guard_bytes = (size_t)64 << 20;
/* Pieces of this size and more start with a huge page, as far as the system has those. */
static const size_t huge_page = (size_t)2 << 20;

struct piece {
    struct piece *next;
    const void *owner;
    char *mapping;
    size_t mapping_bytes;
    char *first; /* of the pages that may be touched */
    size_t page_bytes;
    char *data;
    size_t bytes;
    bool accessible, read_only;
};

static struct piece *pieces;

static const char *cannot(size_t bytes)
{
    static char error[96];
    snprintf(error, sizeof error, "cannot allocate %zu bytes of host memory", bytes);
    return error;
}

static size_t round_up(size_t number, size_t step)
{
    return (number + step - 1) / step * step;
}

/* Maps the pages of a piece between its guards. They alone have MAP_NORESERVE: a piece may be larger than memory, and
 * the kernel does not merge pages of other flags with the guards, which it would have to split again. */
static bool map(struct piece *piece)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), step = piece->bytes >= huge_page ? huge_page : page;
    if (piece->bytes > SIZE_MAX - 2 * guard_bytes - 2 * huge_page)
        return false;
    piece->page_bytes = round_up(piece->bytes, page);
    piece->mapping_bytes = piece->page_bytes + 2 * guard_bytes + step;
    piece->mapping = mmap(NULL, piece->mapping_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece->mapping == MAP_FAILED)
        return false;
    piece->first = piece->mapping + round_up((uintptr_t)piece->mapping + guard_bytes, step) - (uintptr_t)piece->mapping;
    if (piece->page_bytes == 0 || mmap(piece->first, piece->page_bytes, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED)
        return true;
    (void)munmap(piece->mapping, piece->mapping_bytes);
    return false;
}

size_t guarded_memory_page(enum edge edge)
{
    (void)edge;
    return (size_t)sysconf(_SC_PAGESIZE);
}

const char *guarded_memory_allocate(const void *owner, size_t bytes, enum edge edge, size_t alignment, void **memory)
{
    struct piece *piece = malloc(sizeof *piece);
    if (!piece)
        return cannot(bytes);
    *piece = (struct piece){.next = pieces, .owner = owner, .bytes = bytes, .accessible = true};
    if (!map(piece)) {
        free(piece);
        return cannot(bytes);
    }
    piece->data = piece->first + (edge == EDGE_END ? (piece->page_bytes - bytes) & ~(alignment - 1) : 0);
    pieces = piece;
    *memory = piece->data;
    return NULL;
}

void guarded_memory_release(void *memory)
{
    struct piece **link = &pieces;
    while (*link && (*link)->data != memory)
        link = &(*link)->next;
    struct piece *piece = *link;
    if (!piece)
        return;
    *link = piece->next;
    (void)munmap(piece->mapping, piece->mapping_bytes);
    free(piece);
}

size_t guarded_memory_held(void)
{
    size_t held = 0;
    for (const struct piece *piece = pieces; piece; piece = piece->next)
        held += piece->bytes;
    return held;
}

static void set_access(const struct piece *piece)
{
    int access = !piece->accessible ? PROT_NONE : piece->read_only ? PROT_READ : PROT_READ | PROT_WRITE;
    if (piece->page_bytes > 0)
        (void)mprotect(piece->first, piece->page_bytes, access);
}

void guarded_memory_protect(const void *which, bool accessible)
{
    for (struct piece *piece = pieces; piece; piece = piece->next) {
        if (piece->data != which && piece->owner != which)
            continue;
        piece->accessible = accessible;
        set_access(piece);
    }
}

void guarded_memory_freeze(void *memory, bool read_only)
{
    struct piece *piece = pieces;
    while (piece && piece->data != memory)
        piece = piece->next;
    if (!piece)
        return;
    piece->read_only = read_only;
    set_access(piece);
}

/* NULL: near no piece. */
static const struct piece *piece_around(const void *address)
{
    const struct piece *piece = pieces;
    while (piece && (uintptr_t)address - (uintptr_t)piece->mapping >= piece->mapping_bytes)
        piece = piece->next;
    return piece;
}

bool guarded_memory_around(const void *address, const char **data, size_t *bytes)
{
    const struct piece *piece = piece_around(address);
    if (!piece)
        return false;
    *data = piece->data;
    *bytes = piece->bytes;
    return true;
}

bool guarded_memory_describe(const void *address, char *text, size_t size)
{
    const uintptr_t at = (uintptr_t)address;
    const struct piece *piece = piece_around(address);
    if (!piece)
        return false;
    const uintptr_t data = (uintptr_t)piece->data, end = data + piece->bytes;
    if (at < data)
        snprintf(text, size, "%zu bytes before a buffer of %zu bytes", (size_t)(data - at), piece->bytes);
    else if (at >= end)
        snprintf(text, size, "%zu bytes past the end of a buffer of %zu bytes", (size_t)(at - end), piece->bytes);
    else
        snprintf(text, size, "at byte %zu of a%s buffer of %zu bytes", (size_t)(at - data),
                 piece->read_only ? " read-only" : "", piece->bytes);
    return true;
}
