/* A tile of a matrix in shared memory, into which threads put float4s of its rows, and from which they take float4s of
 * its columns. Padding by one element would leave rows that do not begin at multiples of 16 bytes. Instead each row
 * keeps its float4s in an order of its own: row i has float4 q in place q ^ (i / 4), of the last three bits:
 *
 *      rows 0 to 3     0 1 2 3 4 5 6 7        the four elements of a column are in four rows; a warp that takes from
 *      rows 4 to 7     1 0 3 2 5 4 7 6        eight groups of four rows finds the same q in eight different places
 *      rows 8 to 11    2 3 0 1 6 7 4 5
 *
 * If its lanes take four neighbouring columns of these, all 32 banks are used once. */
#pragma once

#include "device.h"
#include "four.h"
#include "launch.h"

constexpr int TURN_THREADS = 256; /* in a block */

/* A tile of 64 x 64 keeps four loads of each thread in flight; one of 32 x 32 leaves more blocks for the
 * multiprocessors. */
constexpr int LARGE_TILE = 64, SMALL_TILE = 32;
static_assert(TURN_THREADS % LARGE_TILE == 0 && LARGE_TILE % SMALL_TILE == 0, "threads are whole rows of a tile");
static_assert(SMALL_TILE % 32 == 0 && LARGE_TILE % 32 == 0, "a row of the tile is all banks, once or more");
static_assert(SMALL_TILE * SMALL_TILE % (4 * TURN_THREADS) == 0, "threads take equally many float4s");

/* Float4 `four` of row `line` of the part of a matrix, with aligned rows of `stride` elements, that begins at `from`
 * and has so many rows and columns. Behind the last of them it is the last again: a guard would make each load wait for
 * the one before. */
static __device__ __forceinline__ float4 load_near(const float *from, int64_t stride, int rows, int columns, int line,
                                                   int four)
{
    int row = min(line, rows - 1), column = 4 * min(four, (columns - 1) / 4);
    return load_four<true>(from + row * stride + column, 4);
}

/* Float4 `four` of row `line` of the tile. */
template <typename Tile>
static __device__ __forceinline__ void tile_put(Tile tile, int line, int four, float4 value)
{
    tile[line][four ^ (line / 4 % 8)] = value;
}

/* Float4 `four` of column `line` of the tile. */
template <typename Tile>
static __device__ __forceinline__ float4 tile_take(Tile tile, int line, int four)
{
    float turned[4];
#pragma unroll
    for (int e = 0; e < 4; e++)
        turned[e] = (&tile[4 * four + e][(line / 4) ^ (four % 8)].x)[line % 4];
    return pack(turned);
}

/* Whether each multiprocessor gets a large tile of an m x n matrix. */
static inline bool has_large_tiles(int64_t m, int64_t n)
{
    return ceil_div(m, LARGE_TILE) * ceil_div(n, LARGE_TILE) >= gpu_attribute(cudaDevAttrMultiProcessorCount);
}
