#include "sim_shared.h"

#include "sim_memory.h"
#include "sim_order.h"
#include "sim_thread.h"

#include <string.h>

enum { DYNAMIC_ALIGNMENT = 16 }; /* the widest access */

void *sim_shared_here(struct sim_shared *shared)
{
    if (shared->serial == sim_block.serial)
        return shared->memory;
    const char *trouble =
        shared->memory ? NULL : sim_memory_allocate(shared->bytes, shared->alignment, &shared->memory);
    if (trouble)
        sim_stop(sim_current()->place, "%s", trouble);
    memset(shared->memory, sim_order.poison, shared->bytes);
    shared->serial = sim_block.serial;
    return shared->memory;
}

void *sim_dynamic_shared(void)
{
    static struct sim_shared dynamic = {.name = "dynamic shared memory", .alignment = DYNAMIC_ALIGNMENT};
    size_t bytes = sim_block.launch->dynamic_shared_bytes;
    if (dynamic.memory && dynamic.bytes != bytes) { /* not so much as a byte too many */
        sim_memory_release(dynamic.memory);
        dynamic.memory = NULL;
    }
    dynamic.bytes = bytes;
    return sim_shared_here(&dynamic);
}
