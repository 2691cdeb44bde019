/* The shared memory of simulated blocks, which ends at a page that may not be touched. */
#pragma once

#include <stddef.h>

/* Returns NULL, or what went wrong, valid until the next call. The address is a multiple of `alignment`, a power of two
 * up to 4096. With 1, the page follows directly; else up to alignment - 1 bytes lie between. In a build with
 * AddressSanitizer these bytes are out of bounds, too, and so are those before the memory. */
const char *sim_memory_allocate(size_t bytes, size_t alignment, void **memory);
void sim_memory_release(void *memory, size_t bytes);
