/* matmul_grad_b cuda_tiled: tiles of A and dC in shared memory.
 *
 * Technique: that of matmul cuda_tiled. A block computes a 32 x 32 tile of dB, one thread per element. It walks down
 * the batch in steps of 32 rows. In each step its threads load a 32 x 32 tile of A (As) and one of dC (Ds), as they
 * lie: both are read along their rows, in full lines. A product of A^T needs columns of As, and finds them in shared
 * memory: As[p][ty] instead of As[ty][p]. Elements outside the matrices are loaded as zeros.
 *
 * What it fixes in cuda_naive: each loaded element is used 32 times, so A is read once per 32 columns of dB, and not
 * once per 8. No access has bank conflicts: a warp reads one address of As, and 32 neighbours in a row of Ds.
 *
 * What bounds it: as in cuda_naive, too few blocks. A dB of 784 x 10 has 25 tiles, each with a sum over all 50,000
 * rows, and most of a GPU stands idle. The cure is to cut the batch into parts, too. And where dB is narrower than a
 * tile, the lanes outside dB are idle. */
#include "bench/table/matmul_grad_b.h"
#include "bench/table/rung.h"
#include "kernels/launch.h"

constexpr int BK = 32, BN = 32, BM = 32; /* a tile of dB is BK x BN; BM rows of the batch at a time */
static_assert(BK == BM && BN == BM, "each thread fetches one element of As and one of Ds");
static_assert(BN == 32, "a warp is a row of the tile: then neither As nor Ds has bank conflicts");

/* a is m x k, dc is m x n, db is k x n, all row-major. db is tiles_n tiles wide. */
static __global__ void __launch_bounds__(BK *BN)
    matmul_grad_b_tiled_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *dc,
                               float *db)
{
    SHARED_ARRAY(float, As, BM, BK);
    SHARED_ARRAY(float, Ds, BM, BN);
    int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    int64_t first_row = (int64_t)(blockIdx.x / tiles_n) * BK, row = first_row + ty;
    int64_t column = (int64_t)(blockIdx.x % tiles_n) * BN + tx;
    float sum = 0;
    for (int64_t p0 = 0; p0 < m; p0 += BM) {
        As[ty][tx] = p0 + ty < m && first_row + tx < k ? a[(p0 + ty) * k + first_row + tx] : 0.0f;
        Ds[ty][tx] = p0 + ty < m && column < n ? dc[(p0 + ty) * n + column] : 0.0f;
        __syncthreads();
        for (int p = 0; p < BM; p++)
            sum = fmaf(As[p][ty], Ds[p][tx], sum);
        __syncthreads();
    }
    if (row < k && column < n)
        db[row * n + column] = sum;
}

const char *matmul_grad_b_cuda_tiled(const void *problem, void *stream)
{
    const struct matmul_grad_b_problem *p = (const struct matmul_grad_b_problem *)problem;
    int64_t tiles_n = ceil_div(p->n, BN);
    int64_t tiles = ceil_div(p->k, BK) * tiles_n;
    return TRY_LAUNCH(__func__, matmul_grad_b_tiled_kernel, tiles, dim3(BN, BK), 0, stream, p->m, p->n, p->k,
                      (unsigned)tiles_n, p->a, p->dc, p->db);
}
