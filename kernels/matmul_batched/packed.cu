/* matmul_batched cuda_packed: 4 x 4 elements per thread, and as many products per block as it has threads for.
 *
 * Technique: a thread computes a tile of 4 x 4 elements in registers; so a product of 28 x 28 takes 49 threads, and 256
 * have room for five. The factors of products that follow each other lie behind each other in memory, so the block
 * copies those of all its products as one piece. The rows of a thread are as far apart as there are tiles in a column,
 * and its columns likewise: then neighbours in a warp read neighbours in a row of B.
 *
 * What it fixes in cuda_shared: 8 loads from shared memory serve 16 multiply-adds instead of 8 for 4. Of 256 threads,
 * 245 have work.
 *
 * What bounds it: shared memory still, whose rows are as long as those of the matrices: lanes in different rows of A
 * may meet in a bank. Each block waits for all of its factors before it multiplies. With few products it loses to
 * cuda_shared: 256 of 28 x 28 are 52 blocks, for 132 multiprocessors. Factors of more than 48 KiB are left to
 * cuda_grid.
 *
 * Measured, results/h200-x1/network.csv:
 *   matmul_batched/4096-of-28x28/cuda_packed/cold 29.57 us
 *   matmul_batched/4096-of-28x28/cuda_shared/cold 40.35 us
 *   matmul_batched/256-of-28x28/cuda_packed/cold 11.94 us
 *   matmul_batched/256-of-28x28/cuda_packed/cold ceiling_pct 33.5 % */
#include "bench/table/matmul_batched.h"
#include "kernels/launch.h"

constexpr int THREADS = 256, FLOATS_MAX = 12288; /* of the factors of a block's products */
constexpr int TM = 4, TN = 4;
static_assert(FLOATS_MAX * sizeof(float) <= 48 * 1024, "more shared memory must be asked for");

static __device__ __forceinline__ void copy(float *to, const float *from, int count)
{
    for (int i = (int)threadIdx.x; i < count; i += THREADS)
        to[i] = from[i];
}

/* Tile number `tile` of C, m x n, in shared memory a, m x k, and b, k x n. */
static __device__ __forceinline__ void multiply_tile(int m, int n, int k, int tile, const float *a, const float *b,
                                                     float *c)
{
    int tiles_m = (m - 1) / TM + 1, tiles_n = (n - 1) / TN + 1, row = tile / tiles_n, column = tile % tiles_n;
    int a_row[TM], b_column[TN]; /* beyond the edge the last one stands in */
    float sums[TM][TN] = {};
#pragma unroll
    for (int i = 0; i < TM; i++)
        a_row[i] = min(row + i * tiles_m, m - 1) * k;
#pragma unroll
    for (int j = 0; j < TN; j++)
        b_column[j] = min(column + j * tiles_n, n - 1);
    for (int p = 0; p < k; p++) {
        float x[TM], y[TN];
#pragma unroll
        for (int i = 0; i < TM; i++)
            x[i] = a[a_row[i] + p];
#pragma unroll
        for (int j = 0; j < TN; j++)
            y[j] = b[p * n + b_column[j]];
#pragma unroll
        for (int i = 0; i < TM; i++)
#pragma unroll
            for (int j = 0; j < TN; j++)
                sums[i][j] = fmaf(x[i], y[j], sums[i][j]);
    }
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++)
            if (row + i * tiles_m < m && column + j * tiles_n < n)
                c[(row + i * tiles_m) * n + column + j * tiles_n] = sums[i][j];
}

/* A block has `products` products with `lanes` threads each. */
static __global__ void __launch_bounds__(THREADS)
    matmul_batched_packed_kernel(struct matmul_batched_problem p, int products, int lanes)
{
    DYNAMIC_SHARED(float, As);
    int m = (int)p.m, n = (int)p.n, k = (int)p.k;
    float *Bs = As + products * m * k;
    int64_t first = (int64_t)blockIdx.x * products;
    int here = (int)min((int64_t)products, p.batch - first), mine = (int)threadIdx.x / lanes;
    copy(As, p.a + first * m * k, here * m * k);
    copy(Bs, p.b + first * k * n, here * k * n);
    __syncthreads();
    if (mine >= here)
        return;
    int tiles = ((m - 1) / TM + 1) * ((n - 1) / TN + 1);
    for (int tile = (int)threadIdx.x % lanes; tile < tiles; tile += lanes)
        multiply_tile(m, n, k, tile, As + mine * m * k, Bs + mine * k * n, p.c + (first + mine) * m * n);
}

const char *matmul_batched_cuda_packed(const void *problem, void *stream)
{
    const struct matmul_batched_problem *p = (const struct matmul_batched_problem *)problem;
    int64_t floats = (p->m + p->n) * p->k;
    if (floats > FLOATS_MAX)
        return rung_hand_over(matmul_batched_cuda_grid, problem, stream);
    int64_t tiles = ceil_div(p->m, TM) * ceil_div(p->n, TN), lanes = tiles < THREADS ? tiles : THREADS;
    int64_t by_threads = THREADS / lanes, by_memory = FLOATS_MAX / floats;
    int64_t products = by_threads < by_memory ? by_threads : by_memory;
    return TRY_LAUNCH(__func__, matmul_batched_packed_kernel, ceil_div(p->batch, products), THREADS,
                      (size_t)(products * floats) * sizeof(float), stream, *p, (int)products, (int)lanes);
}
