#include "sim_shared.h"

#include "sim_memory.h"
#include "sim_order.h"
#include "sim_thread.h"
#include "sim_race.h"

#include <stdlib.h>

enum { DYNAMIC_ALIGNMENT = 16 }; /* the widest access */

/* Counts the bytes of the block that runs. */
static void take(size_t bytes, struct sim_place place)
{
    static uint64_t serial;
    static size_t taken;
    if (serial != sim_block.serial)
        taken = 0;
    serial = sim_block.serial;
    taken += bytes;
    if (taken > SIM_SHARED_BYTES_MAX)
        sim_stop(place, "the block uses %zu bytes of shared memory, expected at most %d", taken, SIM_SHARED_BYTES_MAX);
}

void *sim_shared_here(struct sim_shared *shared, struct sim_place place)
{
    if (shared->serial == sim_block.serial)
        return shared->memory;
    take(shared->bytes, place);
    const char *error = shared->memory ? NULL : sim_memory_allocate(shared->bytes, shared->alignment, &shared->memory);
    if (error)
        sim_stop(place, "%s", error);
    sim_order_poison(shared->memory, shared->bytes);
    sim_race_memory(shared->memory, shared->bytes);
    shared->serial = sim_block.serial;
    return shared->memory;
}

void *sim_dynamic_shared(struct sim_place place)
{
    static struct sim_shared dynamic = {.name = "dynamic shared memory", .alignment = DYNAMIC_ALIGNMENT};
    size_t bytes = sim_block.launch->dynamic_shared_bytes;
    if (dynamic.memory && dynamic.bytes != bytes) { /* the size must fit to the byte */
        sim_memory_release(dynamic.memory, dynamic.bytes);
        dynamic.memory = NULL;
    }
    dynamic.bytes = bytes;
    return sim_shared_here(&dynamic, place);
}

/* What kernels were allowed; kept until the program ends. */
static struct allowance {
    const void *kernel;
    size_t bytes;
    struct allowance *next;
} * allowances;

static struct allowance *find_allowance(const void *kernel)
{
    struct allowance *found = allowances;
    while (found && found->kernel != kernel)
        found = found->next;
    return found;
}

bool sim_dynamic_shared_allow(const void *kernel, size_t bytes)
{
    struct allowance *allowance = find_allowance(kernel);
    if (!allowance) {
        allowance = malloc(sizeof *allowance);
        if (!allowance)
            return false;
        *allowance = (struct allowance){.kernel = kernel, .next = allowances};
        allowances = allowance;
    }
    allowance->bytes = bytes;
    return true;
}

size_t sim_dynamic_shared_allowed(const void *kernel)
{
    const struct allowance *allowance = find_allowance(kernel);
    return allowance ? allowance->bytes : SIM_DYNAMIC_SHARED_BYTES;
}
