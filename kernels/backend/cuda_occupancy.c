#include "cuda_occupancy.h"

/* Of several the first one counts: where no more threads can be, nothing else matters. */
static const char *limit_of(const cudaOccResult *result)
{
    const struct {
        int blocks;
        const char *name;
    } limits[] = {
        {result->blockLimitWarps, "threads"},           {result->blockLimitRegs, "registers"},
        {result->blockLimitSharedMem, "shared memory"}, {result->blockLimitBlocks, "blocks"},
        {result->blockLimitBarriers, "barriers"},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].blocks == result->activeBlocksPerMultiprocessor)
            return limits[i].name;
    return "";
}

bool cuda_occupancy(const cudaOccDeviceProp *device, const struct cuda_block *block, struct cuda_occupancy *occupancy)
{
    cudaOccFuncAttributes function = {
        .maxThreadsPerBlock = device->maxThreadsPerBlock,
        .numRegs = block->registers,
        .sharedSizeBytes = block->static_shared_bytes,
        .partitionedGCConfig = PARTITIONED_GC_OFF,
        .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
        .maxDynamicSharedSizeBytes = block->dynamic_shared_bytes,
        .numBlockBarriers = block->barriers,
    };
    cudaOccDeviceState state = {.cacheConfig = CACHE_PREFER_NONE, .carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    cudaOccResult result = {.activeBlocksPerMultiprocessor = 0}; /* stays 0 if a block asks for too much */
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, device, &function, &state, block->threads,
                                                block->dynamic_shared_bytes) == CUDA_OCC_ERROR_UNKNOWN_DEVICE)
        return false;
    int warps = (block->threads + device->warpSize - 1) / device->warpSize;
    *occupancy = (struct cuda_occupancy){
        .blocks = result.activeBlocksPerMultiprocessor,
        .pct = 100.0 * result.activeBlocksPerMultiprocessor * warps /
               (device->maxThreadsPerMultiprocessor / device->warpSize),
        .limit = limit_of(&result),
    };
    return true;
}
