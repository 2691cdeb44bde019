/* A block's tile of C = A B, made from a ring of stages in shared memory that asynchronous copies fill: what the rungs
 * async and fitted share.
 *
 *          p0        p0 + BK                A stage holds BM x BK of A, transposed (As[p][row]), and BK x BN of B.
 *       +---+---+---+---+---+               While the block multiplies one stage, the copies of the next STAGES - 1
 *       |   |As |   |   |   | BM            are on their way.
 *       +---+---+---+---+---+
 *           +-------+-------+               The tile is divided among WARPS_M x WARPS_N warps, and a warp's part among
 *        BK |  Bs   |       |               LANES_M x LANES_N lanes. A lane has TM x TN elements: quads of 4 x 4, which
 *           +-------+-------+               lie 4 * LANES_M rows and 4 * LANES_N columns apart. So lanes side by side
 *              BN                           read 16 bytes each, side by side, and no two of them collide.
 *
 * Per p, a lane reads (TM + TN) / 4 times 16 bytes for TM * TN multiply-adds. It reads the numbers for the next p
 * before it multiplies those of this one, across stages too, so the wait for shared memory is hidden. */
#pragma once

#include "kernels/four.h"
#include "kernels/launch.h"

template <int BM_, int BN_, int BK_, int WARPS_M_, int WARPS_N_, int LANES_M_, int STAGES_, int BLOCKS_>
struct async_tile {
    static constexpr int BM = BM_, BN = BN_, BK = BK_, WARPS_M = WARPS_M_, WARPS_N = WARPS_N_, STAGES = STAGES_;
    static constexpr int BLOCKS = BLOCKS_; /* that a multiprocessor is to hold at once */
    static constexpr int PAIR = 2;         /* lanes that read the same rows; see cuda_warp_tile */
    static constexpr int WARP = 32, LANES_M = LANES_M_, LANES_N = WARP / LANES_M;
    static constexpr int WM = BM / WARPS_M, WN = BN / WARPS_N, TM = WM / LANES_M, TN = WN / LANES_N;
    static constexpr int THREADS = WARPS_M * WARPS_N * WARP;
    static constexpr int A_ROW = BM + 4; /* without the padding, threads that store along k would all hit one bank */
    static constexpr int A_FLOATS = BK * A_ROW, B_FLOATS = BK * BN, STAGE = A_FLOATS + B_FLOATS;
    static constexpr size_t RING_BYTES = (size_t)STAGES * STAGE * sizeof(float);
    static_assert(TM % 4 == 0 && TN % 4 == 0 && TM * TN * THREADS == BM * BN, "lanes share the tile in quads");
    static_assert(THREADS % BK == 0 && BM % (THREADS / BK) == 0, "threads share the copies of A");
    static_assert(BM % 4 == 0 && BN % 4 == 0, "lanes read 16 bytes");
    static_assert(BK % 2 == 0, "fragments take turns");
    static_assert(STAGES >= 2 && STAGES <= 10, "copy_async_wait() takes 0 to 8");
    static_assert(RING_BYTES <= 227 * 1024, "a block has at most 227 KiB");
};

/* Where a tile begins in C, and how much of it is there. */
struct tile_place {
    int64_t row, column;
    int rows, columns;
};

template <typename Tile>
static __device__ __forceinline__ tile_place tile_at(int64_t m, int64_t n, int64_t tile_m, int64_t tile_n)
{
    int64_t row = tile_m * Tile::BM, column = tile_n * Tile::BN;
    return {row, column, (int)min(m - row, (int64_t)Tile::BM), (int)min(n - column, (int64_t)Tile::BN)};
}

/* What the copies of a stage have to ask: nothing; whether the tile has such a row or column, of which else nothing is
 * stored; or also whether the stage has such a step along k, in whose place come zeros. From one to the next they take
 * more instructions. */
enum copies { OF_WHOLE_TILE, OF_WHOLE_STAGE, OF_PART };

template <copies COPIES, typename T>
static __device__ __forceinline__ void copy_if(T *to, const T *from, bool of_tile, bool of_stage)
{
    if (COPIES == OF_WHOLE_TILE)
        copy_async(to, from);
    else if (COPIES == OF_WHOLE_STAGE)
        copy_async_if(to, from, of_tile);
    else
        copy_async_or_zero(to, from, of_tile && of_stage);
}

/* Starts the copies of a stage. `a` points to its first column in the first row of A, `b` to its first element. `depth`
 * steps along k are there. WIDE: rows of B are aligned to 16 bytes, and n is a multiple of 4. */
template <typename Tile, bool WIDE, copies COPIES>
static __device__ __forceinline__ void fetch_stage(float *stage, const float *a, int64_t k, const float *b, int64_t n,
                                                   const tile_place &place, int depth)
{
    constexpr int A_STEP = Tile::THREADS / Tile::BK;
    constexpr int WIDTH = WIDE ? 4 : 1, LINE = Tile::BN / WIDTH, B_STEP = Tile::THREADS / LINE;
    static_assert(Tile::THREADS % LINE == 0 && Tile::BK % B_STEP == 0, "threads share the copies of B");
    int thread = (int)threadIdx.x, row = thread / Tile::BK, p = thread % Tile::BK;
    const float *from = a + p;
    float *to = stage + p * Tile::A_ROW + row;
#pragma unroll
    for (int i = 0; i < Tile::BM; i += A_STEP)
        copy_if<COPIES>(to + i, from + (place.row + row + i) * k, row + i < place.rows, p < depth);
    int column = thread % LINE * WIDTH;
    p = thread / LINE;
    from = b + p * n + column;
    to = stage + Tile::A_FLOATS + p * Tile::BN + column;
#pragma unroll
    for (int i = 0; i < Tile::BK; i += B_STEP, from += B_STEP * n, to += B_STEP * Tile::BN)
        if (WIDE)
            copy_if<COPIES>((float4 *)to, (const float4 *)from, column < place.columns, p + i < depth);
        else
            copy_if<COPIES>(to, from, column < place.columns, p + i < depth);
}

/* The first row and column of the lane's elements in the tile. */
template <typename Tile>
static __device__ __forceinline__ int lane_row()
{
    int thread = (int)threadIdx.x, warp = thread / Tile::WARP, lane = thread % Tile::WARP;
    return warp / Tile::WARPS_N * Tile::WM + lane / Tile::PAIR % Tile::LANES_M * 4;
}

template <typename Tile>
static __device__ __forceinline__ int lane_column()
{
    int thread = (int)threadIdx.x, warp = thread / Tile::WARP, lane = thread % Tile::WARP;
    int x = lane / (Tile::PAIR * Tile::LANES_M) * Tile::PAIR + lane % Tile::PAIR;
    return warp % Tile::WARPS_N * Tile::WN + x * 4;
}

/* The lane's row and column number i in the tile, counted from its first. */
template <typename Tile>
static __device__ __forceinline__ int row_of(int i)
{
    return i / 4 * 4 * Tile::LANES_M + i % 4;
}

template <typename Tile>
static __device__ __forceinline__ int column_of(int j)
{
    return j / 4 * 4 * Tile::LANES_N + j % 4;
}

/* Reads COUNT elements, in quads that lie 4 * LANES apart. */
template <int COUNT, int LANES>
static __device__ __forceinline__ void read_quads(const float *from, float (&to)[COUNT])
{
#pragma unroll
    for (int i = 0; i < COUNT; i += 4)
        unpack(*(const float4 *)(from + i * LANES), &to[i]);
}

template <typename Tile>
static __device__ __forceinline__ void multiply_lane(const float (&a)[Tile::TM], const float (&b)[Tile::TN],
                                                     float (&sums)[Tile::TM][Tile::TN])
{
#pragma unroll
    for (int i = 0; i < Tile::TM; i++)
#pragma unroll
        for (int j = 0; j < Tile::TN; j++)
            sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
}

/* Adds the products of the first `depth` columns of a and rows of b to the lane's sums. All threads of the block take
 * part. Of a last stage half of which is not there, that half is left out if may_stop: racecheck does not understand
 * clusters then. */
template <typename Tile, bool WIDE>
static __device__ __forceinline__ void multiply_tile(float *ring, int64_t n, int64_t k, const tile_place &place,
                                                     int64_t depth, bool may_stop, const float *a, const float *b,
                                                     float (&sums)[Tile::TM][Tile::TN])
{
    constexpr int STAGES = Tile::STAGES, BK = Tile::BK;
    const bool whole = place.rows == Tile::BM && place.columns == Tile::BN;
    const int64_t last = depth % BK;
    const bool half = may_stop && last > 0 && last <= BK / 2;
    int64_t steps = (depth + BK - 1) / BK - half, left = depth; /* of which no copy was started */
    b += place.column;
    auto fetch = [&](int slot) {
        if (whole && left >= BK)
            fetch_stage<Tile, WIDE, OF_WHOLE_TILE>(ring + slot * Tile::STAGE, a, k, b, n, place, BK);
        else if (left >= BK)
            fetch_stage<Tile, WIDE, OF_WHOLE_STAGE>(ring + slot * Tile::STAGE, a, k, b, n, place, BK);
        else if (left > 0)
            fetch_stage<Tile, WIDE, OF_PART>(ring + slot * Tile::STAGE, a, k, b, n, place, (int)min(left, (int64_t)BK));
        copy_async_commit();
        a += BK;
        b += BK * n;
        left -= BK;
    };
    for (int slot = 0; slot < STAGES - 1; slot++)
        fetch(slot);
    copy_async_wait(STAGES - 2);
    __syncthreads();

    const float *As = ring + lane_row<Tile>(), *Bs = ring + Tile::A_FLOATS + lane_column<Tile>();
    float a_now[2][Tile::TM], b_now[2][Tile::TN];
    read_quads<Tile::TM, Tile::LANES_M>(As, a_now[0]);
    read_quads<Tile::TN, Tile::LANES_N>(Bs, b_now[0]);
    int slot = 0, free_slot = STAGES - 1;
    for (int64_t step = 0; step < steps; step++) {
        int at = slot * Tile::STAGE;
#pragma unroll
        for (int p = 0; p < BK; p++) {
            int next = (p + 1) % BK;
            if (next == 0) {
                copy_async_wait(STAGES - 2);
                __syncthreads(); /* the next stage is there for all, and all have read this one */
                slot = slot + 1 == STAGES ? 0 : slot + 1;
                at = slot * Tile::STAGE;
            }
            read_quads<Tile::TM, Tile::LANES_M>(As + at + next * Tile::A_ROW, a_now[next % 2]);
            read_quads<Tile::TN, Tile::LANES_N>(Bs + at + next * Tile::BN, b_now[next % 2]);
            if (p == 0) {
                fetch(free_slot);
                free_slot = free_slot + 1 == STAGES ? 0 : free_slot + 1;
            }
            multiply_lane<Tile>(a_now[p % 2], b_now[p % 2], sums);
        }
    }
    if (!half)
        return;
    As += slot * Tile::STAGE;
    Bs += slot * Tile::STAGE;
#pragma unroll
    for (int p = 0; p < BK / 2; p++) {
        read_quads<Tile::TM, Tile::LANES_M>(As + (p + 1) * Tile::A_ROW, a_now[(p + 1) % 2]);
        read_quads<Tile::TN, Tile::LANES_N>(Bs + (p + 1) * Tile::BN, b_now[(p + 1) % 2]);
        multiply_lane<Tile>(a_now[p % 2], b_now[p % 2], sums);
    }
}

/* Stores the lane's sums. If not WIDE, a row may begin anywhere. Then they go through the ring, which nobody needs any
 * more, so that a warp stores 32 neighbours at a time. */
template <typename Tile, bool WIDE>
static __device__ __forceinline__ void store_sums(float *ring, const float (&sums)[Tile::TM][Tile::TN], int64_t n,
                                                  const tile_place &place, float *c)
{
    constexpr int LINE = Tile::WN + 4; /* lanes below each other hit different banks */
    static_assert(Tile::BM * Tile::WARPS_N * LINE * sizeof(float) <= Tile::RING_BYTES, "the ring has room");
    const int row = lane_row<Tile>(), column = lane_column<Tile>(), warp = (int)threadIdx.x / Tile::WARP;
    c += place.row * n + place.column;
    if (WIDE) {
#pragma unroll
        for (int i = 0; i < Tile::TM; i++)
#pragma unroll
            for (int j = 0; j < Tile::TN; j += 4)
                if (row + row_of<Tile>(i) < place.rows)
                    store_four<true>(c + (row + row_of<Tile>(i)) * n + column + column_of<Tile>(j), pack(&sums[i][j]),
                                     place.columns - column - column_of<Tile>(j));
        return;
    }
    const int first_row = warp / Tile::WARPS_N * Tile::WM, first_column = warp % Tile::WARPS_N * Tile::WN;
    float *mine = ring + warp * Tile::WM * LINE, *to = mine + (row - first_row) * LINE + column - first_column;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Tile::TM; i++)
#pragma unroll
        for (int j = 0; j < Tile::TN; j += 4)
            *(float4 *)(to + row_of<Tile>(i) * LINE + column_of<Tile>(j)) = pack(&sums[i][j]);
    __syncwarp();
    constexpr int WIDTH = Tile::WN < Tile::WARP ? Tile::WN : Tile::WARP, LINES = Tile::WARP / WIDTH;
    const int lane = (int)threadIdx.x % Tile::WARP, first = lane / WIDTH, rows = min(place.rows - first_row, Tile::WM);
    const int columns = place.columns - first_column - lane % WIDTH; /* from the lane's first on */
    c += (first_row + first) * n + first_column + lane % WIDTH;
#pragma unroll 4
    for (int i = first; i < rows; i += LINES, c += LINES * n)
#pragma unroll
        for (int j = 0; j < Tile::WN; j += WIDTH)
            if (j < columns)
                c[j] = mine[i * LINE + lane % WIDTH + j];
}
