/* map cuda_grid_stride: a thread goes through the array in steps as long as the grid.
 *
 * Technique: the grid no longer has to be as large as the problem. A thread takes its element, then the one a grid's
 * length further on, and so on to the end; a warp still reads whole lines in each step. The same kernel takes any n,
 * and a grid of any size.
 *
 * What it fixes in cuda_naive: there are fewer blocks to start, and index and guard are computed once per thread, not
 * once per element.
 *
 * What bounds it: memory, as before: 2.1 GB in the row below, 470 us at 4.6 TB/s. What is in flight at once does not
 * change: 4 bytes per thread.
 *
 * Measured, results/h200-x1/network.csv:
 *   map/large/cuda_grid_stride/cold 672.5 us
 *   map/large/cuda_grid_stride/cold ceiling_pct 69.3 % */
#include "bench/table/map.h"
#include "kernels/launch.h"
#include "relu.h"

constexpr int THREADS = 256;
constexpr int ELEMENTS = 4;           /* per thread at least */
constexpr int64_t BLOCKS_MAX = 16384; /* far more than any GPU holds at once */
static_assert(BLOCKS_MAX * THREADS <= INT32_MAX, "32 bits hold the number of threads");

/* y and x have n elements. */
static __global__ void map_grid_stride_kernel(int64_t n, const float *x, float *y)
{
    int stride = (int)gridDim.x * THREADS;
    for (int64_t i = (int)blockIdx.x * THREADS + (int)threadIdx.x; i < n; i += stride)
        y[i] = relu(x[i]);
}

const char *map_cuda_grid_stride(const void *problem, void *stream)
{
    const struct map_problem *p = (const struct map_problem *)problem;
    int64_t useful = ceil_div(p->n, THREADS * ELEMENTS), blocks = useful < BLOCKS_MAX ? useful : BLOCKS_MAX;
    return TRY_LAUNCH(__func__, map_grid_stride_kernel, blocks, THREADS, 0, stream, p->n, p->x, p->y);
}
