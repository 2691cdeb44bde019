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
#define SIMT_ATTRIBUTE_NUMBER(name, number, value) cudaDevAttr##name = number,
    SIMT_ATTRIBUTES(SIMT_ATTRIBUTE_NUMBER)
};

inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    switch (attribute) {
#define SIMT_ATTRIBUTE_VALUE(name, number, its_value) \
    case cudaDevAttr##name: *value = its_value; return cudaSuccess;
        SIMT_ATTRIBUTES(SIMT_ATTRIBUTE_VALUE)
    }
    return simt::remember(cudaErrorInvalidValue, "cudaDeviceGetAttribute: this attribute is not known here");
}

enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited };

struct cudaDeviceProp {
    char name[256] = "the simulator of rungbench";
    size_t totalGlobalMem = simt::memory_bytes, totalConstMem = 65536;
    size_t sharedMemPerBlock = SIM_DYNAMIC_SHARED_BYTES, sharedMemPerBlockOptin = SIM_SHARED_BYTES_OPTIN;
    size_t sharedMemPerMultiprocessor = SIM_SHARED_BYTES_OPTIN + simt::reserved_shared_bytes;
    size_t reservedSharedMemPerBlock = simt::reserved_shared_bytes;
    size_t memPitch = 2147483647, textureAlignment = 512;
    int regsPerBlock = 65536, regsPerMultiprocessor = 65536, warpSize = SIM_WARP;
    int maxThreadsPerBlock = SIM_THREADS_MAX, maxThreadsDim[3] = {1024, 1024, 64};
    int maxGridSize[3] = {2147483647, 65535, 65535}, maxThreadsPerMultiProcessor = simt::threads_per_multiprocessor;
    int maxBlocksPerMultiProcessor = simt::blocks_per_multiprocessor, multiProcessorCount = sim_multiprocessors;
    int major = 9, minor = 0, clockRate = simt::clock_khz, memoryClockRate = simt::memory_clock_khz;
    int memoryBusWidth = 5120, l2CacheSize = simt::l2_bytes, persistingL2CacheMaxSize = 0, computeMode = 0;
    int deviceOverlap = 1, canMapHostMemory = 1, concurrentKernels = 1, asyncEngineCount = 1, unifiedAddressing = 1;
    int managedMemory = 1, concurrentManagedAccess = 1, cooperativeLaunch = 1, streamPrioritiesSupported = 1;
    int globalL1CacheSupported = 1, localL1CacheSupported = 1, kernelExecTimeoutEnabled = 0, integrated = 0;
    int ECCEnabled = 0, pciBusID = 0, pciDeviceID = 0, pciDomainID = 0, tccDriver = 0, isMultiGpuBoard = 0;
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
SIMT_RETURNS(cudaError_t, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
             (int *blocks, F *kernel, int block_size, size_t dynamic_shared_bytes, unsigned),
             cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, dynamic_shared_bytes))

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
