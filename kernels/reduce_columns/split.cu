/* reduce_columns cuda_split: loads of four columns, blocks shaped like the matrix, and a fixed order.
 *
 * Technique: a thread adds up four neighbouring columns, with loads of 16 bytes where rows are aligned. It begins the
 * loads of eight rows before it waits for the first; none has a guard, which would part them: behind the end, it loads
 * the last row again, and leaves it out of its sum. A block is as wide as the matrix, or as a panel of it, and as high
 * as its threads then reach: no lane is without a column, be there 10 or 784. Its rows of threads take rows of x in
 * turns, and one of them adds up their sums in shared memory. The rows are cut into parts, as many as the
 * multiprocessors hold at a time:
 *
 *           panel 0   panel 1
 *         +---------+---------+
 *         | block 0 | block 1 |  part 0  ->  a row of sums
 *         +---------+---------+
 *         | block 2 | block 3 |  part 1  ->  a row of sums
 *         +---------+---------+
 *
 * The sums of the parts are a matrix with the same columns and few rows, which the same kernel sums in a second launch.
 * It is an early one (kernels/device.h): its blocks wait for the end of the first launch, not for the time that a
 * launch takes after it.
 *
 * What it fixes in cuda_atomic: a quarter of the loads, and many more bytes in flight. No atomic operation:
 * the order depends on the sizes and the GPU alone.
 *
 * What bounds it: reading x. Small problems are bound by the launches. */
#include "bench/table/reduce_columns.h"
#include "bench/table/rung.h"
#include "kernels/four.h"
#include "kernels/launch.h"
#include "kernels/workspace.h"

constexpr int THREADS_MAX = 512, VECTOR = 4;
constexpr int WIDTH = 128, FINAL_WIDTH = 8;               /* vectors across a block at most; fewer where rows are few */
constexpr int HEIGHT = 32;                                /* rows of threads in a block at most */
constexpr int ROWS_IN_FLIGHT = 8;                         /* of a thread; it has at least as many */
constexpr int BLOCKS = 2, THREADS = BLOCKS * THREADS_MAX; /* that a multiprocessor is to hold at a time */
static_assert(THREADS_MAX <= 1024, "a block has at most 1024 threads");
static_assert(sizeof(float4) == VECTOR * sizeof(float), "a vector has no gaps");
static_assert(REDUCE_COLUMNS_SIZE_MAX / 2 * 3 + VECTOR * THREADS_MAX * ROWS_IN_FLIGHT <= INT32_MAX,
              "32 bits hold the end of a part or a panel, and the turn after");
static_assert(WIDTH <= THREADS_MAX && FINAL_WIDTH * HEIGHT <= THREADS_MAX, "a block has the threads");

/* x is m x n, in `panels` panels of columns and parts of `part` rows; y has a row of sums for each part. WIDE: rows of
 * x are aligned. */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS_MAX, BLOCKS)
    reduce_columns_split_kernel(int m, int64_t n, unsigned panels, int part, const float *x, float *y)
{
    SHARED_ARRAY(float4, sums, THREADS_MAX);
    wait_for_last_launch();
    allow_early_launch();
    int width = (int)blockDim.x, height = (int)blockDim.y, thread = (int)threadIdx.y * width + (int)threadIdx.x;
    int column = ((int)(blockIdx.x % panels) * width + (int)threadIdx.x) * VECTOR;
    int64_t row_of_y = blockIdx.x / panels;
    int first = (int)row_of_y * part, end = min(first + part, m);
    int there = min((int)n - column, VECTOR); /* columns: fewer or none at the end of the last panel */
    float4 sum = make_float4(0, 0, 0, 0);
    for (int row = first + (int)threadIdx.y; row < end && there > 0; row += ROWS_IN_FLIGHT * height) {
        float4 four[ROWS_IN_FLIGHT];
#pragma unroll
        for (int k = 0; k < ROWS_IN_FLIGHT; k++)
            four[k] = load_four<WIDE>(x + min(row + k * height, end - 1) * n + column, there);
#pragma unroll
        for (int k = 0; k < ROWS_IN_FLIGHT; k++)
            if (row + k * height < end)
                sum = make_float4(sum.x + four[k].x, sum.y + four[k].y, sum.z + four[k].z, sum.w + four[k].w);
    }
    sums[thread] = sum;
    __syncthreads();
    if (threadIdx.y > 0)
        return;
    for (int other = thread + width; other < width * height; other += width) {
        float4 four = sums[other];
        sum = make_float4(sum.x + four.x, sum.y + four.y, sum.z + four.z, sum.w + four.w);
    }
    store_four<false>(y + row_of_y * n + column, sum, there);
}

/* How a matrix is cut. */
struct cut {
    int64_t panels, width, height, part, parts;
};

/* For so many multiprocessors; 0: into one part. */
static cut cut_of(int64_t m, int64_t n, int64_t width_max, int64_t multiprocessors)
{
    cut c;
    int64_t vectors = ceil_div(n, VECTOR);
    c.panels = ceil_div(vectors, width_max);
    c.width = ceil_div(vectors, c.panels);
    c.height = THREADS_MAX / c.width < HEIGHT ? THREADS_MAX / c.width : HEIGHT;
    int64_t blocks = multiprocessors * (THREADS / (c.width * c.height)), parts = blocks / c.panels;
    int64_t fair = ceil_div(m, parts > 0 ? parts : 1), least = c.height * ROWS_IN_FLIGHT;
    c.part = parts > 0 && fair < least ? least : fair;
    c.parts = ceil_div(m, c.part);
    return c;
}

static auto kernel_for(int64_t n, const float *x)
{
    bool wide = n % VECTOR == 0 && is_aligned(x, sizeof(float4));
    return wide ? reduce_columns_split_kernel<true> : reduce_columns_split_kernel<false>;
}

const char *reduce_columns_cuda_split(const void *problem, void *stream)
{
    const struct reduce_columns_problem *p = (const struct reduce_columns_problem *)problem;
    int device, multiprocessors;
    if (cudaGetDevice(&device) || cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device))
        return launch_error(__func__);
    cut c = cut_of(p->m, p->n, WIDTH, multiprocessors);
    void *sums = p->y;
    const char *error = c.parts > 1 ? workspace_get((size_t)(c.parts * p->n) * sizeof(float), &sums) : NULL;
    if (error)
        return error;
    LAUNCH(kernel_for(p->n, p->x), (unsigned)(c.panels * c.parts), dim3((unsigned)c.width, (unsigned)c.height), 0,
           (cudaStream_t)stream, (int)p->m, p->n, (unsigned)c.panels, (int)c.part, p->x, (float *)sums);
    if (c.parts > 1) {
        cut f = cut_of(c.parts, p->n, FINAL_WIDTH, 0);
        LAUNCH_EARLY(kernel_for(p->n, (const float *)sums), (unsigned)f.panels,
                     dim3((unsigned)f.width, (unsigned)f.height), 0, (cudaStream_t)stream, (int)c.parts, p->n,
                     (unsigned)f.panels, (int)c.parts, (const float *)sums, p->y);
    }
    return launch_error(__func__);
}
