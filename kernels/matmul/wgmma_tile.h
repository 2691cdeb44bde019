/* C = A B by Hopper's tensor cores in their own instruction, wgmma: what the rungs tf32_wgmma and fp16x3_wgmma share.
 * Two kernels, one after the other.
 *
 * Pack. The first makes what the tensor cores multiply of A and B, piece by piece (wgmma_pieces.h). It costs a pass
 * over them, once: in the tile of the rungs before, each block converts what it reads, and A is read as often as C has
 * columns of tiles.
 *
 * Multiply. A block has a tile of 128 x 128 of C, each of its two groups of four warps 64 rows of that. A piece is
 * contiguous in memory, so one thread starts one bulk copy for it, and a barrier counts its bytes. The ring of such
 * stages has two barriers each: one says that it is filled, one that both groups have read it.
 *
 * A format is what wgmma_pieces.h says, and has
 *   sums                   what a thread has of the tile, `all`, and of the products of a step, with
 *     multiply(a, b, first)    starts products of a step, the first of them or more
 *     holds(note_a, note_b)    whether the parts of two pieces keep what the rung promises
 *     add(note_a, note_b)      adds the products of the step to `all`. Else FP32 multiply-adds do, from the factors as
 *                              they are: a stage is as large as these
 *
 * Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". */
#pragma once

#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "hopper.h"
#include "kernels/launch.h"
#include "kernels/workspace.h"
#include "wgmma_pieces.h"

constexpr int GROUP = 4 * WARP, GROUPS = THREADS / GROUP;
constexpr int BM = GROUPS * WGMMA_ROWS, BN = 128, SUMS = BN / 2;
constexpr uint64_t PART = PART_BYTES / 16, GROUP_ROWS = WGMMA_ROWS * WGMMA_ROW_BYTES / 16; /* in descriptors */
constexpr int RING_BYTES = 192 * 1024;
constexpr int LEAST_SIZE = 64; /* of m, n and k: with less, most of a piece is padding */
static_assert(BM == PIECE_ROWS && BN == PIECE_ROWS, "a stage has a piece of A and one of B");

template <typename Format>
struct ring_of : layout_of<Format> {
    static constexpr int STAGE_BYTES = 2 * layout_of<Format>::PIECE_BYTES, STAGES = RING_BYTES / STAGE_BYTES;
    static_assert(STAGE_BYTES >= (BM + BN) * layout_of<Format>::BK * (int)sizeof(float),
                  "a stage has room for the factors themselves");
};

/* Where a thread's sums are in C: sums[4 j + 2 h + e] are in row + 8 h and column + 8 j + e. */
struct lane_place {
    int64_t row, column;
};

/* Tiles in the order in which they are begun: down in strips of eight, so that those that run together share more of A
 * and B in L2 than a row of tiles would. */
static __device__ __forceinline__ void tile_at(int64_t tile, int64_t tiles_m, int64_t tiles_n, int64_t *tile_m,
                                               int64_t *tile_n)
{
    constexpr int STRIP = 8;
    int64_t first = tile / (STRIP * tiles_n) * STRIP, rows = min(tiles_m - first, (int64_t)STRIP);
    int64_t in_strip = tile - first * tiles_n;
    *tile_m = first + in_strip % rows;
    *tile_n = in_strip / rows;
}

/* Adds the products of a step to the sums by FP32 multiply-adds, from A and B as they are. All threads of the block
 * call together; what they read of the step goes to `stage`, of which they have read what was there before. */
template <int BK>
static __device__ __forceinline__ void multiply_in_fp32(float *stage, int64_t m, int64_t n, int64_t k,
                                                        const lane_place &place, int64_t p, const float *a,
                                                        const float *b, float (&sums)[SUMS])
{
    constexpr int A_ROW = BK, B_ROW = BN;
    int in_row = (int)(place.row % BM), in_column = (int)(place.column % BN);
    int64_t row = place.row - in_row, column = place.column - in_column;
    float *As = stage, *Bs = stage + BM * A_ROW;
    /* Lanes side by side hit different banks. */
    auto swizzled = [](int i, int q) { return i * A_ROW + (q ^ i % WARP); };
    __syncthreads();
    for (int i = (int)threadIdx.x; i < BM * BK; i += THREADS) {
        int64_t at = row + i / BK, of = p + i % BK;
        As[swizzled(i / BK, i % BK)] = at < m && of < k ? a[at * k + of] : 0;
    }
    for (int i = (int)threadIdx.x; i < BK * BN; i += THREADS) {
        int64_t at = p + i / BN, of = column + i % BN;
        Bs[i] = at < k && of < n ? b[at * n + of] : 0;
    }
    __syncthreads();
    int depth = (int)min((int64_t)BK, k - p);
#pragma unroll 1
    for (int q = 0; q < depth; q++)
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            sums[i] =
                fmaf(As[swizzled(in_row + i / 2 % 2 * 8, q)], Bs[q * B_ROW + in_column + i / 4 * 8 + i % 2], sums[i]);
    wgmma_see_shared(); /* the next copy to the stage comes after these reads */
    __syncthreads();    /* racecheck does not see that a lane arrives at a barrier for its warp */
}

/* a is m x k, b is k x n, c is m x n, all row-major; from_a and from_b are what pack_piece() made of a and b. WIDE: n
 * is even, and c is aligned to 8 bytes. */
template <typename Format, bool WIDE>
static __device__ __forceinline__ void multiply_tile(int64_t m, int64_t n, int64_t k, int64_t steps, const float *a,
                                                     const float *b, packed from_a, packed from_b, float *c)
{
    using layout = ring_of<Format>;
    constexpr int STAGES = layout::STAGES, PIECE_BYTES = layout::PIECE_BYTES, BK = layout::BK;
    __shared__ uint64_t filled[STAGES], read[STAGES];
    DYNAMIC_SHARED(unsigned char, shared);
    unsigned char *ring = shared + (PIECE_ALIGNMENT - shared_address(shared) % PIECE_ALIGNMENT) % PIECE_ALIGNMENT;
    int64_t tile_m, tile_n;
    tile_at(gridDim.x - 1 - blockIdx.x, (m + BM - 1) / BM, (n + BN - 1) / BN, &tile_m, &tile_n);
    const unsigned char *pieces_a = from_a.pieces + tile_m * steps * PIECE_BYTES;
    const unsigned char *pieces_b = from_b.pieces + tile_n * steps * PIECE_BYTES;
    const uint32_t *notes_a = from_a.notes + tile_m * steps, *notes_b = from_b.notes + tile_n * steps;
    auto fetch = [&](int64_t step) { /* by one thread */
                                     int slot = (int)(step % STAGES);
                                     unsigned char *stage = ring + slot * layout::STAGE_BYTES;
                                     copy_bulk(stage, pieces_a + step * PIECE_BYTES, PIECE_BYTES, &filled[slot]);
                                     copy_bulk(stage + PIECE_BYTES, pieces_b + step * PIECE_BYTES, PIECE_BYTES,
                                               &filled[slot]);
    };
    int thread = (int)threadIdx.x, group = thread / GROUP, lane = thread % WARP;
    if (thread == 0) {
        for (int slot = 0; slot < STAGES; slot++) {
            barrier_make(&filled[slot], 2);
            barrier_make(&read[slot], THREADS / WARP);
        }
        barriers_made();
        for (int64_t step = 0; step < min(steps, (int64_t)STAGES); step++)
            fetch(step);
    }
    __syncthreads();

    lane_place place = {tile_m * BM + group * WGMMA_ROWS + thread % GROUP / WARP * 16 + lane / 4,
                        tile_n * BN + lane % 4 * 2};
    typename Format::sums sums;
    int slot = 0;
    uint32_t phase = 0;
    for (int64_t step = 0; step < steps; step++) {
        uint32_t note_a = __ldg(notes_a + step), note_b = __ldg(notes_b + step);
        barrier_wait(&filled[slot], phase);
        uint64_t of_a = wgmma_descriptor(ring + slot * layout::STAGE_BYTES);
        uint64_t of_b = of_a + Format::PARTS * PART;
        of_a += (uint64_t)group * GROUP_ROWS;
        wgmma_fence();
#pragma unroll
        for (int i = 0; i < WGMMA_ROW_BYTES / 32; i++)
            sums.multiply(of_a + 2 * i, of_b + 2 * i, i == 0);
        wgmma_commit();
        if (thread == 0 && step > 0 &&
            step - 1 + STAGES < steps) { /* the slot of the step before is the next to fill */
            barrier_wait(&read[slot == 0 ? STAGES - 1 : slot - 1], slot == 0 ? phase ^ 1 : phase);
            fetch(step - 1 + STAGES);
        }
        __syncwarp();
        wgmma_wait();
        bool holds = sums.holds(note_a, note_b);
        if (!holds)
            multiply_in_fp32<BK>((float *)(ring + slot * layout::STAGE_BYTES), m, n, k, place, step * BK, a, b,
                                 sums.all);
        __syncwarp();
        if (lane == 0)
            barrier_arrive(&read[slot]);
        if (holds)
            sums.add(note_a, note_b);
        slot = slot + 1 == STAGES ? 0 : slot + 1;
        phase ^= slot == 0;
    }
    wgmma_store<WIDE>(sums.all, m, n, place.row, place.column, c);
}

/* The kernels of a rung: pack_piece() and multiply_tile(), each with WIDE true or false. */
template <typename Pack, typename Multiply>
struct wgmma_kernels {
    Pack *pack_wide, *pack;
    Multiply *multiply_wide, *multiply;
};

/* Runs a rung's kernels, or hands over to another rung where less than LEAST_SIZE is there. */
template <typename Format, typename Pack, typename Multiply>
static const char *launch_packed(const char *rung, const wgmma_kernels<Pack, Multiply> &kernels, rung_function *other,
                                 const struct matmul_problem *p, void *stream)
{
    using layout = layout_of<Format>;
    if (p->m < LEAST_SIZE || p->n < LEAST_SIZE || p->k < LEAST_SIZE)
        return rung_hand_over(other, p, stream);
    int64_t steps = ceil_div(p->k, layout::BK), tiles_m = ceil_div(p->m, BM), tiles_n = ceil_div(p->n, BN);
    int64_t pieces_of_a = tiles_m * steps, pieces = pieces_of_a + tiles_n * steps;
    const char *error = grid_x_error(rung, pieces);
    error = error ? error : grid_x_error(rung, tiles_m * tiles_n);
    void *memory = NULL;
    error = error ? error : workspace_get((size_t)pieces * (layout::PIECE_BYTES + sizeof(uint32_t)), &memory);
    if (error)
        return error;
    packed of_a = {(unsigned char *)memory, (uint32_t *)((unsigned char *)memory + pieces * layout::PIECE_BYTES)};
    packed of_b = {of_a.pieces + pieces_of_a * layout::PIECE_BYTES, of_a.notes + pieces_of_a};
    Pack *pack = p->k % 4 == 0 && is_aligned(p->a, 16) ? kernels.pack_wide : kernels.pack;
    LAUNCH(pack, (unsigned)pieces, THREADS, 0, (cudaStream_t)stream, p->m, p->n, p->k, steps, pieces_of_a, p->a, p->b,
           of_a, of_b);
    error = launch_error(rung);
    Multiply *multiply = p->n % 2 == 0 && is_aligned(p->c, 8) ? kernels.multiply_wide : kernels.multiply;
    constexpr int BYTES = RING_BYTES + PIECE_ALIGNMENT;
    if (error || cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES))
        return error ? error : launch_error(rung);
    return TRY_LAUNCH(rung, multiply, tiles_m * tiles_n, THREADS, BYTES, stream, p->m, p->n, p->k, steps, p->a, p->b,
                      of_a, of_b, p->c);
}
