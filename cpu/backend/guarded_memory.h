/* Host memory between pages that may not be touched: an access outside of it faults. */
#pragma once

#include "bench/table/backend.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns NULL, or what went wrong, valid until the next call. With EDGE_START the piece begins with a page; with
 * EDGE_END it ends where a page ends, or up to alignment - 1 bytes before, since its address is a multiple of
 * `alignment`, a power of two up to 4096. The rest of its pages may be touched. Pieces of one `owner`, any address, can
 * be protected together. */
const char *guarded_memory_allocate(const void *owner, size_t bytes, enum edge edge, size_t alignment, void **memory);
/* The size of its pages, whichever the edge. */
size_t guarded_memory_page(enum edge edge);
void guarded_memory_release(void *memory);
size_t guarded_memory_held(void); /* bytes of all pieces */

/* Lets the process touch a piece, or all pieces of an owner, or makes each access fault. */
void guarded_memory_protect(const void *which, bool accessible);

/* Makes writes to a piece fault, or not: from now on, and whenever it may be touched. */
void guarded_memory_freeze(void *memory, bool read_only);

/* The piece whose pages, or guards, an address lies in. */
bool guarded_memory_around(const void *address, const char **data, size_t *bytes);

/* Where an address lies: "8 bytes past the end of a buffer of 1200 bytes". False: near no piece. May be called by a
 * handler of signals. */
bool guarded_memory_describe(const void *address, char *text, size_t size);
