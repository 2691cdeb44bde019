/* How cuda_split and cuda_vector cut a matrix: into panels of columns and parts of rows, with a block for each of both.
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
 * A thread adds up four neighbouring columns, with loads of 16 bytes where rows are aligned. It begins the loads of
 * eight rows before it waits for the first; none has a guard, which would part them: behind the end, it loads the last
 * row again, and leaves it out of its sum. A block is as wide as the matrix, or as a panel of it, and as high as its
 * threads then reach: no lane is without a column, be there 10 or 784. The rows are dealt out in turns to the parts, so
 * that all blocks read neighbouring rows, and to the rows of threads of a part, one of which adds up their sums. */
#pragma once

#include "bench/table/reduce_columns.h"
#include "kernels/four.h"
#include "kernels/launch.h"

constexpr int THREADS_MAX = 512, VECTOR = 4;
constexpr int WIDTH = 256;        /* vectors across a block at most; fewer where rows are few */
constexpr int HEIGHT = 32;        /* rows of threads in a block at most */
constexpr int ROWS_IN_FLIGHT = 8; /* of a thread */
constexpr int PARTS_MAX = 8192;   /* more than a GPU holds at a time */
static_assert(RUNG_SIZE_MAX + VECTOR * THREADS_MAX + 2 * ROWS_IN_FLIGHT * PARTS_MAX * HEIGHT <= INT32_MAX,
              "32 bits hold the end of a panel, and a row in the turn after the last");
static_assert(WIDTH <= THREADS_MAX, "a block has the threads");

struct cut {
    int64_t panels, width, height, parts;
};

/* For so many multiprocessors, each of which is to hold so many threads. 0 multiprocessors: one part. */
static cut cut_of(int64_t m, int64_t n, int64_t width_max, int64_t multiprocessors, int64_t threads)
{
    cut c;
    int64_t vectors = ceil_div(n, VECTOR);
    c.panels = ceil_div(vectors, width_max);
    c.width = ceil_div(vectors, c.panels);
    c.height = THREADS_MAX / c.width < HEIGHT ? THREADS_MAX / c.width : HEIGHT;
    int64_t held = multiprocessors * (threads / (c.width * c.height)) / c.panels;
    int64_t useful = ceil_div(m, c.height * ROWS_IN_FLIGHT), most = held < PARTS_MAX ? held : PARTS_MAX;
    c.parts = useful < most ? useful : most > 0 ? most : 1;
    return c;
}

static bool is_wide(int64_t n, const float *x)
{
    return n % VECTOR == 0 && is_aligned(x, sizeof(float4));
}

/* Where a thread is: its part, its first column, and how many of the four there are, at the end fewer or none. */
struct place {
    int part, column, there;
};

static __device__ __forceinline__ place place_of(int64_t n, unsigned panels)
{
    place p;
    p.column = ((int)(blockIdx.x % panels) * (int)blockDim.x + (int)threadIdx.x) * VECTOR;
    p.part = (int)(blockIdx.x / panels);
    p.there = min((int)n - p.column, VECTOR);
    return p;
}

/* The sums of four columns of a part, in the threads of the first row of the block. A kernel calls it once. WIDE: rows
 * of x are aligned. */
template <bool WIDE>
static __device__ __forceinline__ float4 sum_of_part(int m, int64_t n, place p, int parts, const float *x)
{
    __shared__ float4 sums[THREADS_MAX];
    int width = (int)blockDim.x, height = (int)blockDim.y, thread = (int)threadIdx.y * width + (int)threadIdx.x;
    int step = parts * height;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int row = p.part * height + (int)threadIdx.y; row < m && p.there > 0; row += ROWS_IN_FLIGHT * step) {
        float4 four[ROWS_IN_FLIGHT];
#pragma unroll
        for (int k = 0; k < ROWS_IN_FLIGHT; k++)
            four[k] = load_four<WIDE>(x + min(row + k * step, m - 1) * n + p.column, p.there);
#pragma unroll
        for (int k = 0; k < ROWS_IN_FLIGHT; k++)
            if (row + k * step < m)
                sum = make_float4(sum.x + four[k].x, sum.y + four[k].y, sum.z + four[k].z, sum.w + four[k].w);
    }
    sums[thread] = sum;
    __syncthreads();
    for (int other = thread + width; threadIdx.y == 0 && other < width * height; other += width) {
        float4 four = sums[other];
        sum = make_float4(sum.x + four.x, sum.y + four.y, sum.z + four.z, sum.w + four.w);
    }
    return sum;
}
