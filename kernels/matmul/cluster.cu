/* matmul cuda_cluster: for small problems: the blocks of a cluster share k, and add up in each other's shared memory.
 *
 * Technique: cuda_split reads all of B for every row of C. Tiles read less, but a small C has few of them, and most
 * multiprocessors would have none. So a tile is made by CLUSTER blocks, each of which takes a part of k, and within a
 * block by K_GROUPS groups of threads. A block fetches its parts of A and B at once, all copies on their way together,
 * and waits once. A thread computes 4 x 4 elements: eight numbers loaded make sixteen multiply-adds.
 *
 * Then the shares of CLUSTER * K_GROUPS groups have to be added up. Through global memory that takes a second kernel,
 * or atomics and a counter. The blocks of a cluster run at the same time and can write to each other's shared memory,
 * so each block gets the shares of an eighth of the tile from everyone, and adds them up. Two barriers of the cluster:
 * one before writing, that all blocks have begun, of which the first half is done at the start and has cost nothing
 * when the second comes; one after.
 *
 * What it fixes in cuda_split: an element of B is read for 32 rows of C at a time, instead of for each.
 *
 * What bounds it: latency: launch, one wait for the second-level cache, 52 steps of k in a row, the shares'
 * way to another multiprocessor, the barrier. On large problems the shares: they are sixteen times as much as C.
 *
 * Measured: matmul/mnist-batch64/cuda_cluster/graph 3.448 us (results/h200/mnist.csv) */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "hopper.h"
#include "kernels/launch.h"

#include <math.h>

constexpr int CLUSTER = 8, K_GROUPS = 2;
constexpr int BM = 32, BN = 32, BK = 100; /* BK: an eighth of 784, rounded up to float4s */
constexpr int TM = 4, TN = 4, TILE_THREADS = BM / TM * BN / TN, THREADS = K_GROUPS * TILE_THREADS;
constexpr int SHARE = BM * BN / CLUSTER; /* the elements that a block adds up */
static_assert(THREADS <= 1024, "a block has at most 1024 threads");
static_assert(TM == 4 && TN == 4 && BK % 4 == 0, "float4s");
static_assert(BK / 4 <= 32, "32 threads copy a row of A");
static_assert(SHARE % BN == 0, "a thread's four elements go to one block");

/* Copies `depth` rows of a matrix that is `stride` wide to shared memory, QUADS float4s of each, to rows that are ROW
 * float4s; zeros for what is outside rows_there x columns_there. QUADS threads side by side copy a row, so no index has
 * to be divided. */
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

/* a is m x k, b is k x n, c is m x n, all row-major; C is tiles_n tiles wide. WIDE: rows are aligned to 16 bytes. */
template <bool WIDE>
static __global__ void CLUSTER_OF(CLUSTER) __launch_bounds__(THREADS)
    matmul_cluster_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    __shared__ float4 As[BM][BK / 4], Bs[BK][BN / 4], shares[CLUSTER * K_GROUPS][SHARE / 4];
    cluster_arrive();
    int thread = (int)threadIdx.x, group = thread / TILE_THREADS;
    int tx = thread % (BN / TN), ty = thread % TILE_THREADS / (BN / TN);
    int rank = (int)(blockIdx.x % CLUSTER);
    unsigned tile = blockIdx.x / CLUSTER; /* 64-bit divisions would take longer than the arithmetic */
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
    for (int i = thread; i < SHARE; i += THREADS) {
        float sum = 0;
#pragma unroll
        for (int s = 0; s < CLUSTER * K_GROUPS; s++)
            sum += (&shares[s][0].x)[i];
        int row = (rank * SHARE + i) / BN, column = i % BN;
        if (row < rows && column < columns)
            c[(first_row + row) * n + first_column + column] = sum;
    }
}

const char *matmul_cuda_cluster(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int64_t tiles_n = ceil_div(p->n, BN), blocks = CLUSTER * ceil_div(p->m, BM) * tiles_n;
    const char *error = grid_x_error(__func__, blocks);
    if (error)
        return error;
    bool is_wide = p->k % 4 == 0 && p->n % 4 == 0 && is_aligned(p->a, 16) && is_aligned(p->b, 16);
    auto *kernel = is_wide ? matmul_cluster_kernel<true> : matmul_cluster_kernel<false>;
    LAUNCH(kernel, (unsigned)blocks, THREADS, 0, (cudaStream_t)stream, p->m, p->n, p->k, (unsigned)tiles_n, p->a, p->b,
           p->c);
    return launch_error(__func__);
}
