/* softmax cuda_naive: one thread per row, in three passes.
 *
 * Technique: the loop over rows becomes the grid. A thread walks along its row for the largest element, again for the
 * sum of the exponentials, and a third time for the quotients. The largest element is subtracted before expf(), which
 * would overflow from 89 on.
 *
 * What it fixes in the CPU rungs: all rows at once.
 *
 * What bounds it: memory, badly used. Neighbouring threads read elements a row apart, so that a warp asks for 32 lines
 * for 32 numbers; x is read three times, and exponentials are computed twice. Where the caches lose a sector before its
 * next element is read, three reads and a write move 32 bytes each: 34 GB for the 268 million elements below, 7.5 ms at
 * 4.6 TB/s; each once would take half a millisecond. With few rows most of the GPU is idle.
 *
 * Measured, results/h200-x1/network.csv:
 *   softmax/large/cuda_naive/cold 16.47 ms
 *   softmax/large/cuda_naive/cold ceiling_pct 2.83 % */
#include "bench/table/softmax.h"
#include "kernels/launch.h"

constexpr int THREADS = 128;
static_assert(RUNG_SIZE_MAX + THREADS <= INT32_MAX, "32 bits hold the number of a row");

/* x and y are m x n. */
static __global__ void softmax_naive_kernel(int m, int64_t n, const float *x, float *y)
{
    int row = (int)blockIdx.x * THREADS + (int)threadIdx.x;
    if (row >= m)
        return;
    const float *from = x + row * n;
    float *to = y + row * n, largest = from[0], sum = 0;
    for (int64_t i = 1; i < n; i++)
        largest = fmaxf(largest, from[i]);
    for (int64_t i = 0; i < n; i++)
        sum += expf(from[i] - largest);
    for (int64_t i = 0; i < n; i++)
        to[i] = expf(from[i] - largest) / sum;
}

const char *softmax_cuda_naive(const void *problem, void *stream)
{
    const struct softmax_problem *p = (const struct softmax_problem *)problem;
    return TRY_LAUNCH(__func__, softmax_naive_kernel, ceil_div(p->m, THREADS), THREADS, 0, stream, (int)p->m, p->n,
                      p->x, p->y);
}
