/* matmul cuda_skinny_wgmma: tall A, narrow B by Hopper's tensor cores: A is split on its way to them.
 *
 * Technique: the arithmetic of cuda_fp16x3_wgmma, where a pass of its own splits A and stores the parts, which are as
 * large as A. With up to 128 columns C has one column of tiles, and each part is used once: so here A is read as it is,
 * and the warp that multiplies splits it. wgmma takes its first factor from registers, which no other lane needs.
 *
 *      A in memory -> ring in shared memory -> registers: FP32 -> high, low \
 *                      (each warp: 16 rows of its own)                        wgmma -> sums
 *      B in memory -> pieces (a kernel before) -> ring: high, low -----------/
 *
 *      a stage of the ring:  rows of warp 0 | rows of warp 1 | ...  | high, low of B | ...
 *                            16 x 64 FP32                             64 x BN FP16 each
 *
 * B is as small as A is large: a first kernel packs it (fp16_pieces.h), and bulk copies bring a piece per step. There
 * is at most one block per multiprocessor, and all but the last have equally many rows of A. A warp copies its 16 rows
 * of a tile by asynchronous copies that it alone waits for; they go on to the next tile while this one is multiplied.
 * So the scale of fp16_parts.h is for 16 rows and 64 steps along k, and what it does not hold, FP32 multiply-adds do.
 *
 * The kernel starts while the first one still runs: its copies of A do not depend on it. It waits before it reads B.
 *
 * What it fixes in cuda_fp16x3_wgmma: A is neither written nor read again. And in cuda_skinny_tensor: B is not kept in
 * registers, so it may have more than 16 columns, and k any length.
 *
 * What bounds it: for a few columns reading A, in pieces of 256 bytes, and for many the products, too; with few rows
 * per block the wait for each step's products. A C that is wider than 128 columns runs cuda_fp16x3_wgmma, a k below 16
 * cuda_fp16x3, and the row says so.
 *
 * Source of the technique: PTX ISA, "Register Fragments and Shared Memory Matrix Layouts".
 *
 * Measured: matmul/50000x784x128/cuda_skinny_wgmma/cold 100 us (results/h200/narrow.csv); cublas takes 217.0
 * us. */
#include "bench/table/matmul.h"
#include "fp16_pieces.h"
#include "kernels/launch.h"
#include "kernels/workspace.h"
#include "takes.h"

constexpr int GROUP = 4 * WARP, WARP_ROWS = 16;
static_assert(SKINNY_WGMMA_WIDEST == PIECE_ROWS, "a piece has all columns");
constexpr int FACTOR = 16, FACTORS = BK / FACTOR; /* an instruction's part of k; so many make a step */
constexpr int A_ROW = BK + 8; /* floats: lanes that read pairs from four rows at once hit different banks */

/* A block has GROUPS groups of four warps. Each has 64 rows of its own, or KS of them have the same rows and share k:
 * each takes every KS-th step, and the first adds up their sums. C has up to BN columns. */
template <int BN_, int GROUPS_, int KS_>
struct skinny_tile {
    static constexpr int BN = BN_, GROUPS = GROUPS_, KS = KS_, SUMS = BN / 2;
    static constexpr int WARPS = 4 * GROUPS, MULTIPLIERS = WARPS * WARP; /* threads */
    static constexpr int BM = GROUPS / KS * WGMMA_ROWS, TURN = KS * BK;
    /* A stage of the ring has 16 x 64 of A for each warp, then KS times the parts of 64 x BN of B. */
    static constexpr int A_BYTES = WARPS * WARP_ROWS * A_ROW * (int)sizeof(float);
    static constexpr int B_PART = BN * WGMMA_ROW_BYTES, STAGE_BYTES = A_BYTES + KS * 2 * B_PART;
    static constexpr int SHARE_BYTES = SUMS * GROUP * (int)sizeof(float), SHARES = GROUPS - GROUPS / KS;
    static constexpr int STAGES = (226 * 1024 - PIECE_ALIGNMENT - SHARES * SHARE_BYTES) / STAGE_BYTES;
    static constexpr int BYTES = STAGES * STAGE_BYTES + SHARES * SHARE_BYTES + PIECE_ALIGNMENT;
    static_assert(STAGES >= 2, "a stage is filled while another one is read");
    static_assert(A_BYTES % PIECE_ALIGNMENT == 0 && B_PART % PIECE_ALIGNMENT == 0, "parts of B are where wgmma takes");
};

/* A place in a block's rows of A: a tile's first row, and a turn's first index along k. */
struct position {
    int row, p;

    template <typename Tile>
    __device__ __forceinline__ void advance(int k)
    {
        p += Tile::TURN;
        if (p >= k)
            row += Tile::BM, p = 0;
    }
};

/* Starts the copies of a warp's step, which begins at first_row and first_p of the block's part of A, rows x k. WIDE: k
 * is a multiple of 4, and a is aligned to 16 bytes. */
template <bool WIDE>
static __device__ __forceinline__ void fetch_rows(float *to, int first_row, int first_p, int rows, int k,
                                                  const float *a)
{
    constexpr int WIDTH = WIDE ? 4 : 1, LINE = WIDE ? BK / WIDTH : WARP, LINES = WARP / LINE;
    int lane = (int)threadIdx.x % WARP, line = lane / LINE, first = lane % LINE * WIDTH;
    int row = first_row + line;
    const float *from = a + (int64_t)row * k + first_p;
    to += line * A_ROW;
#pragma unroll
    for (int i = 0; i < WARP_ROWS; i += LINES)
#pragma unroll
        for (int q = first; q < BK; q += LINE * WIDTH) {
            bool valid = row + i < rows && first_p + q < k;
            if (WIDE)
                copy_async_or_zero((float4 *)(to + i * A_ROW + q), (const float4 *)(from + (int64_t)i * k + q), valid);
            else
                copy_async_or_zero(to + i * A_ROW + q, from + (int64_t)i * k + q, valid);
        }
}

/* A lane's factors of a step in the layout of mma_fp16(), and the exponent that the warp's are scaled by, or NOT_HELD.
 */
struct split_rows {
    uint32_t high[FACTORS][4], low[FACTORS][4], exponent;
};

/* As points to the lane's first pair. */
static __device__ __forceinline__ void split(const float *As, split_rows &to)
{
    float2 x[FACTORS][4];
    range found = NO_FACTORS;
#pragma unroll
    for (int f = 0; f < FACTORS; f++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            x[f][i] = *(const float2 *)(As + i % 2 * 8 * A_ROW + f * FACTOR + i / 2 * 8);
            widen(found, x[f][i].x);
            widen(found, x[f][i].y);
        }
    found = {warp_max(found.most), warp_min(found.below_least)};
    float scale = fp16_scale(fp16_exponent(found));
#pragma unroll
    for (int f = 0; f < FACTORS; f++)
#pragma unroll
        for (int i = 0; i < 4; i++)
            fp16_split(x[f][i].x * scale, x[f][i].y * scale, to.high[f][i], to.low[f][i]);
    to.exponent = fp16_holds(found) ? fp16_exponent(found) : NOT_HELD;
}

/* Adds the products of a step to the sums by FP32 multiply-adds. As points to the warp's rows in the stage, b to the
 * step's first row of B, of which `depth` are there. A lane takes every 32nd column, so that it reads B as it lies;
 * what comes out reaches the lanes whose sums it is through the warp's part of the stage, which nobody reads again. */
template <int BN>
static __device__ __forceinline__ void multiply_in_fp32(float *As, const float *b, int depth, int n,
                                                        float (&sums)[BN / 2])
{
    constexpr int COLUMNS = BN / WARP;
    int lane = (int)threadIdx.x % WARP;
    float products[COLUMNS][WARP_ROWS] = {};
#pragma unroll 1
    for (int q = 0; q < BK; q += FACTOR) {
        float y[FACTOR][COLUMNS];
#pragma unroll
        for (int e = 0; e < FACTOR; e++)
#pragma unroll
            for (int i = 0; i < COLUMNS; i++)
                y[e][i] = q + e < depth && lane + i * WARP < n ? __ldg(b + (q + e) * n + lane + i * WARP) : 0.0f;
#pragma unroll
        for (int row = 0; row < WARP_ROWS; row++)
#pragma unroll
            for (int e = 0; e < FACTOR; e++)
#pragma unroll
                for (int i = 0; i < COLUMNS; i++)
                    products[i][row] = fmaf(As[row * A_ROW + q + e], y[e][i], products[i][row]);
    }
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
        __syncwarp();
#pragma unroll
        for (int row = 0; row < WARP_ROWS; row++)
            As[row * A_ROW + lane] = products[i][row];
        __syncwarp();
#pragma unroll
        for (int s = 0; s < WARP / 2; s++)
            sums[i * WARP / 2 + s] += As[(lane / 4 + s / 2 % 2 * 8) * A_ROW + s / 4 * 8 + lane % 4 * 2 + s % 2];
    }
}

/* Adds the sums of the groups that share rows to those of the first of them. `shares` has room for the others'. */
template <typename Tile>
static __device__ __forceinline__ void add_shares(float *shares, float (&sums)[Tile::SUMS])
{
    int group = (int)threadIdx.x / GROUP, team = group / Tile::KS, share = group % Tile::KS;
    float *of_team = shares + team * (Tile::KS - 1) * Tile::SUMS * GROUP + threadIdx.x % GROUP;
    if (share > 0)
#pragma unroll
        for (int i = 0; i < Tile::SUMS; i++)
            of_team[((share - 1) * Tile::SUMS + i) * GROUP] = sums[i];
    __syncthreads();
    if (share == 0)
#pragma unroll
        for (int i = 0; i < (Tile::KS - 1) * Tile::SUMS; i++)
            sums[i % Tile::SUMS] += of_team[i * GROUP];
    __syncthreads();
}

/* The stages of a block's ring, and two barriers for each: its parts of B have come; all warps have read them. */
template <typename Tile>
struct stage_ring {
    unsigned char *stages;
    uint64_t *filled, *read;

    __device__ __forceinline__ float *a_of(int slot, int warp) const
    {
        return (float *)(stages + slot * Tile::STAGE_BYTES) + warp * WARP_ROWS * A_ROW;
    }
    __device__ __forceinline__ unsigned char *b_of(int slot, int share) const
    {
        return stages + slot * Tile::STAGE_BYTES + Tile::A_BYTES + share * 2 * Tile::B_PART;
    }
    /* Starts the copies of B for the turn that begins at p. By one thread. */
    __device__ __forceinline__ void fetch_b(const packed &from_b, int p, int k, int slot) const
    {
#pragma unroll
        for (int i = 0; i < Tile::KS; i++) {
            if (p + i * BK >= k) {
                barrier_arrive(&filled[slot]);
                barrier_arrive(&filled[slot]);
                continue;
            }
            const unsigned char *piece = from_b.pieces + (int64_t)(p / BK + i) * PIECE_BYTES;
            copy_bulk(b_of(slot, i), piece, Tile::B_PART, &filled[slot]);
            copy_bulk(b_of(slot, i) + Tile::B_PART, piece + PART_BYTES, Tile::B_PART, &filled[slot]);
        }
    }
    /* Makes the barriers, and starts the copies of B for all stages but one. By one thread. */
    __device__ __forceinline__ void begin(const packed &from_b, int64_t turns, int k) const
    {
        for (int slot = 0; slot < Tile::STAGES; slot++) {
            barrier_make(&filled[slot], 2 * Tile::KS);
            barrier_make(&read[slot], Tile::WARPS);
        }
        barriers_made();
        position begun = {0, 0};
        for (int slot = 0; slot < min(turns, (int64_t)Tile::STAGES - 1); slot++, begun.advance<Tile>(k))
            fetch_b(from_b, begun.p, k, slot);
    }
};

/* Starts the products of a warp's rows with the parts of B. They and the factors are not touched before
 * take_products(). */
template <int B_PART, int SUMS>
static __device__ __forceinline__ void multiply(const split_rows &factors, const unsigned char *parts_of_b,
                                                float (&large)[SUMS], float (&small)[SUMS])
{
    uint64_t high_b = wgmma_descriptor(parts_of_b), low_b = high_b + B_PART / 16;
    wgmma_fence();
#pragma unroll
    for (int f = 0; f < FACTORS; f++) {
        wgmma_multiply(small, factors.low[f], high_b + 2 * f, f > 0);
        wgmma_multiply(small, factors.high[f], low_b + 2 * f, true);
        wgmma_multiply(large, factors.high[f], high_b + 2 * f, f > 0);
    }
    wgmma_commit();
}

/* After wgmma_wait(). */
template <int SUMS>
static __device__ __forceinline__ void take_products(split_rows &factors, float (&large)[SUMS], float (&small)[SUMS])
{
    wgmma_take(large);
    wgmma_take(small);
#pragma unroll
    for (int f = 0; f < FACTORS; f++) {
        wgmma_take(factors.high[f]);
        wgmma_take(factors.low[f]);
    }
}

/* Stores the sums of a tile, whose first one is in `row` of c, and sets them to zero. */
template <typename Tile, bool WIDE_C>
static __device__ __forceinline__ void end_tile(float *shares, int rows, int n, int row, float (&sums)[Tile::SUMS],
                                                float *c)
{
    if (Tile::KS > 1)
        add_shares<Tile>(shares, sums);
    if (threadIdx.x / GROUP % Tile::KS == 0)
        wgmma_store<WIDE_C>(sums, rows, n, row, threadIdx.x % 4 * 2, c);
#pragma unroll
    for (int i = 0; i < Tile::SUMS; i++)
        sums[i] = 0;
}

/* The block's rows: a is rows x k, b is k x n, c is rows x n, all row-major; from_b is what pack_piece() made of b. n
 * <= Tile::BN. WIDE: as in fetch_rows(); WIDE_C: as in wgmma_store(). */
template <typename Tile, bool WIDE, bool WIDE_C>
static __device__ __forceinline__ void multiply_rows(const stage_ring<Tile> &ring, float *shares, int rows, int n,
                                                     int k, const float *a, const float *b, const packed &from_b,
                                                     float *c)
{
    constexpr int STAGES = Tile::STAGES, SUMS = Tile::SUMS;
    int thread = (int)threadIdx.x, warp = thread / WARP, lane = thread % WARP, share = thread / GROUP % Tile::KS;
    int64_t turns = (int64_t)((rows + Tile::BM - 1) / Tile::BM) * ((k + Tile::TURN - 1) / Tile::TURN);
    int row_of_warp = thread / GROUP / Tile::KS * WGMMA_ROWS + warp % 4 * WARP_ROWS, p_of_warp = share * BK;
    position at = {0, 0}, fetched = at;
    auto fetch_a = [&](int64_t turn, int slot) {
        if (turn < turns)
            fetch_rows<WIDE>(ring.a_of(slot, warp), fetched.row + row_of_warp, fetched.p + p_of_warp, rows, k, a);
        copy_async_commit();
        fetched.template advance<Tile>(k);
    };
#pragma unroll
    for (int slot = 0; slot < STAGES - 1; slot++)
        fetch_a(slot, slot);
    wait_for_last_launch(); /* it packs B */
    if (thread == 0)
        ring.begin(from_b, turns, k);
    __syncthreads();

    float sums[SUMS] = {}, large[SUMS], small[SUMS];
    split_rows factors;
    int slot = 0, before = STAGES - 1; /* the slot of this turn, and that of the one before, which is filled again */
    uint32_t phase = 0;
    for (int64_t turn = 0; turn < turns; turn++) {
        int p = at.p + p_of_warp, next_p = fetched.p, row = at.row + row_of_warp + lane / 4;
        bool there = Tile::KS == 1 || p < k; /* beyond k is nothing: what is multiplied then is not added */
        uint32_t exponent_b = there ? __ldcg(from_b.exponents + at.p / BK + share) : NOT_HELD;
        copy_async_wait(STAGES - 2);
        __syncwarp();
        fetch_a(turn + STAGES - 1, before);
        split(ring.a_of(slot, warp) + lane / 4 * A_ROW + lane % 4 * 2, factors);
        barrier_wait(&ring.filled[slot], phase);
        multiply<Tile::B_PART>(factors, ring.b_of(slot, share), large, small);
        if (thread == 0 && turn + STAGES - 1 < turns) {
            if (turn > 0)
                barrier_wait(&ring.read[before], slot == 0 ? phase ^ 1 : phase);
            ring.fetch_b(from_b, next_p, k, before);
        }
        __syncwarp();
        wgmma_wait();
        if (lane == 0)
            barrier_arrive(&ring.read[slot]);
        take_products(factors, large, small);
        if (factors.exponent != NOT_HELD && exponent_b != NOT_HELD)
            add_products(large, small, fp16_back(factors.exponent, exponent_b), sums);
        else if (there)
            multiply_in_fp32<Tile::BN>(ring.a_of(slot, warp), b + (int64_t)p * n, min(BK, k - p), n, sums);
        at.advance<Tile>(k);
        if (at.p == 0)
            end_tile<Tile, WIDE_C>(shares, rows, n, row, sums, c);
        before = slot;
        slot = slot + 1 == STAGES ? 0 : slot + 1;
        phase ^= slot == 0;
    }
}

/* a is m x k, c is m x n; else as in multiply_rows(). The block has up to rows_of_block rows. */
template <typename Tile, bool WIDE, bool WIDE_C>
static __global__ void __launch_bounds__(Tile::MULTIPLIERS, 1)
    matmul_skinny_wgmma_kernel(int64_t m, int n, int k, int rows_of_block, const float *a, const float *b,
                               packed from_b, float *c)
{
    __shared__ uint64_t filled[Tile::STAGES], read[Tile::STAGES];
    DYNAMIC_SHARED(unsigned char, shared);
    const stage_ring<Tile> ring = {first_place(shared), filled, read};
    float *shares = (float *)(ring.stages + Tile::STAGES * Tile::STAGE_BYTES);
    int64_t first = (int64_t)blockIdx.x * rows_of_block;
    int rows = (int)min(m - first, (int64_t)rows_of_block);
    multiply_rows<Tile, WIDE, WIDE_C>(ring, shares, rows, n, k, a + first * k, b, from_b, c + first * n);
}

/* The first blocks of the kernel that follows may start at once. As pack_piece(), for B alone. */
static __global__ void __launch_bounds__(THREADS)
    matmul_pack_skinny_wgmma_kernel(int64_t n, int64_t k, int64_t steps, const float *b, packed to_b)
{
    allow_early_launch();
    pack_piece<false>(0, n, k, steps, 0, NULL, b, to_b, to_b);
}

template <typename Tile>
static const char *launch(const struct matmul_problem *p, int64_t rows, packed from_b, cudaStream_t stream)
{
    bool wide = p->k % 4 == 0 && is_aligned(p->a, 16), wide_c = p->n % 2 == 0 && is_aligned(p->c, 8);
    auto of_wide =
        wide_c ? matmul_skinny_wgmma_kernel<Tile, true, true> : matmul_skinny_wgmma_kernel<Tile, true, false>;
    auto narrow =
        wide_c ? matmul_skinny_wgmma_kernel<Tile, false, true> : matmul_skinny_wgmma_kernel<Tile, false, false>;
    auto kernel = wide ? of_wide : narrow;
    (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::BYTES);
    LAUNCH_EARLY(kernel, (unsigned)ceil_div(p->m, rows), Tile::MULTIPLIERS, Tile::BYTES, stream, p->m, (int)p->n,
                 (int)p->k, (int)rows, p->a, p->b, from_b, p->c);
    return launch_error("matmul_cuda_skinny_wgmma");
}

/* There are at most as many blocks as multiprocessors. Where that leaves few rows to each, groups share them: then a
 * block has fewer turns, and each takes the time to wait for its products. */
static const char *launch_fit(const struct matmul_problem *p, int64_t blocks, packed from_b, cudaStream_t stream)
{
    int64_t rows = ceil_div(p->m, min(blocks, ceil_div(p->m, WARP_ROWS)));
    if (p->n <= 32)
        return rows <= 64    ? launch<skinny_tile<32, 3, 3>>(p, rows, from_b, stream)
               : rows <= 128 ? launch<skinny_tile<32, 4, 2>>(p, rows, from_b, stream)
                             : launch<skinny_tile<32, 3, 1>>(p, rows, from_b, stream);
    if (p->n <= 64)
        return rows <= 64 ? launch<skinny_tile<64, 2, 2>>(p, rows, from_b, stream)
                          : launch<skinny_tile<64, 3, 1>>(p, rows, from_b, stream);
    return launch<skinny_tile<128, 2, 1>>(p, rows, from_b, stream);
}

const char *matmul_cuda_skinny_wgmma(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    if (!skinny_wgmma_takes(p))
        return rung_hand_over(p->k < SKINNY_WGMMA_LEAST_K ? matmul_cuda_fp16x3 : matmul_cuda_fp16x3_wgmma, problem,
                              stream);
    int blocks = gpu_attribute(cudaDevAttrMultiProcessorCount);
    int64_t steps = ceil_div(p->k, BK);
    size_t bytes = (size_t)steps * PIECE_BYTES;
    void *memory = NULL;
    TRY_CALL(workspace_get(bytes + (size_t)steps * sizeof(uint32_t), &memory));
    packed of_b = {(unsigned char *)memory, (uint32_t *)((unsigned char *)memory + bytes)};
    TRY_CALL(TRY_LAUNCH(__func__, matmul_pack_skinny_wgmma_kernel, steps, THREADS, 0, stream, p->n, p->k, steps, p->b,
                        of_b));
    return launch_fit(p, blocks, of_b, (cudaStream_t)stream);
}
