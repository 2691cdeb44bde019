#include "sim_workspace.h"

#include "cpu/backend/guarded_memory.h"
#include "sim_device.h"

const char *sim_workspace_allocate(size_t bytes, void **memory)
{
    return sim_device_allocate(bytes, EDGE_END, memory);
}

void sim_workspace_release(void *memory)
{
    guarded_memory_release(memory);
}
