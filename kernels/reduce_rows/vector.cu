/* reduce_rows cuda_vector: loads of four elements, as many threads per row as it needs, and a fixed order.
 *
 * Technique: a warp sums a short row, and 8 rows are a block. A long row is cut into parts, one per block, until there
 * are some blocks for each multiprocessor. The sums of the parts are a narrower matrix, whose rows the same kernel sums
 * in a second launch. A thread loads four neighbours at a time. A 16-byte load must start at a multiple of 16, and rows
 * start at a multiple of 4: up to three elements before the first vector and behind the last are read one by one.
 *
 * What it fixes in cuda_shuffle: nearly all threads have work, for long rows and for short ones. There are a quarter of
 * the loads, and four times as many bytes in flight. No atomic operation: the order depends on the sizes, the address
 * and the GPU alone, so the same input gives the same bits each time.
 *
 * What bounds it: reading x. Small problems are bound by the launches. */
#include "bench/table/reduce_rows.h"
#include "bench/table/rung.h"
#include "kernels/launch.h"
#include "kernels/sums.h"
#include "kernels/workspace.h"

constexpr int WARPS = 8, THREADS = WARPS * 32, VECTOR = 4;
constexpr int SHORT_ROW = 512;                /* elements that a warp sums alone */
constexpr int PART = 1024;                    /* elements that a block sums, at least */
constexpr int BLOCKS_PER_MULTIPROCESSOR = 16; /* wanted, twice what it holds at a time */
static_assert(THREADS <= 1024, "a block has at most 1024 threads");
static_assert(sizeof(float4) == VECTOR * sizeof(float), "a vector has no gaps");
static_assert(REDUCE_ROWS_SIZE_MAX / 2 * 3 + PART <= INT32_MAX, "32 bits hold the end of a part");
static_assert(PART % VECTOR == 0, "parts are whole vectors");

/* The share of one of `threads` threads in the sum of x[0] to x[count - 1]. */
static __device__ __forceinline__ float share_of_sum(int count, const float *x, int thread, int threads)
{
    int head = (int)(-(uintptr_t)x % sizeof(float4) / sizeof(float));
    head = head < count ? head : count;
    int vectors = (count - head) / VECTOR, tail = head + vectors * VECTOR;
    const float4 *vector = (const float4 *)(x + head);
    float sum = thread < head ? x[thread] : 0;
#pragma unroll 4 /* loads in flight */
    for (int i = thread; i < vectors; i += threads) {
        float4 four = vector[i];
        sum += (four.x + four.y) + (four.z + four.w);
    }
    return tail + thread < count ? sum + x[tail + thread] : sum;
}

/* x is m x n. */
static __global__ void reduce_rows_vector_short_kernel(int m, int64_t n, const float *x, float *y)
{
    int row = (int)blockIdx.x * WARPS + (int)threadIdx.y, lane = (int)threadIdx.x;
    if (row >= m)
        return;
    float sum = warp_sum<32>(share_of_sum((int)n, x + row * n, lane, 32));
    if (lane == 0)
        y[row] = sum;
}

/* x has rows of n elements, and `parts` blocks share a row, `part` elements each; the last may be shorter. y has a sum
 * for each part. */
static __global__ void reduce_rows_vector_kernel(int n, int part, unsigned parts, const float *x, float *y)
{
    int64_t row = blockIdx.x / parts;
    int first = (int)(blockIdx.x % parts) * part, left = n - first;
    float share = share_of_sum(left < part ? left : part, x + row * n + first, (int)threadIdx.x, THREADS);
    float sum = block_sum(share);
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

static void sum_long_rows(int64_t m, int64_t n, int64_t part, const float *x, float *y, cudaStream_t stream)
{
    int64_t parts = ceil_div(n, part);
    LAUNCH(reduce_rows_vector_kernel, (unsigned)(m * parts), THREADS, 0, stream, (int)n, (int)part, (unsigned)parts, x,
           y);
}

const char *reduce_rows_cuda_vector(const void *problem, void *stream)
{
    const struct reduce_rows_problem *p = (const struct reduce_rows_problem *)problem;
    cudaStream_t queue = (cudaStream_t)stream;
    if (p->n <= SHORT_ROW) {
        LAUNCH(reduce_rows_vector_short_kernel, (unsigned)ceil_div(p->m, WARPS), dim3(32, WARPS), 0, queue, (int)p->m,
               p->n, p->x, p->y);
        return launch_error(__func__);
    }
    int device, multiprocessors;
    if (cudaGetDevice(&device) || cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device))
        return launch_error(__func__);
    int64_t wanted = ceil_div(BLOCKS_PER_MULTIPROCESSOR * multiprocessors, p->m); /* parts of a row */
    int64_t part = ceil_div(ceil_div(p->n, wanted), PART) * PART, parts = ceil_div(p->n, part);
    if (parts == 1) {
        sum_long_rows(p->m, p->n, part, p->x, p->y, queue);
        return launch_error(__func__);
    }
    void *sums;
    const char *error = workspace_get((size_t)(p->m * parts) * sizeof(float), &sums);
    if (error)
        return error;
    sum_long_rows(p->m, p->n, part, p->x, (float *)sums, queue);
    sum_long_rows(p->m, parts, parts, (const float *)sums, p->y, queue);
    return launch_error(__func__);
}
