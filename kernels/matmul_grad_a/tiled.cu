/* matmul_grad_a cuda_tiled: tiles of dC and B in shared memory, B turned there.
 *
 * Technique: that of matmul cuda_tiled. A block computes a 32 x 32 tile of dA, one thread per element. It walks along n
 * in steps of 32. In each step its threads load a 32 x 32 tile of dC (Ds) and one of B (Bs), as they lie: both are read
 * along their rows, in full lines. A product by B^T needs columns of Bs. A warp that read a column of a 32 x 32 array
 * would find all of it in one bank of shared memory, 32 reads one after the other. So each row of Bs has one element
 * more, and its columns lie across all banks. Elements outside the matrices are loaded as zeros.
 *
 * What it fixes in cuda_naive: no lane reads a row of B of its own from memory. Each loaded element is used 32 times.
 *
 * What bounds it: where N is small, idle lanes and waiting. With N = 10 there is one step, of which 22 of 32 columns
 * are zeros, two barriers, and then one store per thread: little work is in flight at a time. On large matrices, loads
 * from shared memory, as in matmul cuda_tiled. */
#include "bench/table/matmul_grad_a.h"
#include "kernels/launch.h"

constexpr int BM = 32, BK = 32, BN = 32; /* a tile of dA is BM x BK; BN terms of its sums at a time */
constexpr int PAD = 1;
static_assert(BM == BN && BK == BN, "each thread fetches one element of Ds and one of Bs");
static_assert(BK == 32 && (BN + PAD) % 2 == 1, "a warp is a row of the tile, and no two of its lanes share a bank");

/* dc is m x n, b is k x n, da is m x k, all row-major. da is tiles_k tiles wide. */
static __global__ void __launch_bounds__(BM *BK)
    matmul_grad_a_tiled_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_k, const float *dc, const float *b,
                               float *da)
{
    SHARED_ARRAY(float, Ds, BM, BN);
    SHARED_ARRAY(float, Bs, BK, BN + PAD);
    int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    int64_t row = (int64_t)(blockIdx.x / tiles_k) * BM + ty;
    int64_t first_column = (int64_t)(blockIdx.x % tiles_k) * BK, column = first_column + tx;
    float sum = 0;
    for (int64_t p0 = 0; p0 < n; p0 += BN) {
        Ds[ty][tx] = row < m && p0 + tx < n ? dc[row * n + p0 + tx] : 0.0f;
        Bs[ty][tx] = first_column + ty < k && p0 + tx < n ? b[(first_column + ty) * n + p0 + tx] : 0.0f;
        __syncthreads();
        for (int p = 0; p < BN; p++)
            sum = fmaf(Ds[ty][p], Bs[tx][p], sum);
        __syncthreads();
    }
    if (row < m && column < k)
        da[row * k + column] = sum;
}

const char *matmul_grad_a_cuda_tiled(const void *problem, void *stream)
{
    const struct matmul_grad_a_problem *p = (const struct matmul_grad_a_problem *)problem;
    int64_t tiles_k = ceil_div(p->k, BK);
    int64_t tiles = ceil_div(p->m, BM) * tiles_k;
    return TRY_LAUNCH(__func__, matmul_grad_a_tiled_kernel, tiles, dim3(BK, BM), 0, stream, p->m, p->n, p->k,
                      (unsigned)tiles_k, p->dc, p->b, p->da);
}
