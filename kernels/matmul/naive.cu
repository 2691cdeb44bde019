/* matmul cuda_naive: one thread per element of C.
 *
 * Technique: the two outer loops of the three-loop form become the grid. Each thread walks along a row of A and down a
 * column of B. A block has 16 x 16 threads. A guard stops threads that lie beyond the edge of C.
 *
 * What it fixes in the CPU rungs: no element of C waits for another. A GPU has tens of thousands of threads in flight:
 * while some wait for memory, others compute.
 *
 * What bounds it: uncoalesced loads. threadIdx.x, which runs fastest inside a warp, counts rows, so the lanes of a warp
 * read A at addresses k floats apart. One load instruction touches 16 rows and moves 32 bytes from each (a sector, the
 * smallest piece that moves) to use 4 of them. The store to C does the same. The load units handle 16 sectors where one
 * full line would do. Memory would take 38 us for the row below, 159 MB at 4.2 TB/s. cuda_coalesced turns the block
 * around.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   matmul/mnist/cuda_naive/cold 599.2 us */
#include "bench/table/matmul.h"
#include "kernels/launch.h"

constexpr int BM = 16, BN = 16; /* a block's tile of C, one thread per element */

/* a is m x k, b is k x n, c is m x n, all row-major. */
static __global__ void matmul_naive_kernel(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c)
{
    int64_t row = (int64_t)blockIdx.x * BM + threadIdx.x;
    if (row >= m)
        return;
    /* One turn, unless n needs more blocks than a grid can have along y. */
    for (int64_t column = (int64_t)blockIdx.y * BN + threadIdx.y; column < n; column += (int64_t)gridDim.y * BN) {
        float sum = 0;
        for (int64_t p = 0; p < k; p++)
            sum = fmaf(a[row * k + p], b[p * n + column], sum);
        c[row * n + column] = sum;
    }
}

const char *matmul_cuda_naive(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    return TRY_LAUNCH(__func__, matmul_naive_kernel, grid_size(ceil_div(p->m, BM), ceil_div(p->n, BN)), dim3(BM, BN), 0,
                      stream, p->m, p->n, p->k, p->a, p->b, p->c);
}
