/* matmul cuda_register_2d: a thread computes 8 x 8 elements of C in registers.
 *
 * Technique: a block computes a 128 x 128 tile of C with 256 threads, and walks along k in steps of 8. Its threads load
 * a 128 x 8 tile of A (As) and an 8 x 128 tile of B (Bs), four elements of each per thread. For each step along k a
 * thread reads eight elements of a column of As and eight of a row of Bs into registers. Each of the first eight is
 * multiplied by each of the second eight (an outer product), which gives 64 multiply-adds.
 *
 *                       Bs: 8 x 128, four elements loaded per thread
 *                      +--#---#---#---#---#---#---#---#---+
 *                      +--#---#---#---#---#---#---#---#---+
 *    As: 128 x 8        C: 128 x 128
 *        +---+         +----------------------------------+
 *        |###|         |  #   #   #   #   #   #   #   #   |   # is what one thread reads and computes: TM = 8 rows,
 *        |   |         |                                  |   16 apart, times TN = 8 columns, 16 apart. Its
 *        |###|         |  #   #   #   #   #   #   #   #   |   neighbours stand next to it, 16 x 16 threads.
 *        |   |         |                                  |
 *         ...                         ...
 *
 * The elements of a thread are 16 apart, so that 16 neighbouring threads always read 16 neighbouring elements of Bs and
 * store 16 neighbouring elements of C. If a thread had eight neighbouring columns, a load of a warp would find four of
 * its elements in each bank, and take four times as long.
 *
 * What it fixes in cuda_register_1d: 16 elements from shared memory serve 64 multiply-adds, 4 each; there it was 8/9.
 * Again the compiler reads four elements of a row of As with one load, so 10 loads serve 64 multiply-adds, 6.4 each. An
 * element that comes from the L2 cache or device memory is used 128 times, which is 32 flop per byte instead of 16.
 *
 * What bounds it: instructions. A third of those in the loop are no multiply-adds: loads, stores, addresses and guards
 * for 4 bytes each (for 16, in As). With 512 in 747, square-4096 takes at least 3 ms to issue. Besides, a
 * multiprocessor has registers for two such blocks only, and every eight steps along k each of them waits for memory
 * and twice at a barrier. cuda_vector moves 16 bytes at a time.
 *
 * What shows it, in ncu: smsp__inst_executed_op_shared_ld.sum, less than half of that of cuda_register_1d.
 *
 * Measured, results/h200-x1/squares.csv.gz:
 *   matmul/square-4096/cuda_register_2d/cold 4.920 ms
 *   matmul/square-4096/cuda_register_1d/cold 7.605 ms */
#include "bench/table/matmul.h"
#include "kernels/launch.h"

constexpr int BM = 128, BN = 128, BK = 8; /* a block's tile of C, and its step along k */
constexpr int TM = 8, TN = 8;             /* rows and columns of a thread */
constexpr int ROWS = BM / TM, COLUMNS = BN / TN, THREADS = ROWS * COLUMNS;
static_assert(BM % TM == 0 && BN % TN == 0, "a tile is whole rows and columns of threads");
static_assert(BM * BK % THREADS == 0 && THREADS % BK == 0, "the threads load whole rows of As");
static_assert(BK * BN % THREADS == 0 && THREADS % BN == 0, "the threads load whole rows of Bs");
static_assert(COLUMNS == 16 && BK == 8, "a warp reads 2 addresses of As, in other banks, and 16 neighbours in Bs");

/* a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide. Two blocks fit on a multiprocessor if a
 * thread has at most 128 registers. */
static __global__ void __launch_bounds__(THREADS, 2)
    matmul_register_2d_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b,
                              float *c)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];
    int64_t first_row = (int64_t)(blockIdx.x / tiles_n) * BM, first_column = (int64_t)(blockIdx.x % tiles_n) * BN;
    int rows = (int)min(m - first_row, (int64_t)BM), columns = (int)min(n - first_column, (int64_t)BN);
    int thread = (int)threadIdx.x;

    /* This thread loads column ax of As, in every (THREADS / BK)-th row from ay on, and column bx of Bs alike. */
    int ax = thread % BK, ay = thread / BK, bx = thread % BN, by = thread / BN;

    /* It computes every ROWS-th row from ty on, and every COLUMNS-th column from tx on. */
    int tx = thread % COLUMNS, ty = thread / COLUMNS;
    float sums[TM][TN] = {};
    for (int64_t p0 = 0; p0 < k; p0 += BK) {
#pragma unroll
        for (int i = 0; i < BM; i += THREADS / BK)
            As[ay + i][ax] = ay + i < rows && p0 + ax < k ? a[(first_row + ay + i) * k + p0 + ax] : 0.0f;
#pragma unroll
        for (int i = 0; i < BK; i += THREADS / BN)
            Bs[by + i][bx] = bx < columns && p0 + by + i < k ? b[(p0 + by + i) * n + first_column + bx] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int p = 0; p < BK; p++) {
            float x[TM], y[TN];
#pragma unroll
            for (int i = 0; i < TM; i++)
                x[i] = As[ty + ROWS * i][p];
#pragma unroll
            for (int j = 0; j < TN; j++)
                y[j] = Bs[p][tx + COLUMNS * j];
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++)
                    sums[i][j] = fmaf(x[i], y[j], sums[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; i++) {
        int row = ty + ROWS * i;
        float *to = c + (first_row + row) * n + first_column + tx;
#pragma unroll
        for (int j = 0; j < TN; j++)
            if (row < rows && tx + COLUMNS * j < columns)
                to[COLUMNS * j] = sums[i][j];
    }
}

const char *matmul_cuda_register_2d(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int64_t tiles_n = ceil_div(p->n, BN);
    int64_t tiles = ceil_div(p->m, BM) * tiles_n;
    return TRY_LAUNCH(__func__, matmul_register_2d_kernel, tiles, THREADS, 0, stream, p->m, p->n, p->k,
                      (unsigned)tiles_n, p->a, p->b, p->c);
}
