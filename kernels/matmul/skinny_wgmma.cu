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
 * B is as small as A is large: a first kernel packs it (wgmma_pieces.h), and bulk copies bring a piece per step. There
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
 * Source of the technique: H. Ootomo and R. Yokota, "Recovering single precision accuracy from Tensor Cores while
 * surpassing the FP32 theoretical peak performance", 2022; PTX ISA, "Register Fragments and Shared Memory Matrix
 * Layouts".
 *
 * Measured: matmul/50000x784x128/cuda_skinny_wgmma/cold 100 us (results/h200/narrow.csv); cublas takes 217.0
 * us. */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "hopper.h"
#include "kernels/launch.h"
#include "kernels/workspace.h"
#include "skinny_tile.h"

constexpr int64_t LEAST_K = 16, K_MAX = 1 << 20; /* packed, B has 512 bytes per element of k */
constexpr int64_t M_MAX = INT64_C(1) << 36;      /* then the rows of a block are counted by 32 bits */

/* a is m x k, b is k x n, c is m x n, all row-major; from_b is what pack_piece() made of b. n <= Tile::BN. The block
 * has up to rows_of_block rows. WIDE: as in fetch_rows(); WIDE_C: as in wgmma_store(). */
template <typename Tile, bool WIDE, bool WIDE_C>
static __global__ void __launch_bounds__(Tile::MULTIPLIERS, 1)
    matmul_skinny_wgmma_kernel(int64_t m, int n, int k, int rows_of_block, const float *a, const float *b,
                               packed from_b, float *c)
{
    constexpr int STAGES = Tile::STAGES, SUMS = Tile::SUMS, BN = Tile::BN, KS = Tile::KS, B_PART = Tile::B_PART;
    __shared__ uint64_t filled[STAGES], read[STAGES];
    DYNAMIC_SHARED(unsigned char, shared);
    unsigned char *stages = shared + (PIECE_ALIGNMENT - shared_address(shared) % PIECE_ALIGNMENT) % PIECE_ALIGNMENT;
    float *shares = (float *)(stages + STAGES * Tile::STAGE_BYTES);
    int thread = (int)threadIdx.x, warp = thread / WARP, lane = thread % WARP, share = thread / GROUP % KS;
    auto a_of = [&](int slot) { return (float *)(stages + slot * Tile::STAGE_BYTES) + warp * WARP_ROWS * A_ROW; };
    auto b_of = [&](int slot, int share) {
        return stages + slot * Tile::STAGE_BYTES + Tile::A_BYTES + share * 2 * B_PART;
    };
    int64_t first = (int64_t)blockIdx.x * rows_of_block;
    int rows = (int)min(m - first, (int64_t)rows_of_block);
    int64_t turns = (int64_t)((rows + Tile::BM - 1) / Tile::BM) * ((k + Tile::TURN - 1) / Tile::TURN);
    a += first * k;
    c += first * n;
    int row_of_warp = thread / GROUP / KS * WGMMA_ROWS + warp % 4 * WARP_ROWS, p_of_warp = share * BK;
    position at = {0, 0}, fetched = at;
    auto fetch_a = [&](int64_t turn, int slot) {
        if (turn < turns)
            fetch_rows<WIDE>(a_of(slot), fetched.row + row_of_warp, fetched.p + p_of_warp, rows, k, a);
        copy_async_commit();
        fetched.template advance<Tile>(k);
    };
    /* By one thread, for the turn that begins at p. */
    auto fetch_b = [&](int p, int slot) {
#pragma unroll
        for (int i = 0; i < KS; i++) {
            if (p + i * BK >= k) {
                barrier_arrive(&filled[slot]);
                barrier_arrive(&filled[slot]);
                continue;
            }
            const unsigned char *piece = from_b.pieces + (int64_t)(p / BK + i) * layout_of<fp16_pieces>::PIECE_BYTES;
            copy_bulk(b_of(slot, i), piece, B_PART, &filled[slot]);
            copy_bulk(b_of(slot, i) + B_PART, piece + PART_BYTES, B_PART, &filled[slot]);
        }
    };
#pragma unroll
    for (int slot = 0; slot < STAGES - 1; slot++)
        fetch_a(slot, slot);
    wait_for_last_launch(); /* it packs B */
    if (thread == 0) {
        for (int slot = 0; slot < STAGES; slot++) {
            barrier_make(&filled[slot], 2 * KS);
            barrier_make(&read[slot], Tile::WARPS);
        }
        barriers_made();
        position begun = at;
        for (int slot = 0; slot < min(turns, (int64_t)STAGES - 1); slot++, begun.advance<Tile>(k))
            fetch_b(begun.p, slot);
    }
    __syncthreads();

    float sums[SUMS] = {};
    int slot = 0, before = STAGES - 1; /* the slot of this turn, and that of the one before, which is filled again */
    uint32_t phase = 0;
    for (int64_t turn = 0; turn < turns; turn++) {
        split_rows factors;
        float large[SUMS], small[SUMS];
        /* Beyond k is nothing: what is multiplied then is not added. */
        bool there = KS == 1 || at.p + p_of_warp < k;
        uint32_t exponent_b = there ? __ldcg(from_b.notes + at.p / BK + share) : fp16_pieces::NOT_HELD;
        copy_async_wait(STAGES - 2);
        __syncwarp();
        int next_p = fetched.p;
        fetch_a(turn + STAGES - 1, before);
        split(a_of(slot) + lane / 4 * A_ROW + lane % 4 * 2, factors);
        barrier_wait(&filled[slot], phase);
        uint64_t high_b = wgmma_descriptor(b_of(slot, share)), low_b = high_b + B_PART / 16;
        wgmma_fence();
#pragma unroll
        for (int f = 0; f < FACTORS; f++) {
            wgmma_multiply(small, factors.low[f], high_b + 2 * f, f > 0);
            wgmma_multiply(small, factors.high[f], low_b + 2 * f, true);
            wgmma_multiply(large, factors.high[f], high_b + 2 * f, f > 0);
        }
        wgmma_commit();
        if (thread == 0 && turn + STAGES - 1 < turns) {
            if (turn > 0)
                barrier_wait(&read[before], slot == 0 ? phase ^ 1 : phase);
            fetch_b(next_p, before);
        }
        __syncwarp();
        wgmma_wait();
        if (lane == 0)
            barrier_arrive(&read[slot]);
        wgmma_take(large);
        wgmma_take(small);
#pragma unroll
        for (int f = 0; f < FACTORS; f++) {
            wgmma_take(factors.high[f]);
            wgmma_take(factors.low[f]);
        }
        if (factors.exponent != fp16_pieces::NOT_HELD && exponent_b != fp16_pieces::NOT_HELD) {
            float back = fp16_back(factors.exponent, exponent_b);
#pragma unroll
            for (int i = 0; i < SUMS; i++)
                sums[i] = fmaf(fmaf(small[i], LOW_DOWN, large[i]), back, sums[i]);
        } else if (there) {
            int p = at.p + p_of_warp;
            multiply_in_fp32<BN>(a_of(slot), b + (int64_t)p * n, min(BK, k - p), n, sums);
        }
        int row = at.row + row_of_warp + lane / 4;
        at.advance<Tile>(k);
        if (at.p == 0) {
            if (KS > 1)
                add_shares<Tile>(shares, sums);
            if (share == 0)
                wgmma_store<WIDE_C>(sums, rows, n, row, lane % 4 * 2, c);
#pragma unroll
            for (int i = 0; i < SUMS; i++)
                sums[i] = 0;
        }
        before = slot;
        slot = slot + 1 == STAGES ? 0 : slot + 1;
        phase ^= slot == 0;
    }
}

/* The first blocks of the kernel that follows may start at once. As pack_piece(), for B alone. */
static __global__ void __launch_bounds__(THREADS)
    matmul_pack_skinny_wgmma_kernel(int64_t n, int64_t k, int64_t steps, const float *b, packed to_b)
{
    allow_early_launch();
    pack_piece<fp16_pieces, false>(0, n, k, steps, 0, NULL, b, to_b, to_b);
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
    if (!cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::BYTES))
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
    if (p->n > WIDEST || p->k > K_MAX || p->m > M_MAX)
        return rung_hand_over(matmul_cuda_fp16x3_wgmma, problem, stream);
    if (p->k < LEAST_K)
        return rung_hand_over(matmul_cuda_fp16x3, problem, stream);
    int device, blocks;
    if (cudaGetDevice(&device) || cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device))
        return launch_error(__func__);
    int64_t steps = ceil_div(p->k, BK);
    size_t bytes = (size_t)steps * layout_of<fp16_pieces>::PIECE_BYTES;
    void *memory = NULL;
    const char *error = workspace_get(bytes + (size_t)steps * sizeof(uint32_t), &memory);
    if (error)
        return error;
    packed of_b = {(unsigned char *)memory, (uint32_t *)((unsigned char *)memory + bytes)};
    LAUNCH(matmul_pack_skinny_wgmma_kernel, (unsigned)steps, THREADS, 0, (cudaStream_t)stream, p->n, p->k, steps, p->b,
           of_b);
    error = launch_error(__func__);
    if (error)
        return error;
    return launch_fit(p, blocks, of_b, (cudaStream_t)stream);
}
