#include "sim_memory.h"

#include "cpu/backend/guarded_memory.h"
#include "sim_sanitizer.h"

#include <stdint.h>
#include <unistd.h>

/* The rest of its pages, before and behind it. */
static void mark_rest(void *memory, size_t bytes, void (*mark)(const void *start, size_t bytes))
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)memory % page;
    char *data = memory, *end = data + bytes;
    mark(data - before, before);
    mark(end, (page - (uintptr_t)end % page) % page);
}

const char *sim_memory_allocate(size_t bytes, size_t alignment, void **memory)
{
    static const char owner;
    const char *error = guarded_memory_allocate(&owner, bytes, EDGE_END, alignment, memory);
    if (!error)
        mark_rest(*memory, bytes, sim_sanitizer_forbid);
    return error;
}

void sim_memory_release(void *memory, size_t bytes)
{
    mark_rest(memory, bytes, sim_sanitizer_allow); /* these addresses may be used again by others */
    guarded_memory_release(memory);
}
