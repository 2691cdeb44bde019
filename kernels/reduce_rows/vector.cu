/* reduce_rows cuda_vector: as many threads per row as it needs, several loads in flight, and a fixed order.
 *
 * Technique: a warp sums a row of up to 1024 elements. A lane loads four neighbours at a time, and begins several loads
 * before it waits for the first. The compiler knows how many they are, and none has a guard, which would part them:
 * behind the end, a lane loads the last four again, and leaves them out of its sum.
 *
 *      lane    0    1         31   0    1         31   0    1
 *            |....|....| ... |....|....|....| ... |....|....|....| ...     a row, in float4s
 *            '------ load 0 ------'------ load 1 ------'-- load 2
 *
 * Blocks sum longer rows in the same manner, four loads at a time. A few very long rows are cut into parts, one per
 * block, until all multiprocessors are busy: the threads of all blocks of a row take its float4s in turns. The sums of
 * the blocks are a narrower matrix, whose rows are summed in a second launch. It is an early one (kernels/device.h):
 * its blocks wait for the end of the first launch, not for the time that a launch takes after it.
 *
 * A 16-byte load must start at a multiple of 16, and rows start at a multiple of 4: up to three elements before the
 * first vector and behind the last are read one by one.
 *
 * What it fixes in cuda_shuffle: nearly all threads have work, for long rows and for short ones. There are a quarter of
 * the loads, and many more bytes in flight. No atomic operation: the order depends on the sizes, the address and the
 * GPU alone, so the same input gives the same bits each time.
 *
 * What bounds it: reading x, 4 bytes per element: 1.1 GB in the row below, 230 us at 4.6 TB/s. Small problems are bound
 * by the launches.
 *
 * Measured, results/h200-x1/network.csv:
 *   reduce_rows/large/cuda_vector/cold 241.1 us
 *   reduce_rows/large/cuda_vector/cold ceiling_pct 97.4 % */
#include "bench/table/reduce_rows.h"
#include "kernels/launch.h"
#include "kernels/sums.h"
#include "kernels/workspace.h"

constexpr int VECTOR = 4;
constexpr int WARPS = 2, SHORT_LOADS = 8;            /* where rows are short: a warp sums one, with so many loads */
constexpr int SHORT_ROW = SHORT_LOADS * 32 * VECTOR; /* elements, at most */
constexpr int THREADS = 256, LOADS = 4;              /* of a block for a long row; in flight per thread */
constexpr int PART = THREADS * LOADS * VECTOR;       /* elements that a block sums in a turn */
/* More and shorter blocks end more evenly. */
constexpr int BLOCKS_FOR_ONE = 32, BLOCKS_FOR_SEVERAL = 16; /* per multiprocessor, where there is one row, or several */
static_assert(RUNG_SIZE_MAX / VECTOR <= INT32_MAX / 4, "32 bits hold the number of a vector in the turn after");
static_assert(RUNG_SIZE_MAX + WARPS <= INT32_MAX, "32 bits hold the number of a row");

/* The share of one of `threads` threads in the sum of the n elements of x, with so many loads in flight. */
template <int IN_FLIGHT>
static __device__ __forceinline__ float share_of_sum(int n, const float *x, int thread, int threads)
{
    int head = min((int)(-(uintptr_t)x % sizeof(float4) / sizeof(float)), n);
    int vectors = (n - head) / VECTOR, tail = head + vectors * VECTOR;
    const float4 *vector = (const float4 *)(x + head);
    float lone = thread < head ? x[thread] : 0, last = tail + thread < n ? x[tail + thread] : 0, sum = 0;
    for (int i = thread; i < vectors; i += IN_FLIGHT * threads) {
        float4 four[IN_FLIGHT];
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; k++) /* behind the end the last one again: a guard would make each load wait */
            four[k] = __ldcs(vector + min(i + k * threads, vectors - 1));
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; k++)
            sum += i + k * threads < vectors ? (four[k].x + four[k].y) + (four[k].z + four[k].w) : 0;
    }
    return sum + (lone + last);
}

/* x is m x n. */
template <int IN_FLIGHT>
static __global__ void __launch_bounds__(WARPS * 32)
    reduce_rows_vector_short_kernel(int m, int n, const float *x, float *y)
{
    wait_for_last_launch();
    int64_t row = (int)blockIdx.x * WARPS + (int)threadIdx.y;
    if (row >= m)
        return;
    float sum = warp_sum<32>(share_of_sum<IN_FLIGHT>(n, x + row * n, (int)threadIdx.x, 32));
    if (threadIdx.x == 0)
        y[row] = sum;
}

/* x has rows of n elements, and `parts` blocks share a row. y has a sum for each block. */
static __global__ void __launch_bounds__(THREADS)
    reduce_rows_vector_kernel(int n, unsigned parts, const float *x, float *y)
{
    wait_for_last_launch();
    allow_early_launch();
    int64_t row = blockIdx.x / parts;
    int thread = (int)(blockIdx.x % parts) * THREADS + (int)threadIdx.x;
    float sum = block_sum(share_of_sum<LOADS>(n, x + row * n, thread, (int)parts * THREADS));
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

/* The kernel for short rows that begins all loads of n elements at once, or the last. Each is right for any n. */
static auto short_kernel(int64_t n)
{
    static void (*const kernels[SHORT_LOADS])(int, int, const float *, float *) = {
        reduce_rows_vector_short_kernel<1>, reduce_rows_vector_short_kernel<2>, reduce_rows_vector_short_kernel<3>,
        reduce_rows_vector_short_kernel<4>, reduce_rows_vector_short_kernel<5>, reduce_rows_vector_short_kernel<6>,
        reduce_rows_vector_short_kernel<7>, reduce_rows_vector_short_kernel<8>};
    return kernels[min(ceil_div(n, 32 * VECTOR), (int64_t)SHORT_LOADS) - 1];
}

const char *reduce_rows_cuda_vector(const void *problem, void *stream)
{
    const struct reduce_rows_problem *p = (const struct reduce_rows_problem *)problem;
    cudaStream_t queue = (cudaStream_t)stream;
    unsigned short_blocks = (unsigned)ceil_div(p->m, WARPS);
    if (p->n <= SHORT_ROW)
        return TRY_LAUNCH(__func__, short_kernel(p->n), short_blocks, dim3(32, WARPS), 0, queue, (int)p->m, (int)p->n,
                          p->x, p->y);
    int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount);
    int64_t wanted =
        p->m == 1 ? BLOCKS_FOR_ONE * multiprocessors : ceil_div(BLOCKS_FOR_SEVERAL * multiprocessors, p->m);
    int64_t least = p->m == 1 ? 2 * PART : PART; /* two turns: the sums of fewer blocks are added up sooner */
    int64_t parts = min(wanted, ceil_div(p->n, least));
    void *sums = p->y;
    if (parts > 1)
        TRY_CALL(workspace_get((size_t)(p->m * parts) * sizeof(float), &sums));
    LAUNCH(reduce_rows_vector_kernel, (unsigned)(p->m * parts), THREADS, 0, queue, (int)p->n, (unsigned)parts, p->x,
           (float *)sums);
    if (parts > SHORT_ROW)
        LAUNCH_EARLY(reduce_rows_vector_kernel, (unsigned)p->m, THREADS, 0, queue, (int)parts, 1u, (const float *)sums,
                     p->y);
    else if (parts > 1)
        LAUNCH_EARLY(short_kernel(parts), short_blocks, dim3(32, WARPS), 0, queue, (int)p->m, (int)parts,
                     (const float *)sums, p->y);
    return launch_error(__func__);
}
