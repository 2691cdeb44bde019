/* matmul cuda_naive: one thread an element of C.
 *
 * Technique: the two outer loops of the textbook's three become the grid. Every element of C gets a thread, which walks
 * a row of A and a column of B. Blocks are 16 x 16 threads; threads past the edge of C do nothing (the guard).
 *
 * What it fixes in the CPU rungs: elements no longer wait for each other. The GPU keeps tens of thousands of threads in
 * flight, and while one waits for memory, others compute.
 *
 * What bounds it: threadIdx.x, the index that runs fastest inside a warp, counts rows. So the lanes of a warp read A
 * k floats apart: one load instruction touches 16 rows, in each of them 32 bytes (the smallest piece of memory that
 * moves) for 4 bytes of use, and its store to C does the same. The load units work on 16 separate pieces where one
 * access of a whole line would have done. cuda_coalesced turns the block around.
 *
 * Measured: matmul/mnist/cuda_naive/cold 605.4 us (results/h200/mnist.csv) */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/launch.h"

#include <math.h>

constexpr int BM = 16, BN = 16; /* the block's piece of C, one thread an element */
static_assert(BM * BN <= 1024, "a block has at most 1024 threads");
static_assert(BM * BN % 32 == 0, "a block is whole warps");

/* a is m x k, b is k x n, c is m x n, all row-major. */
static __global__ void matmul_naive_kernel(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c)
{
    int64_t row = (int64_t)blockIdx.x * BM + threadIdx.x;
    if (row >= m)
        return;
    /* One turn, unless n is so large that a grid cannot have a row of blocks for all of it. */
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
    int64_t blocks = ceil_div(p->m, BM);
    const char *error = grid_x_error(__func__, blocks);
    if (error)
        return error;
    dim3 grid((unsigned)blocks, grid_yz(ceil_div(p->n, BN)));
    LAUNCH(matmul_naive_kernel, grid, dim3(BM, BN), 0, (cudaStream_t)stream, p->m, p->n, p->k, p->a, p->b, p->c);
    return launch_error(__func__);
}
