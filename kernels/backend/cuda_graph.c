/* Work recorded as a CUDA graph, and what it launches. That is asked of the driver's API (CUDA Driver API, "Graph
 * Management"), since each shared object has a runtime of its own, which knows only its own kernels. */
#include "cuda_occupancy.h"
#include "cuda_parts.h"

#include "bench/base/symbol_name.h"

#include <assert.h>
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static cudaGraph_t graph; /* NULL: none */
static cudaGraphExec_t recorded;

/* Launches that are still queued run all the same. */
void cuda_drop_graph(void)
{
    if (recorded)
        (void)cudaGraphExecDestroy(recorded);
    if (graph)
        (void)cudaGraphDestroy(graph);
    recorded = NULL;
    graph = NULL;
}

/* Thread-local: calls of other threads, such as those of libraries, do not disturb the recording. */
static const char *begin(void)
{
    cuda_drop_graph();
    return cuda_check(cudaStreamBeginCapture(cuda->stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
}

static const char *end(void)
{
    TRY(cudaStreamEndCapture(cuda->stream, &graph), "recording of a graph");
    TRY(cudaGraphInstantiateWithFlags(&recorded, graph, 0), "cudaGraphInstantiate");
    /* Otherwise the first launch would upload the graph. */
    return cuda_check(cudaGraphUpload(recorded, cuda->stream), "cudaGraphUpload");
}

static const char *queue(void)
{
    assert(recorded);
    return cuda_check(cudaGraphLaunch(recorded, cuda->stream), "cudaGraphLaunch");
}

static int64_t threads_of(const CUDA_KERNEL_NODE_PARAMS *node)
{
    return (int64_t)node->blockDimX * node->blockDimY * node->blockDimZ;
}

static int64_t blocks_of(const CUDA_KERNEL_NODE_PARAMS *node)
{
    return (int64_t)node->gridDimX * node->gridDimY * node->gridDimZ;
}

/* Counts the kernels among the nodes, and finds that with the most threads. */
static int64_t find_largest(const cudaGraphNode_t *nodes, size_t count, CUDA_KERNEL_NODE_PARAMS *largest)
{
    int64_t kernels = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        enum cudaGraphNodeType type;
        CUDA_KERNEL_NODE_PARAMS node;
        if (cudaGraphNodeGetType(nodes[i], &type) != cudaSuccess || type != cudaGraphNodeTypeKernel ||
            CUDA_DRIVER(cuGraphKernelNodeGetParams_v2)(nodes[i], &node) != CUDA_SUCCESS)
            continue;
        kernels++;
        if (blocks_of(&node) * threads_of(&node) <= most)
            continue;
        most = blocks_of(&node) * threads_of(&node);
        *largest = node;
    }
    return kernels;
}

/* Unknown: 0. */
static int attribute_of(CUfunction function, CUfunction_attribute attribute)
{
    int value = 0;
    return CUDA_DRIVER(cuFuncGetAttribute)(&value, attribute, function) == CUDA_SUCCESS ? value : 0;
}

static void describe_occupancy(const CUDA_KERNEL_NODE_PARAMS *node, size_t static_shared_bytes,
                               struct kernel_launches *launches)
{
    struct cudaDeviceProp is;
    if (cudaGetDeviceProperties(&is, cuda->device) != cudaSuccess)
        return;
    const cudaOccDeviceProp device = {
        .computeMajor = is.major,
        .computeMinor = is.minor,
        .maxThreadsPerBlock = is.maxThreadsPerBlock,
        .maxThreadsPerMultiprocessor = is.maxThreadsPerMultiProcessor,
        .regsPerBlock = is.regsPerBlock,
        .regsPerMultiprocessor = is.regsPerMultiprocessor,
        .warpSize = is.warpSize,
        .sharedMemPerBlock = is.sharedMemPerBlock,
        .sharedMemPerMultiprocessor = is.sharedMemPerMultiprocessor,
        .numSms = is.multiProcessorCount,
        .sharedMemPerBlockOptin = is.sharedMemPerBlockOptin,
        .reservedSharedMemPerBlock = is.reservedSharedMemPerBlock,
    };
    const struct cuda_block block = {(int)threads_of(node), (int)launches->registers, 1, static_shared_bytes,
                                     node->sharedMemBytes};
    struct cuda_occupancy occupancy;
    if (!cuda_occupancy(&device, &block, &occupancy))
        return;
    launches->blocks_at_once = (int64_t)occupancy.blocks * is.multiProcessorCount;
    launches->occupancy_pct = occupancy.pct;
    snprintf(launches->occupancy_limit, sizeof launches->occupancy_limit, "%s", occupancy.limit);
}

static void describe_name(CUfunction function, struct kernel_launches *launches)
{
    const char *symbol;
    CUresult (*get_name)(const char **, CUfunction);
    *(void **)&get_name = cuda_driver("cuFuncGetName"); /* CUDA 12.3 */
    if (!get_name || get_name(&symbol, function) != CUDA_SUCCESS)
        return;
    char *name = symbol_function(symbol);
    snprintf(launches->kernel, sizeof launches->kernel, "%s", name);
    free(name);
}

static void describe_kernel(const CUDA_KERNEL_NODE_PARAMS *node, struct kernel_launches *launches)
{
    CUfunction function = node->func;
    launches->blocks = blocks_of(node);
    launches->block_threads = threads_of(node);
    if (!function && CUDA_DRIVER(cuKernelGetFunction)(&function, node->kern) != CUDA_SUCCESS)
        return;
    int static_shared_bytes = attribute_of(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    launches->registers = attribute_of(function, CU_FUNC_ATTRIBUTE_NUM_REGS);
    launches->local_bytes = attribute_of(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    launches->shared_bytes = (double)static_shared_bytes + node->sharedMemBytes;
    describe_name(function, launches);
    describe_occupancy(node, (size_t)static_shared_bytes, launches);
}

static void describe(struct kernel_launches *launches)
{
    CUDA_KERNEL_NODE_PARAMS largest;
    size_t count = 0;
    *launches = (struct kernel_launches){.occupancy_pct = NAN, .local_bytes = NAN, .shared_bytes = NAN};
    if (!CUDA_DRIVER(cuKernelGetFunction) || !graph || /* CUDA 12.0, as cuGraphKernelNodeGetParams_v2() */
        cudaGraphGetNodes(graph, NULL, &count) != cudaSuccess)
        return;
    cudaGraphNode_t *nodes = malloc((count + 1) * sizeof *nodes);
    if (nodes && cudaGraphGetNodes(graph, nodes, &count) == cudaSuccess)
        launches->kernels = find_largest(nodes, count, &largest);
    if (launches->kernels > 0)
        describe_kernel(&largest, launches);
    free(nodes);
    (void)cudaGetLastError(); /* what is unknown stays so */
}

const struct graphs cuda_graphs = {.begin = begin, .end = end, .queue = queue, .describe = describe};
