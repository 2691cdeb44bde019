/* matmul cuda_tiled: tiles of A and B in shared memory.
 *
 * Technique: a block computes a 32 x 32 tile of C, one thread per element. It walks along k in steps of 32. In each
 * step its threads load a 32 x 32 tile of A (As) and one of B (Bs) together, one element of each per thread. After a
 * barrier each thread multiplies a row of As by a column of Bs. A second barrier keeps fast threads from overwriting a
 * tile that slow threads still read. Sizes need not be multiples of 32: elements outside the matrices are loaded as
 * zeros, which add nothing, and every thread reaches every barrier, even if its element lies outside C.
 *
 * What it fixes in cuda_coalesced: each loaded element is used 32 times, so device memory and the L2 cache serve one
 * thirty-second of the loads. No address causes a bank conflict: a warp reads one address of As, and 32 neighbours in a
 * row of Bs, which lie in 32 banks.
 *
 * What bounds it: loads from shared memory. Each multiply-add still needs a load of its own from Bs (four neighbours in
 * As can come in one load), so the load units are busier than the arithmetic units: 1.5 wavefronts per multiply-add, in
 * whose time there is a quarter of one. And where C is narrower than a tile, the lanes outside C are idle: with ten
 * columns, as below, 39 million multiply-adds of a warp take the place of 12, and their wavefronts 220 us on 132
 * multiprocessors at 1980 MHz. The cure is a thread that computes several elements from registers, so that each loaded
 * operand serves several multiply-adds: cuda_register_1d.
 *
 * What shows it, in ncu: l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum, the wavefronts.
 * l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum, the bank conflicts, is not zero: it counts in hardware, and
 * so also cycles in which the banks, which are the L1 cache's too, were busy with other accesses. What the addresses
 * alone cost is on ncu's source page: there, wavefronts and ideal wavefronts of shared memory are equal, as in the
 * simulator's count (--explain of sim_tiled).
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   matmul/mnist/cuda_tiled/cold 326.7 us */
#include "bench/table/matmul.h"
#include "kernels/launch.h"

constexpr int BM = 32, BN = 32, BK = 32;
static_assert(BM == BK && BN == BK, "each thread fetches one element of As and one of Bs");
static_assert(BN == 32, "a warp is a row of the tile: then neither As nor Bs has bank conflicts");

/* a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide. */
static __global__ void __launch_bounds__(BM *BN)
    matmul_tiled_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];
    int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    int64_t row = (int64_t)(blockIdx.x / tiles_n) * BM + ty;
    int64_t column = (int64_t)(blockIdx.x % tiles_n) * BN + tx;
    float sum = 0;
    for (int64_t p0 = 0; p0 < k; p0 += BK) {
        As[ty][tx] = row < m && p0 + tx < k ? a[row * k + p0 + tx] : 0.0f;
        Bs[ty][tx] = p0 + ty < k && column < n ? b[(p0 + ty) * n + column] : 0.0f;
        __syncthreads();
        for (int p = 0; p < BK; p++)
            sum = fmaf(As[ty][p], Bs[p][tx], sum);
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

const char *matmul_cuda_tiled(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int64_t tiles_n = ceil_div(p->n, BN);
    int64_t tiles = ceil_div(p->m, BM) * tiles_n;
    return TRY_LAUNCH(__func__, matmul_tiled_kernel, tiles, dim3(BN, BM), 0, stream, p->m, p->n, p->k,
                      (unsigned)tiles_n, p->a, p->b, p->c);
}
