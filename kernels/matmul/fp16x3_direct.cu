/* matmul cuda_fp16x3_direct: FP32 from three products in FP16, split by the block that multiplies.
 *
 * Technique: the arithmetic of cuda_fp16x3_wgmma, where a kernel before splits A and B and stores the parts. That pays
 * where many tiles use a part. Where C has a few rows or columns of tiles, or few tiles, its pass over memory takes
 * longer than the products. So here a block splits what it needs of A and B itself, for each step of 64 along k:
 *
 *      memory -> shared: FP32, 64 rows of A and 128 columns of B -> largest and smallest exponent of each
 *             -> shared: high and low parts, as wgmma takes them -> products -> sums, in registers
 *
 * While the tensor cores multiply a step, the same warps split the next one, and the copies of the one after are under
 * way. Each of a block's two groups of four warps has 64 x 64 elements of C: side by side, or one above the other where
 * C is narrow. If there are few tiles, the blocks of a cluster share k, as in cuda_fitted.
 *
 * What it fixes in cuda_fp16x3_wgmma: the second reading of A and B and the writing of their parts, the second launch,
 * and half of the SMs without a tile.
 *
 * What bounds it: issue slots, for splitting: a tile of 64 x 128 splits 12,288 numbers for 524,288 products. What
 * fp16_parts.h does not hold, FP32 multiply-adds do, from the copies in shared memory. Problems with k below 16, or
 * with a C of fewer than 16 rows or columns, run cuda_fp16x3, and the row says so. */
#include "bench/table/matmul.h"
#include "fp16_pieces.h"
#include "shared_k.h"

constexpr int GROUP = 4 * WARP, WARPS = THREADS / WARP, STAGES = 2, LEAST_SIZE = 16;
constexpr int SIDE = 64, SUMS = SIDE / 2; /* a group of four warps has SIDE x SIDE of C; a thread so many of them */

/* Two groups, one above the other or side by side. */
template <int BM_, int BN_>
struct direct_tile {
    static constexpr int BM = BM_, BN = BN_;
    static constexpr int LINE = BN + 4; /* of sums in shared memory: lanes below each other hit different banks */
    static constexpr int PIECES = (BM + BN) * 2 * WGMMA_ROW_BYTES, FLOATS = (BM + BN) * BK;
    static constexpr int BYTES = PIECE_ALIGNMENT + STAGES * (PIECES + FLOATS * (int)sizeof(float));
    static_assert(BM * BN == 2 * SIDE * SIDE && BM % SIDE == 0, "each group has a part");
    static_assert(BM * LINE <= FLOATS, "there is room for the sums");
};

/* What a kernel is called with: a is m x k, b is k x n, c is m x n, all row-major. The tiles of C are tiles_n wide; the
 * `splits` blocks of a cluster have `part` of k each, a multiple of BK. */
struct direct_problem {
    int64_t m, n, k, part;
    unsigned tiles_n, splits;
    bool wide_a, wide_b, wide_c; /* rows are whole float4s, at multiples of 16 bytes */
    const float *a, *b;
    float *c;
};

/* Starts the copies of ROWS x COLUMNS elements, of which `rows` x `columns` are there; zeros follow. */
template <int ROWS, int COLUMNS, bool WIDE>
static __device__ __forceinline__ void fetch(float *to, const float *from, int64_t stride, int64_t rows,
                                             int64_t columns)
{
    constexpr int WIDTH = WIDE ? 4 : 1, LINE = COLUMNS / WIDTH, STEP = THREADS / LINE;
    static_assert(THREADS % LINE == 0 && ROWS % STEP == 0, "threads share the copies");
    const int row = (int)threadIdx.x / LINE, column = (int)threadIdx.x % LINE * WIDTH;
    from += row * stride + column;
    to += row * COLUMNS + column;
#pragma unroll 8
    for (int i = 0; i < ROWS; i += STEP, from += STEP * stride, to += STEP * COLUMNS) {
        const bool there = row + i < rows && column < columns;
        if (WIDE)
            copy_async_or_zero((float4 *)to, (const float4 *)from, there);
        else
            copy_async_or_zero(to, from, there);
    }
}

/* The copies of A and B for the step that begins at p. */
template <typename Tile>
static __device__ __forceinline__ void fetch_step(float *floats, const direct_problem &problem, int64_t row,
                                                  int64_t column, int64_t p)
{
    const float *a = problem.a + row * problem.k + p, *b = problem.b + p * problem.n + column;
    const int64_t rows = problem.m - row, columns = problem.n - column, depth = problem.k - p;
    if (problem.wide_a)
        fetch<Tile::BM, BK, true>(floats, a, problem.k, rows, depth);
    else
        fetch<Tile::BM, BK, false>(floats, a, problem.k, rows, depth);
    if (problem.wide_b)
        fetch<BK, Tile::BN, true>(floats + Tile::BM * BK, b, problem.n, depth, columns);
    else
        fetch<BK, Tile::BN, false>(floats + Tile::BM * BK, b, problem.n, depth, columns);
    copy_async_commit();
}

/* The range of COUNT numbers in shared memory, of those that this warp reads. */
template <int COUNT>
static __device__ __forceinline__ range range_of(const float *from)
{
    range found = NO_FACTORS;
#pragma unroll
    for (int i = 0; i < COUNT / 4 / THREADS; i++) {
        float four[4];
        unpack(((const float4 *)from)[i * THREADS + (int)threadIdx.x], four);
#pragma unroll
        for (int e = 0; e < 4; e++)
            widen(found, four[e]);
    }
    return {warp_max(found.most), warp_min(found.below_least)};
}

/* The exponents by which the step's parts of A and B are scaled, or NOT_HELD. All threads of the block call together;
 * no thread may call again before all have returned. */
template <typename Tile>
static __device__ __forceinline__ void exponents_of(const float *floats, uint32_t (&exponents)[2])
{
    __shared__ range found[2][WARPS];
    const range of_a = range_of<Tile::BM * BK>(floats), of_b = range_of<BK * Tile::BN>(floats + Tile::BM * BK);
    found[0][threadIdx.x / WARP] = of_a;
    found[1][threadIdx.x / WARP] = of_b;
    __syncthreads();
#pragma unroll
    for (int factor = 0; factor < 2; factor++) {
        range all = NO_FACTORS;
#pragma unroll
        for (int warp = 0; warp < WARPS; warp++) {
            all.most = max(all.most, found[factor][warp].most);
            all.below_least = min(all.below_least, found[factor][warp].below_least);
        }
        exponents[factor] = fp16_holds(all) ? fp16_exponent(all) : NOT_HELD;
    }
}

/* Splits ROWS rows of A, or columns of B, into high parts and, PART bytes behind them, low ones. */
template <int ROWS, bool OF_A>
static __device__ __forceinline__ void split_rows(unsigned char *parts, const float *from, uint32_t exponent)
{
    constexpr int PART = ROWS * WGMMA_ROW_BYTES;
    const float scale = fp16_scale(exponent);
#pragma unroll
    for (int i = (int)threadIdx.x; i < ROWS * BK / EACH; i += THREADS) {
        const int row = OF_A ? i / (BK / EACH) : i % ROWS, eighth = OF_A ? i % (BK / EACH) : i / ROWS;
        float x[EACH];
        if (OF_A) {
            unpack(*(const float4 *)(from + row * BK + eighth * EACH), &x[0]);
            unpack(*(const float4 *)(from + row * BK + eighth * EACH + 4), &x[4]);
        } else {
#pragma unroll
            for (int e = 0; e < EACH; e++)
                x[e] = from[(eighth * EACH + e) * ROWS + row];
        }
        uint32_t high[4], low[4];
#pragma unroll
        for (int e = 0; e < 4; e++)
            fp16_split(x[2 * e] * scale, x[2 * e + 1] * scale, high[e], low[e]);
        unsigned char *to = parts + wgmma_place(row, eighth);
        *(uint4 *)to = make_uint4(high[0], high[1], high[2], high[3]);
        *(uint4 *)(to + PART) = make_uint4(low[0], low[1], low[2], low[3]);
    }
}

/* Starts a group's products of a step, whose parts begin at those descriptors. */
template <typename Tile>
static __device__ __forceinline__ void start_products(uint64_t high_a, uint64_t high_b, float (&large)[SUMS],
                                                      float (&small)[SUMS])
{
    constexpr uint64_t LOW_A = Tile::BM * WGMMA_ROW_BYTES / 16, LOW_B = Tile::BN * WGMMA_ROW_BYTES / 16;
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < WGMMA_ROW_BYTES / 32; i++) {
        wgmma_multiply(small, high_a + LOW_A + 2 * i, high_b + 2 * i, i > 0);
        wgmma_multiply(small, high_a + 2 * i, high_b + LOW_B + 2 * i, true);
        wgmma_multiply(large, high_a + 2 * i, high_b + 2 * i, i > 0);
    }
    wgmma_commit();
}

/* Adds the products of a step to the lane's sums, which begin in `row` and `column` of the tile, by FP32 multiply-adds.
 */
template <typename Tile>
static __device__ __forceinline__ void multiply_in_fp32(const float *floats, int row, int column, float (&sums)[SUMS])
{
    const float *As = floats + row * BK, *Bs = floats + Tile::BM * BK + column;
#pragma unroll 1
    for (int q = 0; q < BK; q++)
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            sums[i] = fmaf(As[i / 2 % 2 * 8 * BK + q], Bs[q * Tile::BN + i / 4 * 8 + i % 2], sums[i]);
}

/* Where a group's sums begin in the tile. */
template <typename Tile>
static __device__ __forceinline__ void group_place(int *row, int *column)
{
    const int group = (int)threadIdx.x / GROUP;
    *row = group * SIDE % Tile::BM;
    *column = group * SIDE / Tile::BM * SIDE;
}

template <typename Tile>
static __global__ void __launch_bounds__(THREADS, 1) matmul_fp16x3_direct_kernel(direct_problem problem)
{
    DYNAMIC_SHARED(unsigned char, shared);
    unsigned char *pieces = first_place(shared);
    float *floats = (float *)(pieces + STAGES * Tile::PIECES);
    const unsigned tile = blockIdx.x / problem.splits;
    const int rank = (int)(blockIdx.x % problem.splits);
    const int64_t first_row = (int64_t)(tile / problem.tiles_n) * Tile::BM;
    const int64_t first_column = (int64_t)(tile % problem.tiles_n) * Tile::BN;
    const int64_t begin = min(rank * problem.part, problem.k), end = min(problem.k, begin + problem.part);
    const int steps = (int)((end - begin + BK - 1) / BK);
    int group_row, group_column;
    group_place<Tile>(&group_row, &group_column);
    const int row = group_row + (int)threadIdx.x % GROUP / WARP * 16 + (int)threadIdx.x % WARP / 4;
    const int column = group_column + (int)threadIdx.x % 4 * 2;
    float sums[SUMS] = {};
    auto fetch_next = [&](int step) {
        if (step < steps)
            fetch_step<Tile>(floats + step % STAGES * Tile::FLOATS, problem, first_row, first_column,
                             begin + (int64_t)step * BK);
        copy_async_commit();
    };
    /* Splits a step. The scale of its products, or 0 if parts do not hold it: then it is multiplied here. */
    auto prepare = [&](int step) {
        const float *from = floats + step % STAGES * Tile::FLOATS;
        unsigned char *to = pieces + step % STAGES * Tile::PIECES;
        uint32_t exponents[2];
        copy_async_wait(STAGES - 1);
        __syncthreads();
        exponents_of<Tile>(from, exponents);
        split_rows<Tile::BM, true>(to, from, exponents[0]);
        split_rows<Tile::BN, false>(to + 2 * Tile::BM * WGMMA_ROW_BYTES, from + Tile::BM * BK, exponents[1]);
        wgmma_see_shared();
        if (exponents[0] != NOT_HELD && exponents[1] != NOT_HELD)
            return fp16_back(exponents[0], exponents[1]);
        multiply_in_fp32<Tile>(from, row, column, sums);
        return 0.0f;
    };
    for (int step = 0; step < STAGES; step++)
        fetch_next(step);
    float back = steps > 0 ? prepare(0) : 0;
    for (int step = 0; step < steps; step++) {
        float large[SUMS], small[SUMS], next = 0;
        const unsigned char *parts = pieces + step % STAGES * Tile::PIECES;
        __syncthreads(); /* the parts are there, all have read the copies, and taken the products before */
        fetch_next(step + STAGES);
        start_products<Tile>(wgmma_descriptor(parts) + (uint64_t)(group_row * WGMMA_ROW_BYTES / 16),
                             wgmma_descriptor(parts + 2 * Tile::BM * WGMMA_ROW_BYTES) +
                                 (uint64_t)(group_column * WGMMA_ROW_BYTES / 16),
                             large, small);
        if (step + 1 < steps)
            next = prepare(step + 1);
        wgmma_wait();
        wgmma_take(large);
        wgmma_take(small);
        if (back != 0)
            add_products(large, small, back, sums);
        back = next;
    }
    if (problem.splits == 1 && problem.wide_c) {
        wgmma_store<true>(sums, problem.m, problem.n, first_row + row, first_column + column, problem.c);
        return;
    }
    const int rows = Tile::BM / (int)problem.splits;
    const int64_t my_row = first_row + rank * rows;
    give_shares<Tile::BM, Tile::LINE>(floats, sums, (int)problem.splits, rank, row, column);
    if (problem.wide_c)
        store_total<true, Tile::BN, Tile::LINE>(floats, (int)problem.splits, rows, my_row,
                                                (int)min(problem.m - my_row, (int64_t)rows), first_column, problem.n,
                                                problem.c);
    else
        store_total<false, Tile::BN, Tile::LINE>(floats, (int)problem.splits, rows, my_row,
                                                 (int)min(problem.m - my_row, (int64_t)rows), first_column, problem.n,
                                                 problem.c);
}

static const struct block_times times = {1, 0.9, 0.9, 3, 2}; /* on an H200 */

template <typename Tile>
static const char *launch(const struct matmul_problem *p, void *stream)
{
    const int64_t tiles_n = ceil_div(p->n, Tile::BN), tiles = ceil_div(p->m, Tile::BM) * tiles_n;
    const int64_t steps = ceil_div(p->k, BK);
    static int multiprocessors[SPLITS]; /* which do not change; a rung is called by one thread */
    auto kernel = matmul_fp16x3_direct_kernel<Tile>;
    (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::BYTES);
    for (int i = SPLITS - 1; multiprocessors[0] == 0 && i >= 0; i--)
        multiprocessors[i] = multiprocessors_with_room(kernel, THREADS, Tile::BYTES, 1, 1u << i);
    double us;
    const unsigned splits = splits_for(&times, tiles, steps, multiprocessors, &us);
    const direct_problem problem = {p->m,
                                    p->n,
                                    p->k,
                                    ceil_div(steps, splits) * BK,
                                    (unsigned)tiles_n,
                                    splits,
                                    p->k % 4 == 0 && is_aligned(p->a, 16),
                                    p->n % 4 == 0 && is_aligned(p->b, 16),
                                    p->n % 4 == 0 && is_aligned(p->c, 16),
                                    p->a,
                                    p->b,
                                    p->c};
    return launch_clusters("matmul_cuda_fp16x3_direct", kernel, tiles * splits, THREADS, Tile::BYTES, splits, stream,
                           problem);
}

const char *matmul_cuda_fp16x3_direct(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    if (p->m < LEAST_SIZE || p->n < LEAST_SIZE || p->k < LEAST_SIZE)
        return rung_hand_over(matmul_cuda_fp16x3, problem, stream);
    const int64_t wide = ceil_div(p->m, SIDE) * ceil_div(p->n, 2 * SIDE);
    const int64_t tall = ceil_div(p->m, 2 * SIDE) * ceil_div(p->n, SIDE);
    return tall < wide ? launch<direct_tile<2 * SIDE, SIDE>>(p, stream)
                       : launch<direct_tile<SIDE, 2 * SIDE>>(p, stream);
}
