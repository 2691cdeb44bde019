/* matmul cuda_register_1d: a thread computes a column of eight elements of C in registers.
 *
 * Technique: a block computes a 64 x 64 tile of C with 512 threads, and walks along k in steps of 8. Its threads load a
 * 64 x 8 tile of A (As) and an 8 x 64 tile of B (Bs), one element of each per thread. Each thread has the sums of
 * TM = 8 elements of C, one below the other, in registers. It reads an element of Bs once and uses it eight times.
 *
 *                       Bs: 8 x 64, one element loaded per thread
 *                      +----------------#-----------------+
 *                      +----------------#-----------------+
 *    As: 64 x 8         C: 64 x 64
 *        +---+         +----------------------------------+
 *        |   |         |                                  |
 *        |###|         |                #  TM = 8 rows    |   # is what one thread reads and computes. Its warp has
 *        |###|         |                #                 |   the same eight rows, and 32 neighbouring columns.
 *        |   |         |                                  |
 *        +---+         +----------------------------------+
 *
 * What it fixes in cuda_tiled: there each multiply-add needs an element of As and one of Bs. Here nine elements, one of
 * Bs and eight of As, serve eight multiply-adds. The elements of As are the same for all lanes of a warp, and as rows
 * of As are neighbours along k, the compiler reads four of them with one load. So 24 loads serve 64 multiply-adds, 2.7
 * per load; in cuda_tiled it was 0.8. A tile is twice as wide and as high, so an element that comes from the L2 cache
 * or device memory is used 64 times: 16 flop per byte instead of 8.
 *
 * What bounds it: loads from shared memory, still. The arithmetic units take four multiply-adds of a warp in the time
 * in which the load units take one load, and here a load serves fewer than four: 64 multiply-adds need 40 wavefronts,
 * in whose time there are 16. So square-4096 takes at least 5.1 ms, where multiply-adds alone take 2.1 ms. The eight
 * elements of As are read for a single column. Let a thread have several columns, too: cuda_register_2d.
 *
 * What shows it, in ncu: smsp__inst_executed_op_shared_ld.sum, a third of that of cuda_tiled.
 *
 * Measured, results/h200-x1/squares.csv.gz:
 *   matmul/square-4096/cuda_register_1d/cold 7.605 ms
 *   matmul/square-4096/cuda_tiled/cold 16.72 ms */
#include "bench/table/matmul.h"
#include "kernels/launch.h"

constexpr int BM = 64, BN = 64, BK = 8; /* a block's tile of C, and its step along k */
constexpr int TM = 8;                   /* rows of a thread */
constexpr int THREADS = BM / TM * BN;
static_assert(BM % TM == 0, "a tile is whole columns of threads");
static_assert(BM * BK == THREADS && BK * BN == THREADS, "each thread loads one element of As and one of Bs");
static_assert(BN % 32 == 0, "a warp has neighbouring columns of the same rows: then As and Bs have no bank conflicts");

/* a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide. */
static __global__ void __launch_bounds__(THREADS)
    matmul_register_1d_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b,
                              float *c)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];
    int64_t first_row = (int64_t)(blockIdx.x / tiles_n) * BM, first_column = (int64_t)(blockIdx.x % tiles_n) * BN;
    int rows = (int)min(m - first_row, (int64_t)BM), columns = (int)min(n - first_column, (int64_t)BN);
    int thread = (int)threadIdx.x;

    /* This thread loads As[ay][ax] and Bs[ty][tx]. It computes TM rows of column tx, from row TM * ty on. */
    int ax = thread % BK, ay = thread / BK, tx = thread % BN, ty = thread / BN;
    const float *from_a = a + (first_row + ay) * k + ax, *from_b = b + ty * n + first_column + tx;
    float sums[TM] = {};
    for (int64_t p0 = 0; p0 < k; p0 += BK) {
        As[ay][ax] = ay < rows && p0 + ax < k ? from_a[p0] : 0.0f;
        Bs[ty][tx] = tx < columns && p0 + ty < k ? from_b[p0 * n] : 0.0f;

        __syncthreads();
#pragma unroll
        for (int p = 0; p < BK; p++) {
            float y = Bs[p][tx];
#pragma unroll
            for (int i = 0; i < TM; i++)
                sums[i] = fmaf(As[TM * ty + i][p], y, sums[i]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; i++)
        if (TM * ty + i < rows && tx < columns)
            c[(first_row + TM * ty + i) * n + first_column + tx] = sums[i];
}

const char *matmul_cuda_register_1d(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int64_t tiles_n = ceil_div(p->n, BN);
    int64_t tiles = ceil_div(p->m, BM) * tiles_n;
    return TRY_LAUNCH(__func__, matmul_register_1d_kernel, tiles, THREADS, 0, stream, p->m, p->n, p->k,
                      (unsigned)tiles_n, p->a, p->b, p->c);
}
