/* Launches by functions of the runtime (CUDA Runtime API, "Execution Control"). */
#pragma once

#include "simt_device.h"
#include "simt_launch.h"

#include <cstdio>

namespace simt
{
template <typename... P, size_t... I>
void start_kernel(sim_launch what, void (*kernel)(P...), void *const *arguments, std::index_sequence<I...>)
{
    (void)arguments; /* a kernel may have none */
    start(what, SIMT_ENTER(kernel), *static_cast<std::decay_t<P> *>(arguments[I])...);
}

template <typename... P>
cudaError_t launch_kernel(const char *, bool is_cooperative, void (*kernel)(P...), dim3 grid, dim3 block,
                          void *const *arguments, size_t bytes = 0, cudaStream_t = nullptr)
{
    sim_launch what = grid_of("of a launch", grid, block, bytes);
    what.is_cooperative = is_cooperative;
    start_kernel(what, kernel, arguments, std::index_sequence_for<P...>());
    return cudaPeekAtLastError();
}

/* The types of the kernel's parameters are lost. */
inline cudaError_t launch_kernel(const char *name, bool, const void *, dim3, dim3, void *const *, size_t = 0,
                                 cudaStream_t = nullptr)
{
    static char text[192];
    snprintf(text, sizeof text,
             "%s: the simulator takes the kernel itself there, or (void *)kernel, but no pointer to it "
             "whose type is lost",
             name);
    return remember(cudaErrorInvalidDeviceFunction, text);
}

template <typename F, typename... A>
cudaError_t launch_cooperative(const char *name, F *kernel, dim3 grid, dim3 block, void *const *arguments,
                               size_t bytes = 0, cudaStream_t stream = nullptr)
{
    int blocks = 0;
    const cudaError_t status =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, (int)(block.x * block.y * block.z), bytes);
    if (status != cudaSuccess)
        return status;
    if ((uint64_t)grid.x * grid.y * grid.z > (uint64_t)blocks * (unsigned)sim_multiprocessors)
        return remember(cudaErrorCooperativeLaunchTooLarge, nullptr);
    return launch_kernel(name, true, kernel, grid, block, arguments, bytes, stream);
}
} // namespace simt

/* Where the first argument is a kernel that is cast to void *, the kernel: its parameters' types are needed. */
#define SIMT_SECOND(first, second, ...) second
#define SIMT_CAST(...) ~, SIMT_UNCAST,
#define SIMT_PICK(...) SIMT_SECOND(__VA_ARGS__)
#define SIMT_KEPT(...) __VA_ARGS__
#define SIMT_EATEN(...)
#define SIMT_UNCAST(...) SIMT_EATEN __VA_ARGS__
#define SIMT_KERNEL(kernel, ...) SIMT_PICK(SIMT_CAST kernel, SIMT_KEPT, ~)(kernel), __VA_ARGS__
#define cudaLaunchKernel(...) simt::launch_kernel("cudaLaunchKernel", false, SIMT_KERNEL(__VA_ARGS__))
#define cudaLaunchCooperativeKernel(...) \
    simt::launch_cooperative("cudaLaunchCooperativeKernel", SIMT_KERNEL(__VA_ARGS__))

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6
};

enum cudaClusterSchedulingPolicy { cudaClusterSchedulingPolicyDefault, cudaClusterSchedulingPolicyLoadBalancing = 2 };

union cudaLaunchAttributeValue {
    char pad[64];
    cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
    int cooperative;
    struct {
        unsigned x, y, z;
    } clusterDim;
    int programmaticStreamSerializationAllowed;
};

struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

namespace simt
{
inline sim_launch launch_of(const cudaLaunchConfig_t *config)
{
    sim_launch what = grid_of("of cudaLaunchKernelEx()", config->gridDim, config->blockDim, config->dynamicSmemBytes);
    what.stream = config->stream;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute &one = config->attrs[i];
        if (one.id == cudaLaunchAttributeClusterDimension)
            what.cluster = {one.val.clusterDim.x, one.val.clusterDim.y, one.val.clusterDim.z};
        else if (one.id == cudaLaunchAttributeCooperative)
            what.is_cooperative = one.val.cooperative != 0;
        else if (one.id == cudaLaunchAttributeProgrammaticStreamSerialization)
            what.is_early = one.val.programmaticStreamSerializationAllowed != 0;
    }
    return what;
}
} // namespace simt

template <typename... P, typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...arguments)
{
    simt::start(simt::launch_of(config), SIMT_ENTER(kernel),
                static_cast<std::decay_t<P>>(std::forward<A>(arguments))...);
    return cudaPeekAtLastError();
}

template <typename F>
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, F *kernel, const cudaLaunchConfig_t *config)
{
    int blocks = 0;
    const sim_launch what = simt::launch_of(config);
    const cudaError_t status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, (int)(what.block.x * what.block.y * what.block.z), what.dynamic_shared_bytes);
    const unsigned size = what.cluster.x * what.cluster.y * what.cluster.z;
    *clusters = blocks * sim_multiprocessors / (size > 0 ? (int)size : 1);
    return status;
}
