/* What a warp of skinny_wgmma.cu has of A: 16 rows, which it copies to its part of shared memory, and splits on their
 * way to the tensor cores. TURNED: what is called A is B^T, whose rows are columns of B, and so on. */
#pragma once

#include "fp16_pieces.h"

constexpr int WARP_ROWS = 16;
constexpr int FACTOR = 16, FACTORS = BK / FACTOR; /* an instruction's part of k; so many make a step */
/* Floats from a row of a warp's part of A to the next, or of B if that is turned: lanes that read pairs along k hit
 * different banks. */
constexpr int A_ROW = BK + 8, TURNED_ROW = WARP_ROWS + 4;

/* a is m x k, b is k x n, c is m x n, all row-major; turned, rows are columns of b. A block has up to rows_of_block of
 * them, and of k one of `parts`, each of which has a c of its own. */
template <bool TURNED>
struct block_share {
    const float *a, *b;
    float *c;
    int64_t m, n, k;
    unsigned parts;
    int part, rows_of_block;

    __device__ __forceinline__ int64_t first() const
    {
        return (int64_t)(blockIdx.x / parts) * rows_of_block;
    }
    __device__ __forceinline__ int64_t begin() const
    {
        return (int64_t)(blockIdx.x % parts) * part;
    }
    __device__ __forceinline__ int rows() const
    {
        return (int)min((TURNED ? n : m) - first(), (int64_t)rows_of_block);
    }
    __device__ __forceinline__ int depth() const
    {
        return (int)min(k - begin(), (int64_t)part);
    }
    __device__ __forceinline__ int columns() const
    {
        return (int)(TURNED ? m : n);
    }
    /* Of the elements at the block's first row, and where its part of k begins. */
    __device__ __forceinline__ const float *tall() const
    {
        return TURNED ? b + begin() * n + first() : a + first() * k + begin();
    }
    /* Of what that is multiplied by. */
    __device__ __forceinline__ const float *narrow(int p, int column) const
    {
        return TURNED ? a + column * k + begin() + p : b + (begin() + p) * n + column;
    }
    __device__ __forceinline__ float *result() const
    {
        float *of_part = c + blockIdx.x % parts * m * n;
        return TURNED ? of_part + first() : of_part + first() * n;
    }
};

/* Starts the copies of a warp's step, which begins at first_row and first_p. WIDE: all rows, as they lie, are aligned
 * to 16 bytes, and their lengths multiples of 4. */
template <bool TURNED, bool WIDE>
static __device__ __forceinline__ void fetch_rows(float *to, int first_row, int first_p, int rows, int depth,
                                                  int64_t stride, const float *tall)
{
    constexpr int ACROSS = TURNED ? BK : WARP_ROWS, ALONG = TURNED ? WARP_ROWS : BK, ROW = TURNED ? TURNED_ROW : A_ROW;
    constexpr int WIDTH = WIDE ? 4 : 1, LINE = ALONG / WIDTH < WARP ? ALONG / WIDTH : WARP, LINES = WARP / LINE;
    int lane = (int)threadIdx.x % WARP, line = lane / LINE, first = lane % LINE * WIDTH;
    int first_line = (TURNED ? first_p : first_row) + line, first_along = TURNED ? first_row : first_p;
    int lines = TURNED ? depth : rows, length = TURNED ? rows : depth;
    const float *from = tall + first_line * stride + first_along;
    to += line * ROW;
    /* Of 4 bytes, turned, there are 32, whose addresses would need more registers than there are. */
    [[maybe_unused]] constexpr int AT_ONCE = TURNED && !WIDE ? 8 : ACROSS / LINES;
#pragma unroll(AT_ONCE)
    for (int i = 0; i < ACROSS; i += LINES)
#pragma unroll
        for (int q = first; q < ALONG; q += LINE * WIDTH) {
            bool valid = first_line + i < lines && first_along + q < length;
            if (WIDE)
                copy_async_or_zero((float4 *)(to + i * ROW + q), (const float4 *)(from + i * stride + q), valid);
            else
                copy_async_or_zero(to + i * ROW + q, from + i * stride + q, valid);
        }
}

/* Two neighbours along k of a warp's part of A. */
template <bool TURNED>
static __device__ __forceinline__ float2 pair_at(const float *As, int row, int p)
{
    return TURNED ? make_float2(As[p * TURNED_ROW + row], As[(p + 1) * TURNED_ROW + row])
                  : *(const float2 *)(As + row * A_ROW + p);
}

constexpr uint32_t NOT_HELD = 0; /* instead of an exponent; none is as low */

/* A lane's factors of a step in the layout of mma_fp16(), and the exponent that the warp's are scaled by, or NOT_HELD.
 */
struct split_rows {
    uint32_t high[FACTORS][4], low[FACTORS][4], exponent;
};

template <bool TURNED>
static __device__ __forceinline__ void split(const float *As, split_rows &to)
{
    int lane = (int)threadIdx.x % WARP, row = lane / 4, p = lane % 4 * 2;
    float2 x[FACTORS][4];
    range found = NO_FACTORS;
#pragma unroll
    for (int f = 0; f < FACTORS; f++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            x[f][i] = pair_at<TURNED>(As, row + i % 2 * 8, p + f * FACTOR + i / 2 * 8);
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
