/* matmul cuda_vector: 8 x 8 elements per thread, loaded and stored 16 bytes at a time.
 *
 * Technique: the tiles are those of cuda_register_2d, 128 x 128 of C and steps of 8 along k. Each thread loads four
 * neighbours from a row of A with one load (a float4), and four from a row of B. As is stored transposed, 8 x 128, so
 * that the elements which a thread needs at one step along k are neighbours, too: two loads of 16 bytes read its eight
 * rows, two more its eight columns.
 *
 *                       Bs: 8 x 128, one float4 loaded per thread
 *                      +---####------------####-----------+
 *                      +---####------------####-----------+
 *    As: 8 x 128,       C: 128 x 128
 *    drawn upright     +----------------------------------+
 *        +---+         |   ####            ####           |   # is what one thread reads and computes: four pieces of
 *        |###|         |   ####            ####           |   4 x 4 elements, 64 rows and 64 columns apart. Its
 *        |   |         |                                  |   neighbours stand next to it, 16 x 16 threads, so that
 *        |###|         |   ####            ####           |   16 of them read 256 neighbouring bytes of Bs. 8 x 8
 *        |   |         |   ####            ####           |   elements in one piece would lie 32 bytes apart, which
 *        +---+         |                                  |   is a bank conflict.
 *                      +----------------------------------+
 *
 * The four elements of a float4 of A go to four rows of As. The 32 lanes of a warp hold 16 rows of A, two float4s of
 * each. With rows of As 132 elements long instead of 128 their stores go to 32 different banks.
 *
 * A 16-byte access must start at a multiple of 16. In A it does if the matrix starts at one and k is a multiple of
 * four; in B and C alike with n. Where it does not, the launcher takes a kernel that loads or stores single elements
 * there.
 *
 * What it fixes in cuda_register_2d: four loads from shared memory serve 64 multiply-adds, 16 each instead of 6.4, and
 * there is one load from A and one from B per thread and step, with one guard and one address, instead of four. The
 * bytes are the same: 32 flop per byte from device memory or the L2 cache, 4 multiply-adds per element from shared
 * memory.
 *
 * What bounds it: waiting. Every eight steps along k a block waits for its next tiles and twice at a barrier, and
 * nothing fills that time but the other block on the multiprocessor. Shared memory is busy less than half of the time,
 * but not idle: 128 bytes can go from there to the registers of a warp at a time (a wavefront), and a load of 16 bytes
 * per lane is 512. It takes four wavefronts, or two if neighbouring lanes read the same address. Neighbouring lanes
 * have the same rows here, but not the same columns: 12 wavefronts serve 64 multiply-adds, as many as in
 * cuda_register_2d, in whose time the load units can do 16. cuda_warp_tile needs eight.
 *
 * What shows it, in ncu beside cuda_register_2d: smsp__inst_executed.sum is smaller, and
 * l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum is the same.
 *
 * Measured, results/h200-x1/squares.csv.gz:
 *   matmul/square-4096/cuda_vector/cold 3.797 ms
 *   matmul/square-4096/cuda_register_2d/cold 4.920 ms */
#include "bench/table/matmul.h"
#include "kernels/four.h"
#include "kernels/launch.h"

constexpr int BM = 128, BN = 128, BK = 8; /* a block's tile of C, and its step along k */
constexpr int TM = 8, TN = 8;             /* rows and columns of a thread, in pieces of 4 x 4 */
constexpr int ROWS = BM / TM, COLUMNS = BN / TN, THREADS = ROWS * COLUMNS;
constexpr int A_FOURS = BK / 4, B_FOURS = BN / 4; /* float4s in the rows of the tiles of A and B */
constexpr int AS_ROW = BM + 4;                    /* elements in a row of As */
static_assert(TM == 8 && TN == 8, "a thread has four pieces of 4 x 4 elements");
static_assert(BM * A_FOURS == THREADS && BK * B_FOURS == THREADS, "each thread loads one float4 of A and one of B");
static_assert(A_FOURS == 2 && 4 * AS_ROW % 32 == 16, "the stores to As have no bank conflicts");

/* a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide. WIDE_A: rows of a are aligned to 16
 * bytes. WIDE_N: rows of b and c are. */
template <bool WIDE_A, bool WIDE_N>
static __global__ void __launch_bounds__(THREADS, 2)
    matmul_vector_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    __shared__ float4 As[BK][AS_ROW / 4];
    __shared__ float4 Bs[BK][BN / 4];
    int64_t first_row = (int64_t)(blockIdx.x / tiles_n) * BM, first_column = (int64_t)(blockIdx.x % tiles_n) * BN;
    int rows = (int)min(m - first_row, (int64_t)BM), columns = (int)min(n - first_column, (int64_t)BN);
    int thread = (int)threadIdx.x;

    /* This thread loads four elements of row ay of A, and four of row by of B. */
    int ax = 4 * (thread % A_FOURS), ay = thread / A_FOURS, bx = thread % B_FOURS, by = thread / B_FOURS;
    const float *from_a = a + (first_row + ay) * k + ax, *from_b = b + by * n + first_column + 4 * bx;
    float *to_a = &As[ax][ay / 4].x + ay % 4;

    /* It computes four rows from 4 * ty on and four that lie BM / 2 lower, and columns alike. */
    int tx = thread % COLUMNS, ty = thread / COLUMNS;
    float sums[TM][TN] = {};
    for (int64_t p0 = 0; p0 < k; p0 += BK) {
        int depth = (int)min(k - p0, (int64_t)BK);
        float4 four_a = load_four<WIDE_A>(from_a + p0, ay < rows ? depth - ax : 0);
        float4 four_b = load_four<WIDE_N>(from_b + p0 * n, by < depth ? columns - 4 * bx : 0);
        float x[TM], y[TN];
        unpack(four_a, x);
#pragma unroll
        for (int e = 0; e < 4; e++)
            to_a[e * AS_ROW] = x[e];
        Bs[by][bx] = four_b;
        __syncthreads();
#pragma unroll
        for (int p = 0; p < BK; p++) {
            unpack(As[p][ty], &x[0]);
            unpack(As[p][ROWS + ty], &x[4]);
            unpack(Bs[p][tx], &y[0]);
            unpack(Bs[p][COLUMNS + tx], &y[4]);
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
        int row = i / 4 * (BM / 2) + 4 * ty + i % 4;
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            int column = j / 4 * (BN / 2) + 4 * tx;
            store_four<WIDE_N>(c + (first_row + row) * n + first_column + column, pack(&sums[i][j]),
                               row < rows ? columns - column : 0);
        }
    }
}

const char *matmul_cuda_vector(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int64_t tiles_n = ceil_div(p->n, BN);
    int64_t tiles = ceil_div(p->m, BM) * tiles_n;
    bool wide_a = p->k % 4 == 0 && is_aligned(p->a, 16);
    bool wide_n = p->n % 4 == 0 && is_aligned(p->b, 16) && is_aligned(p->c, 16);
    auto if_wide_a = wide_n ? matmul_vector_kernel<true, true> : matmul_vector_kernel<true, false>;
    auto if_not = wide_n ? matmul_vector_kernel<false, true> : matmul_vector_kernel<false, false>;
    auto kernel = wide_a ? if_wide_a : if_not;
    return TRY_LAUNCH(__func__, kernel, tiles, THREADS, 0, stream, p->m, p->n, p->k, (unsigned)tiles_n, p->a, p->b,
                      p->c);
}
