/* The memory of the simulated GPU. Each buffer ends at a guard page, which may not be touched. */
#pragma once

#include <stddef.h>

/* Returns NULL, or what went wrong, valid until the next call. The address is a multiple of `alignment`, a power of two
 * up to 4096. With 1, the guard page follows directly; else up to alignment - 1 bytes lie between. In a build with
 * AddressSanitizer these bytes are out of bounds, too, and so are those before the buffer. */
const char *sim_memory_allocate(size_t bytes, size_t alignment, void **memory);
void sim_memory_release(void *memory);

/* Where an address lies: "8 bytes behind the end of a buffer of 1200 bytes". */
void sim_memory_describe(const void *address, char *text, size_t size);
