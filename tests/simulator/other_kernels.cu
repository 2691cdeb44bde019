/* Each is wrong where it is not MENDED, and most of them the simulator does not see. */
#include "order_kernels.h"

#include "kernels/launch.h"

#define KERNEL             \
    template <bool MENDED> \
    static __global__ void
#define LAUNCHES           \
    template <bool MENDED> \
    static void

/* Launches nothing but the kernel. */
#define ALONE(name, kernel)                                                                    \
    LAUNCHES name(int n, const int *in, int *out, cudaStream_t stream)                         \
    {                                                                                          \
        LAUNCH(kernel<MENDED>, (unsigned)(n / TURN_BLOCK), TURN_BLOCK, 0, stream, n, in, out); \
    }

static __device__ unsigned counted; /* blocks, and 0 after the last one */

static __device__ int turned(const int *in, int i)
{
    return in[i / TURN_BLOCK * TURN_BLOCK + TURN_BLOCK - 1 - i % TURN_BLOCK];
}

static __device__ void turn_in_place(int *out, int i)
{
    const int mine = turned(out, i);
    __syncthreads();
    out[i] = mine;
}

static __global__ void copy_all(const int *in, int *out)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    allow_early_launch();
    out[i] = in[i];
}

KERNEL count_plainly(int n, const int *in, int *out)
{
    __shared__ unsigned before;
    if (threadIdx.x == 0 && MENDED)
        before = atomicInc(&counted, gridDim.x - 1);
    else if (threadIdx.x == 0)
        before = counted, counted = (before + 1) % gridDim.x;
    __syncthreads();
    for (int i = (int)threadIdx.x; i < n && before == gridDim.x - 1; i += TURN_BLOCK)
        out[i] = turned(in, i);
}
ALONE(plain_count, count_plainly)

KERNEL count_unfenced(int n, const int *in, int *out)
{
    __shared__ unsigned before;
    const int mine = (int)(blockIdx.x * TURN_BLOCK + threadIdx.x);
    out[mine] = in[mine];
    if (MENDED)
        __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        before = atomicInc(&counted, gridDim.x - 1);
    __syncthreads();
    for (int i = (int)threadIdx.x; i < n && before == gridDim.x - 1; i += TURN_BLOCK)
        turn_in_place(out, i);
}
ALONE(no_threadfence, count_unfenced)

static __global__ void turn_all(int *out)
{
    turn_in_place(out, (int)(blockIdx.x * TURN_BLOCK + threadIdx.x));
}

KERNEL turn_early(int *out)
{
    const int i = (int)(blockIdx.x * TURN_BLOCK + threadIdx.x);
    if (MENDED)
        wait_for_last_launch();
    const int mine = turned(out, i);
    __syncthreads();
    if (!MENDED)
        wait_for_last_launch();
    out[i] = mine;
}

LAUNCHES not_waited_for_last(int n, const int *in, int *out, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)(n / TURN_BLOCK);
    LAUNCH(copy_all, blocks, TURN_BLOCK, 0, stream, in, out);
    LAUNCH_EARLY(turn_early<MENDED>, blocks, TURN_BLOCK, 0, stream, out);
}

LAUNCHES no_event(int n, const int *in, int *out, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)(n / TURN_BLOCK);
    cudaStream_t other;
    cudaEvent_t copied;
    (void)cudaStreamCreate(&other);
    (void)cudaEventCreate(&copied);
    LAUNCH(copy_all, blocks, TURN_BLOCK, 0, stream, in, out);
    if (MENDED) {
        (void)cudaEventRecord(copied, stream);
        (void)cudaStreamWaitEvent(other, copied, 0);
    }
    LAUNCH(turn_all, blocks, TURN_BLOCK, 0, other, out);
    (void)cudaStreamSynchronize(other);
    (void)cudaEventDestroy(copied);
    (void)cudaStreamDestroy(other);
}

LAUNCHES reused_source(int n, const int *in, int *out, cudaStream_t stream)
{
    const size_t bytes = (size_t)n * sizeof *in;
    int *host;
    (void)cudaMallocHost((void **)&host, bytes);
    (void)cudaMemcpyAsync(host, in, bytes, cudaMemcpyDeviceToHost, stream);
    (void)cudaStreamSynchronize(stream);
    (void)cudaMemcpyAsync(out, host, bytes, cudaMemcpyHostToDevice, stream);
    if (MENDED)
        (void)cudaStreamSynchronize(stream);
    host[0] = 0;
    LAUNCH(turn_all, (unsigned)(n / TURN_BLOCK), TURN_BLOCK, 0, stream, out);
    (void)cudaFreeHost(host);
}

KERNEL load_stale([[maybe_unused]] int n, const int *in, int *out)
{
    const int i = (int)(blockIdx.x * TURN_BLOCK + threadIdx.x), other = i ^ (TURN_BLOCK - 1);
    out[i] = in[i];
    __syncthreads();
    const int mine = MENDED ? out[other] : __ldg(&out[other]);
    __syncthreads();
    out[i] = mine;
}
ALONE(stale_load, load_stale)

static __global__ void add_to_workspace(const int *in, int *workspace, int *out)
{
    const int i = (int)(blockIdx.x * TURN_BLOCK + threadIdx.x);
    out[i] = workspace[i] += turned(in, i);
}

LAUNCHES unwritten_workspace(int n, const int *in, int *out, cudaStream_t stream)
{
    const size_t bytes = (size_t)n * sizeof *in;
    int *workspace;
    (void)cudaMalloc((void **)&workspace, bytes);
    if (MENDED)
        (void)cudaMemsetAsync(workspace, 0, bytes, stream);
    LAUNCH(add_to_workspace, (unsigned)(n / TURN_BLOCK), TURN_BLOCK, 0, stream, in, workspace, out);
    (void)cudaFree(workspace);
}

static __device__ void meet()
{
    __syncthreads();
}

KERNEL meet_twice([[maybe_unused]] int n, const int *in, int *out)
{
    __shared__ int row[TURN_BLOCK];
    const int t = (int)threadIdx.x, i = (int)blockIdx.x * TURN_BLOCK + t;
    row[t] = in[i];
    if (MENDED || t < TURN_BLOCK / 2)
        meet();
    else
        meet();
    out[i] = row[TURN_BLOCK - 1 - t];
}
ALONE(two_calls, meet_twice)

KERNEL __launch_bounds__(MENDED ? TURN_BLOCK : TURN_BLOCK / 2)
    turn_bounded([[maybe_unused]] int n, const int *in, int *out)
{
    const int i = (int)(blockIdx.x * TURN_BLOCK + threadIdx.x);
    out[i] = turned(in, i);
}
ALONE(too_many_threads, turn_bounded)

#define TURN_LAUNCH(name, mended, ...) name<mended>((int)p->n, p->in, p->out, stream)
OTHER_KERNELS(TURN_RUNGS)
