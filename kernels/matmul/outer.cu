/* matmul cuda_outer: an outer product per step along k, which reads B and writes C once.
 *
 * Technique: where k is short, C is larger than A and B together, and where A has few rows, B is: the work is to move
 * one of them. A tile that waits for a ring of stages before it starts, as in cuda_fitted, waits for nothing. Here a
 * warp has TM rows of C by 128 columns in registers, four columns to a lane. For each step along k it takes a piece of
 * a row of B straight from memory, and TM elements of A, which all lanes need, from shared memory, where the warp has
 * put 32 steps of them:
 *
 *          A                    B: a row, 128 columns             C, in registers
 *        row 0  a0              b0 b1 b2 b3 | b4 b5 b6 b7 | ...    a0 b0  a0 b1 ...
 *        row 1  a1      x       lane 0        lane 1           =   a1 b0  a1 b1 ...
 *         ...                                                        ...
 *        row 7  a7                                                 a7 b0  a7 b1 ...
 *
 * The loads of some steps are under way before the first product, and those of the next 32 steps of A. If rows are no
 * multiples of 16 bytes, a lane has every 32nd column: accesses of 4 bytes, side by side. With few rows the warps of a
 * block have the same tile and each a part of k, and so have the blocks of a cluster; they add up in shared memory.
 *
 * What it fixes in cuda_fitted: for a short k, the time until the first stage and barriers between stages; for few rows
 * of A, tiles of 32 rows that are mostly empty.
 *
 * What bounds it: writing C, or reading B. On large problems the loads: 32 multiply-adds for three of 16 bytes. */
#include "bench/table/matmul.h"
#include "bench/table/model.h"
#include "shared_k.h"
#include "hopper.h"
#include "kernels/four.h"

constexpr int WARPS = OUTER_WARPS, COLUMNS = OUTER_COLUMNS, TN = COLUMNS / 32, STEPS = 32;

/* A lane's columns of a row whose first `there` are in the matrix: four neighbours, or every 32nd. */
template <bool WIDE>
static __device__ __forceinline__ void load_columns(const float *row, int lane, int there, float (&x)[TN])
{
    if (WIDE) {
        unpack(load_four<true>(row + TN * lane, there - TN * lane), x);
    } else {
#pragma unroll
        for (int j = 0; j < TN; j++)
            x[j] = lane + 32 * j < there ? row[lane + 32 * j] : 0.0f;
    }
}

template <bool WIDE>
static __device__ __forceinline__ void store_columns(float *row, int lane, int there, const float (&x)[TN])
{
    if (WIDE) {
        store_four<true>(row + TN * lane, pack(x), there - TN * lane);
    } else {
#pragma unroll
        for (int j = 0; j < TN; j++)
            if (lane + 32 * j < there)
                row[lane + 32 * j] = x[j];
    }
}

/* Adds the products of `steps` steps to the lane's sums; b points to the first row of B, of which `there` columns are
 * there. */
template <int TM, int BATCH, bool WIDE>
static __device__ __forceinline__ void add_steps(const float (&terms)[STEPS][TM], const float *b, int64_t n, int steps,
                                                 int there, float (&sums)[TM][TN])
{
    const int lane = (int)threadIdx.x % 32;
#pragma unroll 1
    for (int s = 0; s < steps; s += BATCH) {
        float x[BATCH][TN];
#pragma unroll
        for (int u = 0; u < BATCH; u++)
            load_columns<WIDE>(b + (s + u) * n, lane, s + u < steps ? there : 0, x[u]);
#pragma unroll
        for (int u = 0; u < BATCH; u++)
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++)
                    sums[i][j] = fmaf(terms[s + u][i], x[u][j], sums[i][j]);
    }
}

/* Adds up the sums of the block's warps, and then of the cluster's blocks, in its first one. A warp then has SHARE rows
 * of the tile. */
template <int TM, int SHARE = TM / WARPS>
static __device__ __forceinline__ void add_up(const float (&sums)[TM][TN], int rank, int splits,
                                              float (&total)[SHARE][TN])
{
    __shared__ float4 of_warps[WARPS][TM][32], of_blocks[OUTER_CLUSTER_ROWS / TM][TM][32];
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < TM; i++)
        of_warps[warp][i][lane] = pack(sums[i]);
    __syncthreads();
    auto add = [&](const float4(*shares)[TM][32], int count) {
#pragma unroll
        for (int i = 0; i < SHARE; i++) {
            float4 sum = {};
            for (int s = 0; s < count; s++) {
                const float4 share = shares[s][warp * SHARE + i][lane];
                sum.x += share.x, sum.y += share.y, sum.z += share.z, sum.w += share.w;
            }
            unpack(sum, total[i]);
        }
    };
    add(of_warps, WARPS);
    if (splits == 1)
        return;
#pragma unroll
    for (int i = 0; i < SHARE; i++)
        cluster_store(&of_blocks[rank][warp * SHARE + i][lane], 0, pack(total[i]));
    cluster_arrive();
    cluster_wait();
    if (rank == 0)
        add(of_blocks, splits);
}

/* a is m x k, b is k x n, c is m x n, all row-major. C has `panels` panels of COLUMNS columns. A warp has TM rows of
 * its own; if SHARED, a block has them, and each warp of the cluster's `splits` blocks a part of k. WIDE: n is a
 * multiple of 4, and b and c are aligned to 16 bytes. */
template <int TM, bool SHARED, bool WIDE>
static __global__ void __launch_bounds__(32 * WARPS)
    matmul_outer_kernel(int64_t m, int64_t n, int64_t k, unsigned panels, unsigned splits, const float *a,
                        const float *b, float *c)
{
    __shared__ __align__(16) float terms[WARPS][STEPS][TM];
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32, rank = (int)(blockIdx.x % splits);
    const unsigned tile = blockIdx.x / splits;
    const int64_t row = ((int64_t)(tile / panels) * (SHARED ? 1 : WARPS) + (SHARED ? 0 : warp)) * TM;
    const int64_t column = (int64_t)(tile % panels) * COLUMNS;
    const int64_t parts = SHARED ? (int64_t)splits * WARPS : 1, part = SHARED ? rank * WARPS + warp : 0;
    const int64_t of_part = (k + parts - 1) / parts, end = min(k, (part + 1) * of_part);
    const int there = (int)min((int64_t)COLUMNS, n - column), rows = (int)min((int64_t)TM, m - row);
    if (splits > 1)
        cluster_arrive();
    float sums[TM][TN] = {}, next[TM];
    auto load_terms = [&](int64_t at) {
#pragma unroll
        for (int i = 0; i < TM; i++)
            next[i] = at + lane < end && i < rows ? a[(row + i) * k + at + lane] : 0.0f;
    };
    load_terms(part * of_part);
    for (int64_t at = part * of_part; at < end && rows > 0; at += STEPS) {
        __syncwarp(); /* the steps before have been read */
#pragma unroll
        for (int i = 0; i < TM; i++)
            terms[warp][lane][i] = next[i];
        __syncwarp();
        load_terms(at + STEPS);
        add_steps<TM, SHARED ? 64 / TM : 4, WIDE>(terms[warp], b + at * n + column, n,
                                                  (int)min((int64_t)STEPS, end - at), there, sums);
    }
    if (!SHARED) {
#pragma unroll
        for (int i = 0; i < TM; i++)
            if (i < rows)
                store_columns<WIDE>(c + (row + i) * n + column, lane, there, sums[i]);
        return;
    }
    constexpr int SHARE = TM / WARPS;
    float total[SHARE][TN];
    if (splits > 1)
        cluster_wait(); /* all blocks have begun: their shared memory is there */
    add_up<TM>(sums, rank, (int)splits, total);
#pragma unroll
    for (int i = 0; i < SHARE; i++)
        if (rank == 0 && warp * SHARE + i < rows)
            store_columns<WIDE>(c + (row + warp * SHARE + i) * n + column, lane, there, total[i]);
}

template <int TM, bool SHARED>
static const char *launch(const struct matmul_problem *p, const struct outer_plan *plan, void *stream)
{
    const bool is_wide = p->n % 4 == 0 && is_aligned(p->b, 16) && is_aligned(p->c, 16);
    auto kernel = is_wide ? matmul_outer_kernel<TM, SHARED, true> : matmul_outer_kernel<TM, SHARED, false>;
    const unsigned splits = (unsigned)plan->splits;
    return launch_clusters("matmul_cuda_outer", kernel, plan->tiles * splits, 32 * WARPS, 0, splits, false, stream,
                           p->m, p->n, p->k, (unsigned)plan->panels, splits, p->a, p->b, p->c);
}

const char *matmul_cuda_outer(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    static const unsigned most = cluster_most(matmul_outer_kernel<8, true, true>); /* which does not change */
    const int64_t multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount);
    const struct model_shape shape = {p->m, p->k, p->n, multiprocessors, false, false};
    const struct outer_plan plan = plan_outer(&shape, (int)most);
    return !plan.shares_k   ? launch<8, false>(p, &plan, stream)
           : plan.rows == 4 ? launch<4, true>(p, &plan, stream)
                            : launch<8, true>(p, &plan, stream);
}
