#include "launches.h"

#include <cuda_runtime_api.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { KERNELS_MAX = 4096, LAUNCHES_MAX = 1024 };

/* nvcc makes a stub on the host per kernel: the stubs and the names of the kernels. */
static struct {
    const void *stub;
    const char *symbol;
} kernels[KERNELS_MAX];
static size_t kernel_count;

static struct launch launches[LAUNCHES_MAX];
static size_t launch_count;
static char error[384];

static cudaError_t write_down(const void *stub, dim3 block, size_t dynamic_shared_bytes)
{
    struct launch launch = {.block = {block.x, block.y, block.z}, .dynamic_shared_bytes = dynamic_shared_bytes};
    for (size_t i = 0; i < kernel_count; i++)
        if (kernels[i].stub == stub)
            launch.symbol = kernels[i].symbol;
    if (!launch.symbol)
        return cudaErrorInvalidDeviceFunction;
    for (size_t i = 0; i < launch_count; i++)
        if (strcmp(launches[i].symbol, launch.symbol) == 0 &&
            memcmp(launches[i].block, launch.block, sizeof launch.block) == 0 &&
            launches[i].dynamic_shared_bytes == dynamic_shared_bytes)
            return cudaSuccess;
    assert(launch_count < LAUNCHES_MAX);
    launches[launch_count++] = launch;
    return cudaSuccess;
}

/* These replace functions of the CUDA runtime. Those that begin with two underscores are called by nvcc's stubs
 * (crt/host_runtime.h and crt/device_functions.h of the toolkit). The handle of a kernel is the address of its stub. */
extern void __real___cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, dim3 *,
                                          dim3 *, int *);
#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* the linker alone knows them */

/* Whatever they are given. */
static cudaError_t succeed(void)
{
    return cudaSuccess;
}
#define SUCCEEDS __attribute__((alias("succeed")))
cudaError_t __wrap_cudaFuncSetAttribute(void) SUCCEEDS;
cudaError_t __wrap_cudaGetLastError(void) SUCCEEDS;
cudaError_t __wrap_cudaFree(void) SUCCEEDS;
cudaError_t __wrap_cudaMemsetAsync(void) SUCCEEDS;
cudaError_t __wrap_cudaMemcpyToSymbolAsync(void) SUCCEEDS;

void __wrap___cudaRegisterFunction(void **binary, const char *stub, char *device_stub, const char *symbol, int limit,
                                   void *thread, void *block, dim3 *block_size, dim3 *grid_size, int *warp)
{
    assert(kernel_count < KERNELS_MAX);
    kernels[kernel_count].stub = stub;
    kernels[kernel_count++].symbol = symbol;
    __real___cudaRegisterFunction(binary, stub, device_stub, symbol, limit, thread, block, block_size, grid_size, warp);
}

cudaError_t __wrap___cudaGetKernel(const void **handle, const void *stub)
{
    *handle = stub;
    return cudaSuccess;
}

cudaError_t __wrap_cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **arguments,
                                    size_t dynamic_shared_bytes, cudaStream_t stream)
{
    (void)grid, (void)arguments, (void)stream;
    return write_down(stub, block, dynamic_shared_bytes);
}

cudaError_t __wrap___cudaLaunchKernel(const void *handle, dim3 grid, dim3 block, void **arguments,
                                      size_t dynamic_shared_bytes, cudaStream_t stream)
{
    return __wrap_cudaLaunchKernel(handle, grid, block, arguments, dynamic_shared_bytes, stream);
}

cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *stub, void **arguments)
{
    (void)arguments;
    return write_down(stub, config->blockDim, config->dynamicSmemBytes);
}

cudaError_t __wrap_cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

/* Those of an H200, for rungs that adapt to the device. */
cudaError_t __wrap_cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    (void)device;
    switch (attribute) {
    case cudaDevAttrMultiProcessorCount: *value = 132; return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = 227 * 1024; return cudaSuccess;
    default: return cudaErrorInvalidValue;
    }
}

/* As many blocks as an H200's threads and shared memory allow, whatever registers they need. */
cudaError_t __wrap_cudaOccupancyMaxActiveClusters(int *clusters, const void *stub, const cudaLaunchConfig_t *config)
{
    (void)stub;
    int cluster = 1;
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
            cluster = (int)config->attrs[i].val.clusterDim.x;
    const size_t shared = (227 * 1024) / (config->dynamicSmemBytes + 1024), threads = 2048 / config->blockDim.x;
    *clusters = (int)(shared < threads ? shared : threads) * 132 / cluster;
    return cudaSuccess;
}

/* No one reads or writes this memory. */
cudaError_t __wrap_cudaMalloc(void **memory, size_t bytes)
{
    (void)bytes;
    *memory = kernels;
    return cudaSuccess;
}

cudaError_t __wrap_cudaGetSymbolAddress(void **address, const void *symbol)
{
    (void)symbol;
    *address = kernels;
    return cudaSuccess;
}

/* The one function of the driver that a rung looks up makes a tensor map, which no one uses. CUDA_SUCCESS is as
 * cudaSuccess. */
cudaError_t __wrap_cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                                    unsigned long long flags,
                                                    enum cudaDriverEntryPointQueryResult *found)
{
    (void)version, (void)flags;
    assert(strcmp(name, "cuTensorMapEncodeTiled") == 0);
    *(cudaError_t(**)(void))function = succeed;
    *found = cudaDriverEntryPointSuccess;
    return cudaSuccess;
}

/* `shift`: how far buffers are off the alignment of cudaMalloc(). No one reads or writes them. */
static const char *run_once(const struct op *op, rung_function *run, const struct workload *workload, size_t shift)
{
    enum { ALIGNMENT = 256 };
    _Alignas(max_align_t) char problem[OP_PROBLEM_BYTES_MAX];
    struct buffer_spec specs[OP_BUFFERS_MAX];
    void *memory[OP_BUFFERS_MAX];
    size_t count = op_buffers(op, workload, specs), next = ALIGNMENT;
    for (size_t i = 0; i < count; i++) {
        memory[i] = (void *)(next + shift);
        next += (specs[i].bytes / ALIGNMENT + 2) * ALIGNMENT;
    }
    op_bind(op, workload, memory, problem);
    return run(problem, NULL);
}

static void run_aligned_or_not(const struct op *op, rung_function *run, const struct workload *workload)
{
    for (size_t shift = 0; shift <= op_element_bytes(op); shift += op_element_bytes(op)) {
        const char *text = run_once(op, run, workload, shift);
        if (text && error[0] == '\0')
            snprintf(error, sizeof error, "%s", text);
    }
}

struct launches launches_of(const struct op *op, rung_function *run)
{
    launch_count = 0;
    error[0] = '\0';
    for (size_t i = 0; i < op->workload_count; i++)
        run_aligned_or_not(op, run, &op->workloads[i]);
    for (size_t i = 0; i < op->ragged_count; i++) {
        const struct workload ragged = op_ragged(op, i);
        run_aligned_or_not(op, run, &ragged);
    }
    return (struct launches){launches, launch_count, error[0] == '\0' ? NULL : error};
}
