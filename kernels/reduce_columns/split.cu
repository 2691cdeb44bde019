/* reduce_columns cuda_split: loads of four columns, blocks shaped like the matrix, and a fixed order.
 *
 * Technique: a thread adds up four neighbouring columns, with loads of 16 bytes where rows are aligned. It begins the
 * loads of eight rows before it waits for the first; none has a guard, which would part them: behind the end, it loads
 * the last row again, and leaves it out of its sum. A block is as wide as the matrix, or as a panel of it, and as high
 * as its threads then reach: no lane is without a column, be there 10 or 784. The rows are dealt out in turns to as
 * many parts as the multiprocessors hold at a time, so that all blocks read neighbouring rows, and to the rows of
 * threads of a part, one of which adds up their sums in shared memory:
 *
 *           panel 0   panel 1
 *         +---------+---------+
 *         | block 0 | block 1 |  part 0
 *         +---------+---------+
 *         | block 2 | block 3 |  part 1
 *         +---------+---------+
 *         | block 0 | block 1 |  part 0
 *         +---------+---------+
 *         | block 2 | block 3 |  part 1         each part makes a row of sums
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
constexpr int WIDTH = 256, FINAL_WIDTH = 8;               /* vectors across a block at most; fewer where rows are few */
constexpr int HEIGHT = 32;                                /* rows of threads in a block at most */
constexpr int ROWS_IN_FLIGHT = 8;                         /* of a thread */
constexpr int BLOCKS = 2, THREADS = BLOCKS * THREADS_MAX; /* that a multiprocessor is to hold at a time */
constexpr int PARTS_MAX = 8192;                           /* more than a GPU holds at a time */
static_assert(THREADS_MAX <= 1024, "a block has at most 1024 threads");
static_assert(sizeof(float4) == VECTOR * sizeof(float), "a vector has no gaps");
static_assert(REDUCE_COLUMNS_SIZE_MAX + VECTOR * THREADS_MAX + 2 * ROWS_IN_FLIGHT * PARTS_MAX * HEIGHT <= INT32_MAX,
              "32 bits hold the end of a panel, and a row in the turn after the last");
static_assert(WIDTH <= THREADS_MAX && FINAL_WIDTH * HEIGHT <= THREADS_MAX, "a block has the threads");

/* x is m x n, in `panels` panels of columns and so many parts; y has a row of sums for each part. WIDE: rows of x are
 * aligned. */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS_MAX, BLOCKS)
    reduce_columns_split_kernel(int m, int64_t n, unsigned panels, int parts, const float *x, float *y)
{
    SHARED_ARRAY(float4, sums, THREADS_MAX);
    wait_for_last_launch();
    allow_early_launch();
    int width = (int)blockDim.x, height = (int)blockDim.y, thread = (int)threadIdx.y * width + (int)threadIdx.x;
    int column = ((int)(blockIdx.x % panels) * width + (int)threadIdx.x) * VECTOR;
    int part = (int)(blockIdx.x / panels), step = parts * height;
    int there = min((int)n - column, VECTOR); /* columns: fewer or none at the end of the last panel */
    float4 sum = make_float4(0, 0, 0, 0);
    for (int row = part * height + (int)threadIdx.y; row < m && there > 0; row += ROWS_IN_FLIGHT * step) {
        float4 four[ROWS_IN_FLIGHT];
#pragma unroll
        for (int k = 0; k < ROWS_IN_FLIGHT; k++)
            four[k] = load_four<WIDE>(x + min(row + k * step, m - 1) * n + column, there);
#pragma unroll
        for (int k = 0; k < ROWS_IN_FLIGHT; k++)
            if (row + k * step < m)
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
    store_four<false>(y + part * n + column, sum, there);
}

/* How a matrix is cut. */
struct cut {
    int64_t panels, width, height, parts;
};

/* For so many multiprocessors; 0: into one part. */
static cut cut_of(int64_t m, int64_t n, int64_t width_max, int64_t multiprocessors)
{
    cut c;
    int64_t vectors = ceil_div(n, VECTOR);
    c.panels = ceil_div(vectors, width_max);
    c.width = ceil_div(vectors, c.panels);
    c.height = THREADS_MAX / c.width < HEIGHT ? THREADS_MAX / c.width : HEIGHT;
    int64_t held = multiprocessors * (THREADS / (c.width * c.height)) / c.panels;
    int64_t useful = ceil_div(m, c.height * ROWS_IN_FLIGHT), most = held < PARTS_MAX ? held : PARTS_MAX;
    c.parts = useful < most ? useful : most > 0 ? most : 1;
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
           (cudaStream_t)stream, (int)p->m, p->n, (unsigned)c.panels, (int)c.parts, p->x, (float *)sums);
    if (c.parts > 1) {
        cut f = cut_of(c.parts, p->n, FINAL_WIDTH, 0);
        LAUNCH_EARLY(kernel_for(p->n, (const float *)sums), (unsigned)f.panels,
                     dim3((unsigned)f.width, (unsigned)f.height), 0, (cudaStream_t)stream, (int)c.parts, p->n,
                     (unsigned)f.panels, 1, (const float *)sums, p->y);
    }
    return launch_error(__func__);
}
