/* map cuda_naive: one thread per element.
 *
 * Technique: the loop over elements becomes the grid. Thread i takes element i; neighbouring threads take neighbouring
 * elements, so a warp reads and writes whole lines. The last block may have more threads than there are elements left;
 * the guard stops those.
 *
 * What it fixes in the CPU rungs: no element waits for another, and the memory of the GPU feeds them all.
 *
 * What bounds it: memory. An element is read once and written once, 8 bytes, for a single comparison: the row below
 * moves 2.1 GB, at least 470 us at 4.6 TB/s, the best rate for so many bytes. A thread has only one load in flight, so
 * the 2,048 threads of a multiprocessor have 8 KB, and blocks come and go all the time.
 *
 * Measured, results/h200-x1/network.csv:
 *   map/large/cuda_naive/cold 776.7 us
 *   map/large/cuda_naive/cold ceiling_pct 60.0 % */
#include "bench/table/map.h"
#include "kernels/launch.h"
#include "relu.h"

constexpr int THREADS = 256;

/* y and x have n elements. */
static __global__ void map_naive_kernel(int64_t n, const float *x, float *y)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        y[i] = relu(x[i]);
}

const char *map_cuda_naive(const void *problem, void *stream)
{
    const struct map_problem *p = (const struct map_problem *)problem;
    int64_t blocks = ceil_div(p->n, THREADS);
    return TRY_LAUNCH(__func__, map_naive_kernel, blocks, THREADS, 0, stream, p->n, p->x, p->y);
}
