/* reduce_columns cuda_split: loads of four columns, blocks shaped like the matrix, and a fixed order.
 *
 * Technique: a thread adds up four neighbouring columns, with loads of 16 bytes where rows are aligned. A block is as
 * wide as the matrix, or as a panel of it, and as high as its threads then reach: no lane is without a column, be there
 * 10 or 784. Its rows of threads take rows of x in turns, and one of them adds up their sums in shared memory. The
 * rows are cut into parts, some blocks for each multiprocessor. The sums of the parts are a matrix with the same
 * columns and few rows, which the same kernel sums in a second launch.
 *
 * What it fixes in cuda_atomic: a quarter of the loads, and four times as many bytes in flight. No atomic operation:
 * the order depends on the sizes and the GPU alone.
 *
 * What bounds it: reading x. Small problems are bound by the launches. */
#include "bench/table/reduce_columns.h"
#include "bench/table/rung.h"
#include "kernels/four.h"
#include "kernels/launch.h"
#include "kernels/workspace.h"

constexpr int THREADS_MAX = 256, VECTOR = 4;
constexpr int WIDTH = 64, FINAL_WIDTH = 8;    /* vectors across a block at most; fewer where rows are few */
constexpr int HEIGHT = 32;                    /* rows of threads in a block at most */
constexpr int ROWS_PER_THREAD = 8;            /* at least */
constexpr int BLOCKS_PER_MULTIPROCESSOR = 16; /* wanted, twice what it holds at a time */
static_assert(THREADS_MAX <= 1024, "a block has at most 1024 threads");
static_assert(sizeof(float4) == VECTOR * sizeof(float), "a vector has no gaps");
static_assert(REDUCE_COLUMNS_SIZE_MAX / 2 * 3 + VECTOR * THREADS_MAX <= INT32_MAX,
              "32 bits hold the end of a part or a panel");
static_assert(WIDTH <= THREADS_MAX && FINAL_WIDTH * HEIGHT <= THREADS_MAX, "a block has the threads");

/* x is m x n, in `panels` panels of columns and parts of `part` rows; y has a row of sums for each part. WIDE: rows of
 * x are aligned. */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS_MAX)
    reduce_columns_split_kernel(int m, int n, unsigned panels, int part, const float *x, float *y)
{
    SHARED_ARRAY(float4, sums, THREADS_MAX);
    int width = (int)blockDim.x, thread = (int)threadIdx.y * width + (int)threadIdx.x;
    int column = ((int)(blockIdx.x % panels) * width + (int)threadIdx.x) * VECTOR;
    int64_t row_of_y = blockIdx.x / panels;
    int first = (int)row_of_y * part, end = min(first + part, m);
    int there = min(n - column, VECTOR); /* columns: fewer or none at the end of the last panel */
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 8 /* loads in flight */
    for (int64_t row = first + (int)threadIdx.y; row < end; row += blockDim.y) {
        float4 four = load_four<WIDE>(x + row * n + column, there);
        sum = make_float4(sum.x + four.x, sum.y + four.y, sum.z + four.z, sum.w + four.w);
    }
    sums[thread] = sum;
    __syncthreads();
    if (threadIdx.y > 0)
        return;
    for (int other = thread + width; other < width * (int)blockDim.y; other += width) {
        float4 four = sums[other];
        sum = make_float4(sum.x + four.x, sum.y + four.y, sum.z + four.z, sum.w + four.w);
    }
    store_four<false>(y + row_of_y * n + column, sum, there);
}

/* How a matrix is cut. */
struct cut {
    int64_t panels, width, height, part, parts;
};

static cut cut_of(int64_t m, int64_t n, int64_t width_max, int64_t blocks_wanted)
{
    cut c;
    int64_t vectors = ceil_div(n, VECTOR);
    c.panels = ceil_div(vectors, width_max);
    c.width = ceil_div(vectors, c.panels);
    c.height = THREADS_MAX / c.width < HEIGHT ? THREADS_MAX / c.width : HEIGHT;
    int64_t fair = ceil_div(m, ceil_div(blocks_wanted, c.panels)), least = c.height * ROWS_PER_THREAD;
    c.part = fair < least ? least : fair;
    c.parts = ceil_div(m, c.part);
    return c;
}

static void launch(const cut &c, int64_t m, int64_t n, const float *x, float *y, cudaStream_t stream)
{
    bool wide = n % VECTOR == 0 && is_aligned(x, sizeof(float4));
    auto kernel = wide ? reduce_columns_split_kernel<true> : reduce_columns_split_kernel<false>;
    LAUNCH(kernel, (unsigned)(c.panels * c.parts), dim3((unsigned)c.width, (unsigned)c.height), 0, stream, (int)m,
           (int)n, (unsigned)c.panels, (int)c.part, x, y);
}

const char *reduce_columns_cuda_split(const void *problem, void *stream)
{
    const struct reduce_columns_problem *p = (const struct reduce_columns_problem *)problem;
    int device, multiprocessors;
    if (cudaGetDevice(&device) || cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device))
        return launch_error(__func__);
    cut c = cut_of(p->m, p->n, WIDTH, BLOCKS_PER_MULTIPROCESSOR * multiprocessors);
    void *sums = p->y;
    const char *error = c.parts > 1 ? workspace_get((size_t)(c.parts * p->n) * sizeof(float), &sums) : NULL;
    if (error)
        return error;
    launch(c, p->m, p->n, p->x, (float *)sums, (cudaStream_t)stream);
    if (c.parts > 1)
        launch(cut_of(c.parts, p->n, FINAL_WIDTH, 1), c.parts, p->n, (const float *)sums, p->y, (cudaStream_t)stream);
    return launch_error(__func__);
}
