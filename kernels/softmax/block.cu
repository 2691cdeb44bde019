/* softmax cuda_block: a block per row.
 *
 * Technique: the three passes of cuda_naive, but neighbouring threads take neighbouring elements of the same row. Each
 * finds the largest of its own; shuffles and a little shared memory make it the largest of all. The same for the sum
 * (kernels/sums.h).
 *
 * What it fixes in cuda_naive: warps read whole lines, and long rows keep the GPU busy, even if they are few.
 *
 * What bounds it: instructions. In the row below a thread has four elements, and takes some 400 instructions: half for
 * three passes with two exponentials, half for two reductions across the block. Its 2.1 million warps take 0.8 ms to
 * issue them on 528 schedulers at 1980 MHz; memory would take 470 us, 2.1 GB at 4.6 TB/s, as the caches serve the
 * second and third pass. Rows that these do not hold are read three times. Of short rows most lanes have nothing.
 *
 * Measured, results/h200-x1/network.csv:
 *   softmax/large/cuda_block/cold 908.6 us
 *   softmax/large/cuda_block/cold ceiling_pct 51.3 % */
#include "bench/table/softmax.h"
#include "kernels/launch.h"
#include "kernels/sums.h"

#include <float.h>

constexpr int THREADS_MAX = 256; /* of a block: fewer where rows are short */

/* x and y have rows of n elements. */
static __global__ void softmax_block_kernel(int n, const float *x, float *y)
{
    const float *from = x + (int64_t)blockIdx.x * n;
    float *to = y + (int64_t)blockIdx.x * n, largest = -FLT_MAX, sum = 0;
    int first = (int)threadIdx.x, step = (int)blockDim.x;
    for (int i = first; i < n; i += step)
        largest = fmaxf(largest, from[i]);
    largest = block_maximum(largest);
    for (int i = first; i < n; i += step)
        sum += expf(from[i] - largest);
    sum = block_sum(sum);
    for (int i = first; i < n; i += step)
        to[i] = expf(from[i] - largest) / sum;
}

const char *softmax_cuda_block(const void *problem, void *stream)
{
    const struct softmax_problem *p = (const struct softmax_problem *)problem;
    return TRY_LAUNCH(__func__, softmax_block_kernel, p->m, threads_for(p->n, THREADS_MAX), 0, stream, (int)p->n, p->x,
                      p->y);
}
