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
 * of a tile by asynchronous copies that only it waits for; they go on to the next tile while this one is multiplied.
 * Where rows are few and k is long, blocks share k, too, and another launch adds up what they make (add_parts.h).
 * So the scale of fp16_parts.h is for 16 rows and 64 steps along k, and what it does not hold, FP32 multiply-adds do.
 *
 * Few rows of A and a wide B are the same, turned: C^T = B^T A^T. The rows of B^T are columns of B, of which a warp
 * copies 16, in pieces of 64 bytes.
 *
 * The kernel starts while the first one still runs: its copies of A do not depend on it. It waits before it reads B.
 *
 * What it fixes in cuda_fp16x3_wgmma: A is neither written nor read again. And in cuda_skinny_tensor: B is not kept in
 * registers, so it may have more than 16 columns, and k any length.
 *
 * What bounds it: for a few columns reading A, in pieces of 256 bytes, and for many the products, too; with few rows
 * per block the wait for each step's products. In the row below memory takes 43 us, 183 MB at 4.3 TB/s, and three
 * products 33 us, 30 Gflop at 920 TFLOP/s, if nothing waits. A C that has more than 128 rows and columns runs
 * cuda_fp16x3_wgmma, a k below 16 cuda_fp16x3, and the row says so.
 *
 * Source of the technique: PTX ISA, "Register Fragments and Shared Memory Matrix Layouts".
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   matmul/mnist-hidden/cuda_skinny_wgmma/cold 93.18 us
 *   matmul/mnist-hidden/cublas/cold 217.5 us */
#include "add_parts.h"
#include "bench/table/matmul.h"
#include "bench/table/model.h"
#include "kernels/launch.h"
#include "kernels/workspace.h"
#include "skinny_rows.h"
#include "takes.h"

constexpr int GROUP = 4 * WARP;
static_assert(SKINNY_WGMMA_WIDEST == PIECE_ROWS, "a piece has all columns");

/* A block has GROUPS groups of four warps. Each has 64 rows of its own, or KS of them have the same rows and share k:
 * each takes every KS-th step, and the first adds up their sums. C has up to BN columns. TURNED: what is called A is
 * B^T, and so on. */
template <int BN_, int GROUPS_, int KS_, bool TURNED_>
struct skinny_tile {
    static constexpr int BN = BN_, GROUPS = GROUPS_, KS = KS_, SUMS = BN / 2;
    static constexpr bool TURNED = TURNED_;
    static constexpr int WARPS = 4 * GROUPS, MULTIPLIERS = WARPS * WARP; /* threads */
    static constexpr int BM = GROUPS / KS * WGMMA_ROWS, TURN = KS * BK;
    /* A stage of the ring has 16 x 64 of A for each warp, then KS times the parts of 64 x BN of B. */
    static constexpr int WARP_FLOATS = TURNED ? BK * TURNED_ROW : WARP_ROWS * A_ROW;
    static constexpr int A_BYTES = WARPS * WARP_FLOATS * (int)sizeof(float);
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

/* Adds the products of a step, which begins at p, to the sums by FP32 multiply-adds. As is the warp's part of A in the
 * stage. A lane takes every 32nd column, so that it reads B as it lies; what comes out reaches the lanes whose sums it
 * is through the warp's part of the stage, which nobody reads again. */
template <int BN, bool TURNED>
static __device__ __forceinline__ void multiply_in_fp32(float *As, int p, int depth, const block_share<TURNED> &of,
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
                y[e][i] = p + q + e < depth && lane + i * WARP < of.columns()
                              ? __ldg(of.narrow(p + q + e, lane + i * WARP))
                              : 0.0f;
#pragma unroll
        for (int row = 0; row < WARP_ROWS; row++)
#pragma unroll
            for (int e = 0; e < FACTOR; e++)
#pragma unroll
                for (int i = 0; i < COLUMNS; i++)
                    products[i][row] = fmaf(TURNED ? As[(q + e) * TURNED_ROW + row] : As[row * A_ROW + q + e], y[e][i],
                                            products[i][row]);
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
        return (float *)(stages + slot * Tile::STAGE_BYTES) + warp * Tile::WARP_FLOATS;
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
    __device__ __forceinline__ void begin(const packed &from_b, int rows, int k) const
    {
        for (int slot = 0; slot < Tile::STAGES; slot++) {
            barrier_make(&filled[slot], 2 * Tile::KS);
            barrier_make(&read[slot], Tile::WARPS);
        }
        barriers_made();
        position begun = {0, 0};
        for (int slot = 0; slot < Tile::STAGES - 1 && begun.row < rows; slot++, begun.advance<Tile>(k))
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

/* Stores a warp's sums where rows of C begin anywhere, but follow each other without a gap: through `shared`, eight
 * rows at a time. c begins at the warp's first row, of which `rows` are there. */
template <int SUMS>
static __device__ __forceinline__ void store_rows(float *shared, const float (&sums)[SUMS], int rows, int columns,
                                                  float *c)
{
    const int lane = (int)threadIdx.x % WARP, column = lane % 4 * 2;
#pragma unroll
    for (int h = 0; h < 2; h++, c += 8 * columns) {
        const int count = min(rows - 8 * h, 8) * columns,
                  whole = (uintptr_t)c % sizeof(float4) == 0 ? count / 4 * 4 : 0;
        __syncwarp();
#pragma unroll
        for (int i = 0; i < SUMS / 4; i++)
#pragma unroll
            for (int e = 0; e < 2; e++)
                if (column + 8 * i + e < columns)
                    shared[lane / 4 * columns + column + 8 * i + e] = sums[4 * i + 2 * h + e];
        __syncwarp();
#pragma unroll 4
        for (int i = 4 * lane; i < whole; i += 4 * WARP)
            *(float4 *)(c + i) = *(const float4 *)(shared + i);
        for (int i = max(whole, 0) + lane; i < count; i += WARP)
            c[i] = shared[i];
    }
}

/* Stores the sums of a tile, whose first one is in `row` of the block's, and sets them to zero. `shared` is the warp's
 * part of A in a stage, which nobody reads again. */
template <typename Tile>
static __device__ __forceinline__ void end_tile(float *shares, float *shared, const block_share<Tile::TURNED> &of,
                                                int row, float (&sums)[Tile::SUMS])
{
    static_assert(Tile::TURNED || 8 * Tile::BN <= Tile::WARP_FLOATS, "eight rows have room");
    const int column = threadIdx.x % 4 * 2, rows = of.rows(), columns = of.columns();
    float *c = of.result();
    if (Tile::KS > 1)
        add_shares<Tile>(shares, sums);
    if (threadIdx.x / GROUP % Tile::KS != 0) {
        /* the first group of those that share k has them */
    } else if (Tile::TURNED) {
        float *to = c + column * of.n + row;
#pragma unroll
        for (int i = 0; i < Tile::SUMS; i += 4, to += 8 * of.n)
#pragma unroll
            for (int e = 0; e < 4; e++)
                if (row + e / 2 * 8 < rows && column + 2 * i + e % 2 < columns)
                    to[e % 2 * of.n + e / 2 * 8] = sums[i + e];
    } else if (columns % 2 == 0 && (uintptr_t)c % sizeof(float2) == 0) {
        wgmma_store(sums, rows, columns, row, column, c);
    } else {
        const int first = row - (int)threadIdx.x % WARP / 4;
        store_rows(shared, sums, rows - first, columns, c + (int64_t)first * columns);
    }
#pragma unroll
    for (int i = 0; i < Tile::SUMS; i++)
        sums[i] = 0;
}

/* The block's rows. from_b is what pack_piece() made of b, from the block's part of k on. */
template <typename Tile, bool WIDE>
static __device__ __forceinline__ void multiply_rows(const stage_ring<Tile> &ring, float *shares,
                                                     const block_share<Tile::TURNED> &of, const packed &from_b)
{
    constexpr int STAGES = Tile::STAGES, SUMS = Tile::SUMS;
    const int rows = of.rows(), k = of.depth();
    const float *tall = of.tall();
    int thread = (int)threadIdx.x, warp = thread / WARP, lane = thread % WARP, share = thread / GROUP % Tile::KS;
    int row_of_warp = thread / GROUP / Tile::KS * WGMMA_ROWS + warp % 4 * WARP_ROWS, p_of_warp = share * BK;
    position at = {0, 0}, fetched = at;
    auto fetch_a = [&](int slot) {
        if (fetched.row < rows)
            fetch_rows<Tile::TURNED, WIDE>(ring.a_of(slot, warp), fetched.row + row_of_warp, fetched.p + p_of_warp,
                                           rows, k, Tile::TURNED ? of.n : of.k, tall);
        copy_async_commit();
        fetched.template advance<Tile>(k);
    };
#pragma unroll
    for (int slot = 0; slot < STAGES - 1; slot++)
        fetch_a(slot);
    wait_for_last_launch(); /* it packs B */
    if (thread == 0)
        ring.begin(from_b, rows, k);
    __syncthreads();

    float sums[SUMS] = {}, large[SUMS], small[SUMS];
    split_rows factors;
    int slot = 0, before = STAGES - 1; /* the slot of this turn, and that of the one before, which is filled again */
    uint32_t phase = 0;
    while (at.row < rows) {
        const position next = fetched;
        int p = at.p + p_of_warp;
        bool there = Tile::KS == 1 || p < k; /* beyond k is nothing: what is multiplied then is not added */
        const packing packing_b = there ? __ldcg(from_b.packings + at.p / BK + share) : LEFT_OUT;
        copy_async_wait(STAGES - 2);
        __syncwarp();
        fetch_a(before);
        split<Tile::TURNED>(ring.a_of(slot, warp), factors);
        barrier_wait(&ring.filled[slot], phase);
        multiply<Tile::B_PART>(factors, ring.b_of(slot, share), large, small);
        if (thread == 0 && next.row < rows) {
            if (at.row + at.p > 0)
                barrier_wait(&ring.read[before], slot == 0 ? phase ^ 1 : phase);
            ring.fetch_b(from_b, next.p, k, before);
        }
        __syncwarp();
        wgmma_wait();
        if (lane == 0)
            barrier_arrive(&ring.read[slot]);
        take_products(factors, large, small);
        if (factors.exponent != NOT_HELD && packing_b < LEFT_OUT)
            add_products(large, small, fp16_back(factors.exponent, packing_b), sums);
        else if (there)
            multiply_in_fp32<Tile::BN, Tile::TURNED>(ring.a_of(slot, warp), p, k, of, sums);
        const int row = at.row + row_of_warp + lane / 4;
        at.advance<Tile>(k);
        if (at.p == 0)
            end_tile<Tile>(shares, ring.a_of(slot, warp), of, row, sums);
        before = slot;
        slot = slot + 1 == STAGES ? 0 : slot + 1;
        phase ^= slot == 0;
    }
}

/* The narrow factor has up to Tile::BN columns. WIDE: as in fetch_rows(). */
template <typename Tile, bool WIDE>
static __global__ void __launch_bounds__(Tile::MULTIPLIERS, 1)
    matmul_skinny_wgmma_kernel(block_share<Tile::TURNED> of, packed from_b)
{
    __shared__ uint64_t filled[Tile::STAGES], read[Tile::STAGES];
    DYNAMIC_SHARED(unsigned char, shared);
    const stage_ring<Tile> ring = {first_place(shared), filled, read};
    float *shares = (float *)(ring.stages + Tile::STAGES * Tile::STAGE_BYTES);
    const int64_t step = of.begin() / BK;
    multiply_rows<Tile, WIDE>(ring, shares, of, {from_b.pieces + step * PIECE_BYTES, from_b.packings + step});
    allow_early_launch();
}

/* The first blocks of the kernel that follows may start at once. As pack_piece(), for only B, or only A. */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS, PACKING_BLOCKS)
    matmul_pack_skinny_wgmma_kernel(int64_t m, int64_t n, int64_t k, int64_t steps, int64_t pieces_of_a, const float *a,
                                    const float *b, packed to)
{
    allow_early_launch();
    pack_piece<WIDE>(m, n, k, steps, pieces_of_a, a, b, to, to);
}

template <typename Tile>
static const char *launch(const block_share<Tile::TURNED> &of, bool wide, unsigned blocks, packed from_b,
                          cudaStream_t stream)
{
    auto kernel = wide ? matmul_skinny_wgmma_kernel<Tile, true> : matmul_skinny_wgmma_kernel<Tile, false>;
    (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::BYTES);
    LAUNCH_EARLY(kernel, blocks, Tile::MULTIPLIERS, Tile::BYTES, stream, of, from_b);
    return launch_error("matmul_cuda_skinny_wgmma");
}

template <bool TURNED>
static const char *launch_tile(const struct skinny_wgmma_plan *plan, const struct matmul_problem *p, bool wide,
                               float *c, packed from_b, cudaStream_t stream)
{
    const struct skinny_wgmma_tile *tile = &plan->tile;
    const block_share<TURNED> of = {
        p->a, p->b, c, p->m, p->n, p->k, (unsigned)plan->parts, (int)plan->steps * BK, (int)plan->rows};
    const unsigned blocks = (unsigned)(plan->blocks * plan->parts);
#define LAUNCH_IF(width_, groups_, sharing_)                                           \
    if (tile->width == width_ && tile->groups == groups_ && tile->sharing == sharing_) \
        return launch<skinny_tile<width_, groups_, sharing_, TURNED>>(of, wide, blocks, from_b, stream);
    SKINNY_WGMMA_TILES(LAUNCH_IF)
#undef LAUNCH_IF
    return "matmul_cuda_skinny_wgmma: there is no such tile";
}

const char *matmul_cuda_skinny_wgmma(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    if (!skinny_wgmma_takes(p))
        return rung_hand_over(p->k < SKINNY_WGMMA_LEAST_K ? matmul_cuda_fp16x3 : matmul_cuda_fp16x3_wgmma, problem,
                              stream);
    const bool wide_a = p->k % 4 == 0 && is_aligned(p->a, 16),
               wide_b = p->n % 4 == 0 && is_aligned(p->b, 16) && is_aligned(p->c, 16);
    const struct model_shape shape = {p->m, p->k, p->n, gpu_attribute(cudaDevAttrMultiProcessorCount), wide_a, wide_b};
    const struct skinny_wgmma_plan plan = plan_skinny_wgmma(&shape);
    const int64_t steps = ceil_div(p->k, BK), parts = plan.parts, count = p->m * p->n;
    const size_t bytes_of_pieces = (size_t)steps * PIECE_BYTES,
                 bytes_of_c = parts > 1 ? (size_t)(parts * count) * sizeof(float) : 0;
    void *memory = NULL;
    TRY_CALL(workspace_get(bytes_of_pieces + bytes_of_c + (size_t)steps * sizeof(packing), &memory));
    float *c = parts > 1 ? (float *)((unsigned char *)memory + bytes_of_pieces) : p->c;
    const packed of_narrow = {(unsigned char *)memory,
                              (packing *)((unsigned char *)memory + bytes_of_pieces + bytes_of_c)};
    auto pack = wide_a ? matmul_pack_skinny_wgmma_kernel<true> : matmul_pack_skinny_wgmma_kernel<false>;
    TRY_CALL(TRY_LAUNCH(__func__, pack, steps, THREADS, 0, stream, p->m, p->n, p->k, steps, plan.turned ? steps : 0,
                        p->a, p->b, of_narrow));
    TRY_CALL(plan.turned ? launch_tile<true>(&plan, p, wide_b, c, of_narrow, (cudaStream_t)stream)
                         : launch_tile<false>(&plan, p, wide_a, c, of_narrow, (cudaStream_t)stream));
    return add_parts(__func__, count, (unsigned)parts, c, p->c, (cudaStream_t)stream);
}
