/* matmul cuda_cluster: for small problems. The blocks of a cluster share k and add up in each other's shared memory.
 *
 * Technique: cuda_split reads all of B for every row of C. Tiles read less, but a small C has few tiles, and most
 * multiprocessors would have none. So CLUSTER blocks work on one tile, each on a part of k, and K_GROUPS groups of
 * threads share that part. A block starts all copies of its parts of A and B at once, and waits once. A thread computes
 * 4 x 4 elements: eight loaded numbers serve sixteen multiply-adds.
 *
 *              k in 8 parts                        rows of the tile of C
 *         +---+---+-- --+---+                     +-----------+
 *       A | 0 | 1 | ... | 7 |   block r has       |  0 to 3   |  <- block 0 adds up 16 groups' sums
 *         +---+---+-- --+---+   part r, each      |  4 to 7   |  <- block 1
 *       B   0   1         7     group half of it  |    ...    |
 *                                                 | 28 to 31  |  <- block 7
 *                                                 +-----------+
 *
 * Then the sums of CLUSTER * K_GROUPS groups have to be added up. Through global memory that would take a second
 * kernel, or atomics and a counter. But the blocks of a cluster run at the same time and can write to each other's
 * shared memory: each block receives the sums for one eighth of the tile from all groups, and adds them up. This takes
 * two barriers of the cluster. The first makes sure that all blocks have started; each block arrives at it before it
 * does anything else, so the wait costs nothing later. The second comes after the writes.
 *
 * What it fixes in cuda_split: an element of B is read once per 32 rows of C, not once per row.
 *
 * What bounds it: latency: the launch, one wait for the L2 cache, 52 steps of k one after the other, the writes to
 * other multiprocessors, the barrier. The bytes and the arithmetic of the row below, 0.6 MB and 13 Mflop, would take a
 * fifth of a microsecond each. On large problems the exchanged sums, which are sixteen times as many as C's elements.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   matmul/mnist-batch64/cuda_cluster/cold 6.432 us
 *   matmul/mnist-batch64/cublas/cold 11.07 us */
#include "bench/table/matmul.h"
#include "hopper.h"
#include "kernels/launch.h"

constexpr int CLUSTER = 8, K_GROUPS = 2;
constexpr int BM = 32, BN = 32, BK = 100; /* BK: an eighth of 784, in whole float4s */
constexpr int TM = 4, TN = 4, TILE_THREADS = BM / TM * BN / TN, THREADS = K_GROUPS * TILE_THREADS;
constexpr int SHARE = BM * BN / CLUSTER; /* elements of the tile that one block adds up */
static_assert(TM == 4 && TN == 4 && BK % 4 == 0, "a thread loads float4s");
static_assert(BK / 4 <= 32, "32 threads copy a row of A");
static_assert(SHARE % BN == 0, "a thread's four elements go to one block");

/* Copies `depth` rows of a matrix to shared memory, where rows are ROW float4s long; the matrix is `stride` wide.
 * Elements outside rows_there x columns_there become zeros. QUADS threads copy a row, a power of two, so that finding a
 * thread's place takes no division. */
template <bool WIDE, int QUADS, int ROW>
static __device__ void fetch(float4 *to, const float *from, int64_t stride, int depth, int rows_there,
                             int columns_there)
{
    int quad = (int)threadIdx.x % QUADS, column = 4 * quad;
    for (int row = (int)threadIdx.x / QUADS; row < depth && quad < ROW; row += THREADS / QUADS) {
        const float *element = from + row * stride + column;
        if (WIDE) {
            copy_async_or_zero(&to[row * ROW + quad], (const float4 *)element,
                               row < rows_there && column < columns_there);
        } else {
            for (int e = 0; e < 4; e++)
                copy_async_or_zero(&to[row * ROW + quad].x + e, element + e,
                                   row < rows_there && column + e < columns_there);
        }
    }
}

/* Adds up this block's share of the tile, of which `rows` and `columns` are there, and stores it to c, n columns wide.
 */
template <typename Shares>
static __device__ __forceinline__ void add_shares(Shares shares, int rank, int rows, int columns, int64_t n,
                                                  int64_t first_row, int64_t first_column, float *c)
{
    for (int i = (int)threadIdx.x; i < SHARE; i += THREADS) {
        float sum = 0;
#pragma unroll
        for (int s = 0; s < CLUSTER * K_GROUPS; s++)
            sum += (&shares[s][0].x)[i];
        int row = (rank * SHARE + i) / BN, column = i % BN;
        if (row < rows && column < columns)
            c[(first_row + row) * n + first_column + column] = sum;
    }
}

/* a is m x k, b is k x n, c is m x n, all row-major. C is tiles_n tiles wide. WIDE: rows are aligned to 16 bytes. */
template <bool WIDE>
static __global__ void CLUSTER_OF(CLUSTER) __launch_bounds__(THREADS)
    matmul_cluster_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    __shared__ float4 As[BM][BK / 4], Bs[BK][BN / 4], shares[CLUSTER * K_GROUPS][SHARE / 4];
    cluster_arrive();
    int thread = (int)threadIdx.x, group = thread / TILE_THREADS;
    int tx = thread % (BN / TN), ty = thread % TILE_THREADS / (BN / TN);
    int rank = (int)(blockIdx.x % CLUSTER);
    unsigned tile = blockIdx.x / CLUSTER; /* 32 bits: 64-bit divisions would take longer than the product */
    int64_t first_row = (int64_t)(tile / tiles_n) * BM, first_column = (int64_t)(tile % tiles_n) * BN;
    int rows = (int)min(m - first_row, (int64_t)BM), columns = (int)min(n - first_column, (int64_t)BN);
    int64_t part = ((k + CLUSTER - 1) / CLUSTER + 3) / 4 * 4, end = min((rank + 1) * part, k);
    float sums[TM][TN] = {};
    for (int64_t p0 = rank * part; p0 < end; p0 += BK) {
        int depth = (int)min(end - p0, (int64_t)BK), quads = (depth + 3) / 4;
        fetch<WIDE, 32, BK / 4>(&As[0][0], a + first_row * k + p0, k, BM, rows, depth);
        fetch<WIDE, BN / 4, BN / 4>(&Bs[0][0], b + p0 * n + first_column, n, 4 * quads, depth, columns);
        copy_async_commit();
        copy_async_wait(0);
        __syncthreads();
        for (int q = group; q < quads; q += K_GROUPS) {
            float4 x[TM], y[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                x[i] = As[ty * TM + i][q];
                y[i] = Bs[4 * q + i][tx];
            }
#pragma unroll
            for (int i = 0; i < TM; i++) {
                float along_k[4] = {x[i].x, x[i].y, x[i].z, x[i].w};
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    sums[i][0] = fmaf(along_k[p], y[p].x, sums[i][0]);
                    sums[i][1] = fmaf(along_k[p], y[p].y, sums[i][1]);
                    sums[i][2] = fmaf(along_k[p], y[p].z, sums[i][2]);
                    sums[i][3] = fmaf(along_k[p], y[p].w, sums[i][3]);
                }
            }
        }
        if (p0 + BK < end)
            __syncthreads();
    }
    cluster_wait();
#pragma unroll
    for (int i = 0; i < TM; i++) {
        int element = (ty * TM + i) * BN + tx * TN;
        cluster_store(&shares[rank * K_GROUPS + group][element % SHARE / 4], element / SHARE,
                      make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]));
    }
    cluster_arrive();
    cluster_wait();
    add_shares(shares, rank, rows, columns, n, first_row, first_column, c);
}

const char *matmul_cuda_cluster(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int64_t tiles_n = ceil_div(p->n, BN), blocks = CLUSTER * ceil_div(p->m, BM) * tiles_n;
    bool is_wide = p->k % 4 == 0 && p->n % 4 == 0 && is_aligned(p->a, 16) && is_aligned(p->b, 16);
    auto *kernel = is_wide ? matmul_cluster_kernel<true> : matmul_cluster_kernel<false>;
    return TRY_LAUNCH(__func__, kernel, blocks, THREADS, 0, stream, p->m, p->n, p->k, (unsigned)tiles_n, p->a, p->b,
                      p->c);
}
