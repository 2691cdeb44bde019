/* matmul_grad_b cuda_naive: one thread per element of dB.
 *
 * Technique: dB = A^T dC. Each thread walks down a column of A and a column of dC, the batch long. A block has 32 x 8
 * threads. A guard stops threads that lie beyond the edge of dB.
 *
 * Nothing is transposed: only the index into A changes. threadIdx.x counts rows of dB, which are columns of A, so the
 * lanes of a warp read neighbours in a row of A: one full line per load. In the forward product the same block reads A
 * at addresses far apart (matmul cuda_naive). The lanes share their element of dC.
 *
 * What bounds it: too few threads, each with too much to do. dB is small (784 x 10) and the sums are long (50,000), so
 * 50 blocks are there for 132 multiprocessors, and each thread waits for memory at each of its steps. Memory would take
 * 38 us, 159 MB at 4.2 TB/s. The cure is to cut the batch into parts: blocks sum a part each, and the parts are added.
 * And every 8 columns of dB read all of A again.
 *
 * Measured, results/h200-x1/network.csv:
 *   matmul_grad_b/mnist-grad/cuda_naive/cold 8.812 ms
 *   matmul_grad_b/mnist-grad/cuda_naive/cold ceiling_pct 0.424 % */
#include "bench/table/matmul_grad_b.h"
#include "kernels/launch.h"

constexpr int BK = 32, BN = 8; /* a block's tile of dB, one thread per element */
static_assert(BK == 32, "a warp walks down a column of dB: then its loads of A are full lines");

/* a is m x k, dc is m x n, db is k x n, all row-major. */
static __global__ void matmul_grad_b_naive_kernel(int64_t m, int64_t n, int64_t k, const float *a, const float *dc,
                                                  float *db)
{
    int64_t row = (int64_t)blockIdx.x * BK + threadIdx.x;
    if (row >= k)
        return;
    /* One turn, unless n needs more blocks than a grid can have along y. */
    for (int64_t column = (int64_t)blockIdx.y * BN + threadIdx.y; column < n; column += (int64_t)gridDim.y * BN) {
        float sum = 0;
        for (int64_t p = 0; p < m; p++)
            sum = fmaf(a[p * k + row], dc[p * n + column], sum);
        db[row * n + column] = sum;
    }
}

const char *matmul_grad_b_cuda_naive(const void *problem, void *stream)
{
    const struct matmul_grad_b_problem *p = (const struct matmul_grad_b_problem *)problem;
    return TRY_LAUNCH(__func__, matmul_grad_b_naive_kernel, grid_size(ceil_div(p->k, BK), ceil_div(p->n, BN)),
                      dim3(BK, BN), 0, stream, p->m, p->n, p->k, p->a, p->dc, p->db);
}
