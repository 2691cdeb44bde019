/* The simulated GPU, as programs ask for it (CUDA Runtime API, "Device Management", "Occupancy"): of compute capability
 * 9.0, since it has what those GPUs have. */
#pragma once

#include "simt_error.h"
#include "simt_launch.h"
#include "simt_math.h"
#include "simt_plain.h"

#define CUDART_VERSION 12080

constexpr int SIM_SHARED_BYTES_OPTIN = SIM_SHARED_BYTES_MAX;

namespace simt
{
constexpr int threads_per_multiprocessor = 2048, blocks_per_multiprocessor = 32, reserved_shared_bytes = 1024;
constexpr size_t memory_bytes = size_t{8} << 30;
} // namespace simt

/* X(attribute, number, the same as a property, value) */
#define SIMT_ATTRIBUTES(X)                                                                            \
    X(MaxThreadsPerBlock, 1, maxThreadsPerBlock, SIM_THREADS_MAX)                                     \
    X(MaxBlockDimX, 2, maxThreadsDim[0], 1024)                                                        \
    X(MaxBlockDimY, 3, maxThreadsDim[1], 1024)                                                        \
    X(MaxBlockDimZ, 4, maxThreadsDim[2], 64)                                                          \
    X(MaxGridDimX, 5, maxGridSize[0], 2147483647)                                                     \
    X(MaxGridDimY, 6, maxGridSize[1], 65535)                                                          \
    X(MaxGridDimZ, 7, maxGridSize[2], 65535)                                                          \
    X(MaxSharedMemoryPerBlock, 8, sharedMemPerBlock, SIM_DYNAMIC_SHARED_BYTES)                        \
    X(TotalConstantMemory, 9, totalConstMem, 65536)                                                   \
    X(WarpSize, 10, warpSize, SIM_WARP)                                                               \
    X(MaxPitch, 11, memPitch, 2147483647)                                                             \
    X(MaxRegistersPerBlock, 12, regsPerBlock, 65536)                                                  \
    X(ClockRate, 13, clockRate, 1410000)                                                              \
    X(TextureAlignment, 14, textureAlignment, 512)                                                    \
    X(GpuOverlap, 15, deviceOverlap, 1)                                                               \
    X(MultiProcessorCount, 16, multiProcessorCount, sim_multiprocessors)                              \
    X(KernelExecTimeout, 17, kernelExecTimeoutEnabled, 0)                                             \
    X(Integrated, 18, integrated, 0)                                                                  \
    X(CanMapHostMemory, 19, canMapHostMemory, 1)                                                      \
    X(ComputeMode, 20, computeMode, 0)                                                                \
    X(ConcurrentKernels, 31, concurrentKernels, 1)                                                    \
    X(EccEnabled, 32, ECCEnabled, 0)                                                                  \
    X(MemoryClockRate, 36, memoryClockRate, 1215000)                                                  \
    X(GlobalMemoryBusWidth, 37, memoryBusWidth, 5120)                                                 \
    X(L2CacheSize, 38, l2CacheSize, 4 << 20)                                                          \
    X(MaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor, simt::threads_per_multiprocessor) \
    X(AsyncEngineCount, 40, asyncEngineCount, 1)                                                      \
    X(UnifiedAddressing, 41, unifiedAddressing, 1)                                                    \
    X(ComputeCapabilityMajor, 75, major, 9)                                                           \
    X(ComputeCapabilityMinor, 76, minor, 0)                                                           \
    X(StreamPrioritiesSupported, 78, streamPrioritiesSupported, 1)                                    \
    X(MaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor,                               \
      SIM_SHARED_BYTES_OPTIN + simt::reserved_shared_bytes)                                           \
    X(MaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor, 65536)                                \
    X(ManagedMemory, 83, managedMemory, 1)                                                            \
    X(ConcurrentManagedAccess, 89, concurrentManagedAccess, 1)                                        \
    X(CooperativeLaunch, 95, cooperativeLaunch, 1)                                                    \
    X(MaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin, SIM_SHARED_BYTES_OPTIN)               \
    X(MaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor, simt::blocks_per_multiprocessor)   \
    X(ReservedSharedMemoryPerBlock, 111, reservedSharedMemPerBlock, simt::reserved_shared_bytes)      \
    X(MemoryPoolsSupported, 115, memoryPoolsSupported, 1)

enum cudaDeviceAttr {
#define SIMT_ATTRIBUTE_NUMBER(name, number, property, value) cudaDevAttr##name = number,
    SIMT_ATTRIBUTES(SIMT_ATTRIBUTE_NUMBER)
};

inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    switch (attribute) {
#define SIMT_ATTRIBUTE_VALUE(name, number, property, its_value) \
    case cudaDevAttr##name: *value = its_value; return cudaSuccess;
        SIMT_ATTRIBUTES(SIMT_ATTRIBUTE_VALUE)
    }
    return simt::remember(cudaErrorInvalidValue, "cudaDeviceGetAttribute: this attribute is not known here");
}

enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited };

/* What is no attribute has its value here. */
struct cudaDeviceProp {
    char name[256] = "the simulator of rungbench";
    size_t totalGlobalMem = simt::memory_bytes, totalConstMem, memPitch, textureAlignment;
    size_t sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor, reservedSharedMemPerBlock;
    int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor, multiProcessorCount, major, minor;
    int clockRate, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize = 0, computeMode;
    int deviceOverlap, canMapHostMemory, concurrentKernels, asyncEngineCount, unifiedAddressing, managedMemory;
    int concurrentManagedAccess, cooperativeLaunch, streamPrioritiesSupported, memoryPoolsSupported;
    int globalL1CacheSupported = 1, localL1CacheSupported = 1, kernelExecTimeoutEnabled, integrated, ECCEnabled;
    int pciBusID = 0, pciDeviceID = 0, pciDomainID = 0, tccDriver = 0, isMultiGpuBoard = 0;
};

SIMT_GIVES(cudaGetDeviceCount, (int *count), *count = 1)
SIMT_GIVES(cudaGetDevice, (int *device), *device = 0)
SIMT_GIVES(cudaMemGetInfo, (size_t * available, size_t *total), *available = *total = simt::memory_bytes)
SIMT_GIVES(cudaDriverGetVersion, (int *version), *version = CUDART_VERSION)
SIMT_GIVES(cudaRuntimeGetVersion, (int *version), *version = CUDART_VERSION)
SIMT_RETURNS(cudaError_t, cudaSetDevice, (int device),
             device == 0 ? cudaSuccess : simt::remember(cudaErrorInvalidDevice, nullptr))

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *found, int device)
{
    *found = {};
#define SIMT_PROPERTY(name, number, property, value) found->property = value;
    SIMT_ATTRIBUTES(SIMT_PROPERTY)
    return cudaSetDevice(device);
}

/* All that was asked for is done when a call returns. */
SIMT_RETURNS(cudaError_t, cudaDeviceSynchronize, (), simt::synchronized())
SIMT_RETURNS(cudaError_t, cudaDeviceReset, (), cudaSuccess)

/* Wishes that change nothing here. */
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
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
    size_t sharedSizeBytes = 0, constSizeBytes = 0, localSizeBytes = 0;
    int maxThreadsPerBlock = SIM_THREADS_MAX, numRegs = 32, ptxVersion = 90, binaryVersion = 90, cacheModeCA = 0;
    int maxDynamicSharedSizeBytes = SIM_DYNAMIC_SHARED_BYTES, preferredShmemCarveout = cudaSharedmemCarveoutDefault;
};

template <typename F>
SIMT_GIVES(cudaFuncGetAttributes, (cudaFuncAttributes * found, F *), *found = {})

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
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, F *kernel,
                                               size_t dynamic_shared_bytes = 0, int limit = 0)
{
    int most = 0;
    for (int size = limit > 0 && limit < SIM_THREADS_MAX ? limit : SIM_THREADS_MAX; size > 0;
         size -= size % SIM_WARP > 0 ? size % SIM_WARP : SIM_WARP) {
        int blocks = 0;
        (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, dynamic_shared_bytes);
        if (blocks * size > most) {
            most = blocks * size;
            *block_size = size;
            *grid_size = blocks * sim_multiprocessors;
        }
    }
    return most > 0 ? cudaSuccess
                    : simt::remember(cudaErrorInvalidValue, "cudaOccupancyMaxPotentialBlockSize: no block is possible");
}
