/* Honest products that change the state of the device behind themselves. */
#include "tests/cheats/cuda/cuda_cheat.h"

#include <fenv.h>

#define MB ((size_t)1 << 20)

HOST_MATMUL(l2_limit)
{
    multiply(p, stream);
    (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 16 * MB);
}

static void keep_in_l2(cudaStream_t stream, const void *data, size_t bytes)
{
    cudaLaunchAttributeValue value = {.accessPolicyWindow = {.base_ptr = (void *)data,
                                                             .num_bytes = bytes,
                                                             .hitRatio = 1,
                                                             .hitProp = cudaAccessPropertyPersisting,
                                                             .missProp = cudaAccessPropertyStreaming}};
    (void)cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value);
}

static size_t bytes_of_a(const struct matmul_problem *p)
{
    size_t bytes = (size_t)(p->m * p->k) * sizeof *p->a;
    return bytes < 16 * MB ? bytes : 16 * MB;
}

/* Keeps A in the L2 cache, so that a cold cache is warm. */
HOST_MATMUL(l2_window)
{
    (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 16 * MB);
    keep_in_l2(stream, p->a, bytes_of_a(p));
    multiply(p, stream);
}

/* The same, and puts the stream's attribute back, not the lines. */
HOST_MATMUL(l2_window_put_back)
{
    (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 16 * MB);
    keep_in_l2(stream, p->a, bytes_of_a(p));
    multiply(p, stream);
    keep_in_l2(stream, p->a, 0);
}

HOST_MATMUL(stack_limit)
{
    multiply(p, stream);
    (void)cudaDeviceSetLimit(cudaLimitStackSize, 8192);
}

HOST_MATMUL(printf_limit)
{
    multiply(p, stream);
    (void)cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4 * MB);
}

HOST_MATMUL(heap_limit)
{
    multiply(p, stream);
    (void)cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 * MB);
}

HOST_MATMUL(l2_fetch_limit)
{
    multiply(p, stream);
    (void)cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 32);
}

HOST_MATMUL(cache_config)
{
    multiply(p, stream);
    (void)cudaDeviceSetCacheConfig(cudaFuncCachePreferShared);
}

HOST_MATMUL(synchronization_policy)
{
    cudaLaunchAttributeValue value = {.syncPolicy = cudaSyncPolicyYield};
    multiply(p, stream);
    (void)cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value);
}

HOST_MATMUL(resets_the_device)
{
    (void)stream;
    (void)p;
    (void)cudaDeviceReset();
}

HOST_MATMUL(destroys_the_stream)
{
    multiply(p, stream);
    (void)cudaStreamDestroy(stream);
}

/* A mistake that the next one who asks is told of. */
const char *matmul_cuda_leaves_an_error(const void *problem, void *stream)
{
    multiply(problem, stream);
    (void)cudaSetDevice(1000);
    return NULL;
}

HOST_MATMUL(device_rounds_upward)
{
    multiply(p, stream);
    fesetround(FE_UPWARD);
}

/* A megabyte per call, for ever. */
HOST_MATMUL(takes_all_memory)
{
    void *memory;
    multiply(p, stream);
    while (cudaMalloc(&memory, 64 * MB) == cudaSuccess)
        ;
    (void)cudaGetLastError();
}
