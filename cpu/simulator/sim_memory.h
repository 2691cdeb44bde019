/* The simulated GPU's memory: each block of it ends where a page begins that may not be touched. */
#ifndef RUNGBENCH_SIM_MEMORY_H
#define RUNGBENCH_SIM_MEMORY_H

#include <stddef.h>

/* `bytes` of memory, at an address that is a multiple of `alignment`, a power of two up to 4096. With 1, the very next
 * byte is out of bounds; else up to alignment - 1 bytes lie between, which AddressSanitizer, if it is there, knows to
 * be out of bounds too, as it does those before the first byte. NULL, or what went wrong, valid until the next call. */
const char *sim_memory_allocate(size_t bytes, size_t alignment, void **memory);
void sim_memory_release(void *memory);

/* Where an address lies: "8 bytes behind a buffer of 1200 bytes". */
void sim_memory_describe(const void *address, char *text, size_t size);

#endif
