/* dot cuda_vector: loads of four elements, and a fixed order.
 *
 * Technique: a thread loads four neighbours of x and of y at a time. A 16-byte load must start at a multiple of 16, and
 * arrays start at a multiple of 4: up to three elements of x before the first vector and behind the last are read one
 * by one. Where y lies differently from x, its elements are read one by one, too. There are some blocks for each
 * multiprocessor, and each writes its sum to a place of its own. A second launch, one block, adds these up. It is an
 * early one (kernels/device.h): its block waits for the end of the first launch, not for the time that a launch takes
 * after it.
 *
 * What it fixes in cuda_fused: a quarter of the loads, and four times as many bytes in flight. No atomic operation: the
 * order depends on n, the addresses and the GPU alone, so the same input gives the same bits each time.
 *
 * What bounds it: memory. 8 bytes per element are the least that the problem needs: 2.1 GB in the row below, 470 us at
 * 4.6 TB/s. Short vectors are bound by the two launches.
 *
 * Measured, results/h200-x1/network.csv:
 *   dot/large/cuda_vector/cold 476.7 us
 *   dot/large/cuda_vector/cold ceiling_pct 97.8 % */
#include "bench/table/dot.h"
#include "kernels/four.h"
#include "kernels/launch.h"
#include "kernels/sums.h"
#include "kernels/workspace.h"

constexpr int THREADS = 256, VECTOR = 4, VECTORS = 2; /* of a thread, at least */
constexpr int BLOCKS_PER_MULTIPROCESSOR = 16;         /* at most, twice what it holds at a time */
static_assert(THREADS >= 2 * (VECTOR - 1), "the first block has a thread for each element without a vector");

/* x and y have n elements: `head` of the `lone` ones, then `vectors`, then the rest of the lone ones. The vectors of x
 * are aligned; WIDE: those of y, too. Each block has a place in sums. */
template <bool WIDE>
static __global__ void dot_vector_kernel(int n, int head, int lone, int vectors, const float *x, const float *y,
                                         float *sums)
{
    allow_early_launch();
    int thread = (int)blockIdx.x * THREADS + (int)threadIdx.x, stride = (int)gridDim.x * THREADS;
    float share = 0;
#pragma unroll 4 /* loads in flight, of x and of y */
    for (int i = thread; i < vectors; i += stride) {
        float4 a = load_four<true>(x + head + i * VECTOR, VECTOR), b = load_four<WIDE>(y + head + i * VECTOR, VECTOR);
        share += (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
    }
    if (thread < lone) {
        int i = thread < head ? thread : n - lone + thread;
        share += x[i] * y[i];
    }
    share = block_sum(share);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = share;
}

static __global__ void dot_vector_add_kernel(int blocks, const float *sums, float *sum)
{
    wait_for_last_launch();
    float share = 0;
    for (int i = (int)threadIdx.x; i < blocks; i += THREADS)
        share += sums[i];
    share = block_sum(share);
    if (threadIdx.x == 0)
        *sum = share;
}

const char *dot_cuda_vector(const void *problem, void *stream)
{
    const struct dot_problem *p = (const struct dot_problem *)problem;
    int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount);
    int n = (int)p->n, head = (int)(-(uintptr_t)p->x % sizeof(float4) / sizeof(float));
    head = head < n ? head : n;
    int vectors = (n - head) / VECTOR, lone = n - vectors * VECTOR;
    int useful = vectors / (THREADS * VECTORS) + 1, most = BLOCKS_PER_MULTIPROCESSOR * multiprocessors;
    int blocks = useful < most ? useful : most;
    void *sums;
    TRY_CALL(workspace_get((size_t)blocks * sizeof(float), &sums));
    auto kernel = is_aligned(p->y + head, sizeof(float4)) ? dot_vector_kernel<true> : dot_vector_kernel<false>;
    LAUNCH(kernel, (unsigned)blocks, THREADS, 0, (cudaStream_t)stream, n, head, lone, vectors, p->x, p->y,
           (float *)sums);
    LAUNCH_EARLY(dot_vector_add_kernel, 1, THREADS, 0, (cudaStream_t)stream, blocks, (const float *)sums, p->dot);
    return launch_error(__func__);
}
