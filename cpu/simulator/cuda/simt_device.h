/* The simulated GPU, as programs ask for it (CUDA Runtime API, "Device Management", "Occupancy"): of compute capability
 * 9.0, since it has what those GPUs have. */
#pragma once

#include "simt_error.h"
#include "simt_launch.h"
#include "simt_math.h"
#include "simt_plain.h"

#include <cstdio>

#define CUDART_VERSION 12080

constexpr int SIM_SHARED_BYTES_OPTIN = SIM_SHARED_BYTES_MAX;

namespace simt
{
constexpr int threads_per_multiprocessor = 2048, blocks_per_multiprocessor = 32, reserved_shared_bytes = 1024;
constexpr int clock_khz = 1410000, memory_clock_khz = 1215000, l2_bytes = 4 << 20;
constexpr size_t memory_bytes = size_t{8} << 30;
} // namespace simt

/* X(name, number, value) */
#define SIMT_ATTRIBUTES(X)                                                                        \
    X(MaxThreadsPerBlock, 1, SIM_THREADS_MAX)                                                     \
    X(MaxBlockDimX, 2, 1024)                                                                      \
    X(MaxBlockDimY, 3, 1024)                                                                      \
    X(MaxBlockDimZ, 4, 64)                                                                        \
    X(MaxGridDimX, 5, 2147483647)                                                                 \
    X(MaxGridDimY, 6, 65535)                                                                      \
    X(MaxGridDimZ, 7, 65535)                                                                      \
    X(MaxSharedMemoryPerBlock, 8, SIM_DYNAMIC_SHARED_BYTES)                                       \
    X(TotalConstantMemory, 9, 65536)                                                              \
    X(WarpSize, 10, SIM_WARP)                                                                     \
    X(MaxPitch, 11, 2147483647)                                                                   \
    X(MaxRegistersPerBlock, 12, 65536)                                                            \
    X(ClockRate, 13, simt::clock_khz)                                                             \
    X(TextureAlignment, 14, 512)                                                                  \
    X(GpuOverlap, 15, 1)                                                                          \
    X(MultiProcessorCount, 16, sim_multiprocessors)                                               \
    X(KernelExecTimeout, 17, 0)                                                                   \
    X(Integrated, 18, 0)                                                                          \
    X(CanMapHostMemory, 19, 1)                                                                    \
    X(ComputeMode, 20, 0)                                                                         \
    X(ConcurrentKernels, 31, 1)                                                                   \
    X(EccEnabled, 32, 0)                                                                          \
    X(MemoryClockRate, 36, simt::memory_clock_khz)                                                \
    X(GlobalMemoryBusWidth, 37, 5120)                                                             \
    X(L2CacheSize, 38, simt::l2_bytes)                                                            \
    X(MaxThreadsPerMultiProcessor, 39, simt::threads_per_multiprocessor)                          \
    X(AsyncEngineCount, 40, 1)                                                                    \
    X(UnifiedAddressing, 41, 1)                                                                   \
    X(ComputeCapabilityMajor, 75, 9)                                                              \
    X(ComputeCapabilityMinor, 76, 0)                                                              \
    X(StreamPrioritiesSupported, 78, 1)                                                           \
    X(MaxSharedMemoryPerMultiprocessor, 81, SIM_SHARED_BYTES_OPTIN + simt::reserved_shared_bytes) \
    X(MaxRegistersPerMultiprocessor, 82, 65536)                                                   \
    X(ManagedMemory, 83, 1)                                                                       \
    X(ConcurrentManagedAccess, 89, 1)                                                             \
    X(CooperativeLaunch, 95, 1)                                                                   \
    X(MaxSharedMemoryPerBlockOptin, 97, SIM_SHARED_BYTES_OPTIN)                                   \
    X(MaxBlocksPerMultiprocessor, 106, simt::blocks_per_multiprocessor)                           \
    X(ReservedSharedMemoryPerBlock, 111, simt::reserved_shared_bytes)                             \
    X(MemoryPoolsSupported, 115, 1)

enum cudaDeviceAttr {
#define SIMT_ATTRIBUTE(name, number, value) cudaDevAttr##name = number,
    SIMT_ATTRIBUTES(SIMT_ATTRIBUTE)
#undef SIMT_ATTRIBUTE
};

inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    switch (attribute) {
#define SIMT_ATTRIBUTE(name, number, its_value) \
    case cudaDevAttr##name: *value = its_value; return cudaSuccess;
        SIMT_ATTRIBUTES(SIMT_ATTRIBUTE)
#undef SIMT_ATTRIBUTE
    }
    return simt::remember(cudaErrorInvalidValue, "cudaDeviceGetAttribute: this attribute is not known here");
}

enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited };

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
    int unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, concurrentManagedAccess, cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int maxBlocksPerMultiProcessor;
    size_t reservedSharedMemPerBlock;
};

inline cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

inline cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

SIMT_RETURNS(cudaError_t, cudaSetDevice, (int device),
             device == 0 ? cudaSuccess : simt::remember(cudaErrorInvalidDevice, nullptr))

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *found, int device)
{
    if (device != 0)
        return simt::remember(cudaErrorInvalidDevice, nullptr);
    *found = {};
    snprintf(found->name, sizeof found->name, "the simulator of rungbench");
    found->totalGlobalMem = simt::memory_bytes;
    found->sharedMemPerBlock = SIM_DYNAMIC_SHARED_BYTES;
    found->regsPerBlock = found->regsPerMultiprocessor = 65536;
    found->warpSize = SIM_WARP;
    found->memPitch = 2147483647;
    found->maxThreadsPerBlock = found->maxThreadsDim[0] = found->maxThreadsDim[1] = SIM_THREADS_MAX;
    found->maxThreadsDim[2] = 64;
    found->maxGridSize[0] = 2147483647;
    found->maxGridSize[1] = found->maxGridSize[2] = 65535;
    found->clockRate = simt::clock_khz;
    found->totalConstMem = 65536;
    found->major = 9;
    found->textureAlignment = 512;
    found->multiProcessorCount = sim_multiprocessors;
    found->deviceOverlap = found->canMapHostMemory = found->concurrentKernels = found->asyncEngineCount = 1;
    found->unifiedAddressing = found->managedMemory = found->concurrentManagedAccess = found->cooperativeLaunch = 1;
    found->streamPrioritiesSupported = found->globalL1CacheSupported = found->localL1CacheSupported = 1;
    found->memoryClockRate = simt::memory_clock_khz;
    found->memoryBusWidth = 5120;
    found->l2CacheSize = simt::l2_bytes;
    found->maxThreadsPerMultiProcessor = simt::threads_per_multiprocessor;
    found->sharedMemPerMultiprocessor = SIM_SHARED_BYTES_OPTIN + simt::reserved_shared_bytes;
    found->sharedMemPerBlockOptin = SIM_SHARED_BYTES_OPTIN;
    found->maxBlocksPerMultiProcessor = simt::blocks_per_multiprocessor;
    found->reservedSharedMemPerBlock = simt::reserved_shared_bytes;
    return cudaSuccess;
}

/* All that was asked for is done when a call returns. */
SIMT_RETURNS(cudaError_t, cudaDeviceSynchronize, (), simt::synchronized())
SIMT_RETURNS(cudaError_t, cudaDeviceReset, (), cudaSuccess)

inline cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    *available = *total = simt::memory_bytes;
    return cudaSuccess;
}

inline cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

inline cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

/* Wishes that change nothing here. */
enum cudaLimit {
    cudaLimitStackSize,
    cudaLimitPrintfFifoSize,
    cudaLimitMallocHeapSize,
    cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount,
    cudaLimitMaxL2FetchGranularity,
    cudaLimitPersistingL2CacheSize
};
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
enum { cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin = 1, cudaDeviceScheduleYield = 2, cudaDeviceMapHost = 8 };
enum { cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxL1 = 0, cudaSharedmemCarveoutMaxShared = 100 };

SIMT_RETURNS(cudaError_t, cudaDeviceSetLimit, (cudaLimit, size_t), cudaSuccess)
SIMT_RETURNS(cudaError_t, cudaDeviceSetCacheConfig, (cudaFuncCache), cudaSuccess)
SIMT_RETURNS(cudaError_t, cudaDeviceSetSharedMemConfig, (cudaSharedMemConfig), cudaSuccess)
SIMT_RETURNS(cudaError_t, cudaSetDeviceFlags, (unsigned), cudaSuccess)

template <typename F>
SIMT_RETURNS(cudaError_t, cudaFuncSetCacheConfig, (F *, cudaFuncCache), cudaSuccess)

template <typename F>
SIMT_RETURNS(cudaError_t, cudaFuncSetSharedMemConfig, (F *, cudaSharedMemConfig), cudaSuccess)

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 13
};

template <typename F>
cudaError_t cudaFuncSetAttribute(F *kernel, cudaFuncAttribute attribute, int value)
{
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return cudaSuccess;
    if (value < 0 || value > SIM_SHARED_BYTES_MAX)
        return simt::remember(cudaErrorInvalidValue, "cudaFuncSetAttribute: invalid value");
    sim_allow((const void *)kernel, (size_t)value);
    return cudaSuccess;
}

struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
};

template <typename F>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *found, F *)
{
    *found = {};
    found->maxThreadsPerBlock = SIM_THREADS_MAX;
    found->numRegs = 32;
    found->ptxVersion = found->binaryVersion = 90;
    found->maxDynamicSharedSizeBytes = SIM_DYNAMIC_SHARED_BYTES;
    found->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return cudaSuccess;
}

/* By threads and dynamic shared memory alone. */
template <typename F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *, int block_size, size_t dynamic_shared_bytes)
{
    if (block_size < 1 || block_size > SIM_THREADS_MAX)
        return simt::remember(cudaErrorInvalidValue,
                              "cudaOccupancyMaxActiveBlocksPerMultiprocessor: invalid block size");
    const int warps = (block_size + SIM_WARP - 1) / SIM_WARP;
    const size_t by_memory = (size_t)(SIM_SHARED_BYTES_OPTIN + simt::reserved_shared_bytes) /
                             (dynamic_shared_bytes + (size_t)simt::reserved_shared_bytes);
    const int by_threads = min(simt::threads_per_multiprocessor / SIM_WARP / warps, simt::blocks_per_multiprocessor);
    *blocks = (int)min((size_t)by_threads, by_memory);
    return cudaSuccess;
}

template <typename F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, F *kernel, int block_size,
                                                                   size_t dynamic_shared_bytes, unsigned)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, dynamic_shared_bytes);
}

/* `bytes_of`: dynamic shared memory by the size of a block. */
template <typename F, typename B>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid_size, int *block_size, F *kernel, B bytes_of,
                                                           int limit = 0)
{
    int most = 0;
    for (int size = limit > 0 && limit < SIM_THREADS_MAX ? limit : SIM_THREADS_MAX; size > 0;
         size -= size % SIM_WARP > 0 ? size % SIM_WARP : SIM_WARP) {
        int blocks = 0;
        (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, bytes_of(size));
        if (blocks * size > most) {
            most = blocks * size;
            *block_size = size;
            *grid_size = blocks * sim_multiprocessors;
        }
    }
    return most > 0 ? cudaSuccess
                    : simt::remember(cudaErrorInvalidValue, "cudaOccupancyMaxPotentialBlockSize: no block is possible");
}

template <typename F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, F *kernel,
                                               size_t dynamic_shared_bytes = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid_size, block_size, kernel, [=](int) { return dynamic_shared_bytes; }, limit);
}
