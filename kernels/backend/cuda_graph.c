/* Work recorded as a CUDA graph. */
#include "cuda_parts.h"

#include <assert.h>

static cudaGraphExec_t recorded;

/* Thread-local: calls of other threads, such as those of libraries, do not disturb the recording. */
const char *cuda_graph_begin(void)
{
    cuda_graph_drop();
    return cuda_check(cudaStreamBeginCapture(cuda.stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
}

const char *cuda_graph_end(void)
{
    TRY(cudaStreamEndCapture(cuda.stream, &cuda.graph), "recording of a graph");
    TRY(cudaGraphInstantiateWithFlags(&recorded, cuda.graph, 0), "cudaGraphInstantiate");
    /* Otherwise the first launch would upload the graph. */
    return cuda_check(cudaGraphUpload(recorded, cuda.stream), "cudaGraphUpload");
}

const char *cuda_graph_queue(void)
{
    assert(recorded);
    return cuda_check(cudaGraphLaunch(recorded, cuda.stream), "cudaGraphLaunch");
}

/* Launches that are still queued run all the same. */
void cuda_graph_drop(void)
{
    if (recorded)
        (void)cudaGraphExecDestroy(recorded);
    if (cuda.graph)
        (void)cudaGraphDestroy(cuda.graph);
    recorded = NULL;
    cuda.graph = NULL;
}
