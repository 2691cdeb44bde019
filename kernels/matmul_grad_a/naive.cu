/* matmul_grad_a cuda_naive: one thread per element of dA.
 *
 * Technique: dA = dC B^T. Each thread walks along a row of dC and a row of B. A block has 32 x 8 threads. A guard stops
 * threads that lie beyond the edge of dA.
 *
 * Nothing is transposed: only the index into B changes. threadIdx.x walks along a row of dA, so its stores, most of the
 * traffic where N is small, are full lines. The lanes of a warp share their element of dC.
 *
 * What bounds it: uncoalesced loads of B. Neighbouring lanes read neighbouring rows of B, n floats apart: with n = 10,
 * as below, ten lines per load where one would do. B is small and stays in the caches. Memory would take 38 us, nearly
 * all to write dA, 159 MB at 4.2 TB/s. cuda_stream loads a row of B once, and cuda_small along its rows.
 *
 * Measured, results/h200-x1/network.csv:
 *   matmul_grad_a/mnist-grad/cuda_naive/cold 220.2 us
 *   matmul_grad_a/mnist-grad/cuda_naive/cold ceiling_pct 17.0 % */
#include "bench/table/matmul_grad_a.h"
#include "kernels/launch.h"

constexpr int BM = 8, BK = 32; /* a block's tile of dA, one thread per element */
static_assert(BK == 32, "a warp walks along a row of dA: then its stores are full lines");

/* dc is m x n, b is k x n, da is m x k, all row-major. */
static __global__ void matmul_grad_a_naive_kernel(int64_t m, int64_t n, int64_t k, const float *dc, const float *b,
                                                  float *da)
{
    int64_t row = (int64_t)blockIdx.x * BM + threadIdx.y;
    if (row >= m)
        return;
    /* One turn, unless k needs more blocks than a grid can have along y. */
    for (int64_t column = (int64_t)blockIdx.y * BK + threadIdx.x; column < k; column += (int64_t)gridDim.y * BK) {
        float sum = 0;
        for (int64_t p = 0; p < n; p++)
            sum = fmaf(dc[row * n + p], b[column * n + p], sum);
        da[row * k + column] = sum;
    }
}

const char *matmul_grad_a_cuda_naive(const void *problem, void *stream)
{
    const struct matmul_grad_a_problem *p = (const struct matmul_grad_a_problem *)problem;
    return TRY_LAUNCH(__func__, matmul_grad_a_naive_kernel, grid_size(ceil_div(p->m, BM), ceil_div(p->k, BK)),
                      dim3(BK, BM), 0, stream, p->m, p->n, p->k, p->dc, p->b, p->da);
}
