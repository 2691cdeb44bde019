/* conv2d cuda_direct: one thread per output.
 *
 * Technique: the formula as it stands. A thread walks through channels, rows and columns of its filter, and multiplies
 * each element by the one of the image below it. threadIdx.x walks along a row of the answer, so a warp reads
 * neighbours of the image; all its lanes read the same element of the filter.
 *
 * What it fixes in the CPU rungs: no output waits for another.
 *
 * What bounds it: instructions. An output of the row below takes some 300, for loops and 64-bit addresses, of which
 * nine are multiply-adds and 18 are loads: 7 million warps take 2 ms to issue them on 528 schedulers at 1980 MHz. The
 * loads alone would take half a millisecond; what neighbours read overlaps, so most are served by the L1 cache. Memory
 * would take 200 us, nearly all to store 0.9 GB at 4.6 TB/s.
 *
 * Measured, results/h200-x1/network.csv:
 *   conv2d/mnist-conv1-batch10000/cuda_direct/cold 2.437 ms
 *   conv2d/mnist-conv1-batch10000/cuda_direct/cold ceiling_pct 8.04 % */
#include "bench/table/conv2d.h"
#include "kernels/launch.h"

constexpr int THREADS = 256;

/* The answer to an image and a filter is `rows` x `columns`. */
static __global__ void conv2d_direct_kernel(struct conv2d_problem p, int64_t rows, int64_t columns)
{
    int64_t output = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (output >= rows * columns)
        return;
    int64_t i = output / columns, j = output % columns;
    for (int64_t n = blockIdx.z; n < p.n; n += gridDim.z) {
        for (int64_t k = blockIdx.y; k < p.k; k += gridDim.y) {
            const float *x = p.x + (n * p.c * p.h + i) * p.w + j, *f = p.f + k * p.c * p.r * p.r;
            float sum = 0;
            for (int64_t c = 0; c < p.c; c++)
                for (int64_t di = 0; di < p.r; di++)
                    for (int64_t dj = 0; dj < p.r; dj++)
                        sum = fmaf(x[(c * p.h + di) * p.w + dj], *f++, sum);
            p.y[(n * p.k + k) * rows * columns + output] = sum;
        }
    }
}

const char *conv2d_cuda_direct(const void *problem, void *stream)
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    int64_t rows = p->h - p->r + 1, columns = p->w - p->r + 1, blocks = ceil_div(rows * columns, THREADS);
    return TRY_LAUNCH(__func__, conv2d_direct_kernel, grid_size(blocks, p->k, p->n), THREADS, 0, stream, *p, rows,
                      columns);
}
