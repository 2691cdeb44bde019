/* matmul cuda_fitted: the tile and the split of k that suit the shape.
 *
 * Technique: cuda_async has one tile for all shapes. Here are five, with the same code, one of them for few rows, and k
 * may be split among the 2, 4, 8 or 16 blocks of a cluster, which add up in each other's shared memory, as in
 * cuda_cluster:
 *
 *      C of 512 x 512, 32 x 64 tiles          the same, k split in four
 *      +----+----+----+--                     +----+----+----+--
 *      |    |    |    |    128 blocks         |0123|0123|0123|   512 blocks
 *      +----+----+----+--  for 132 SMs        +----+----+----+-- for 132 SMs, each with room for 6
 *
 * A block alone on a multiprocessor (SM) leaves it waiting; three fill it. But each block begins with a wait for its
 * first copies, and ends with its stores. So the launcher estimates for each tile and split how many rounds of blocks
 * the card needs, how many blocks an SM holds in the last one, and how long they take. It launches the cheapest. The
 * times (bench/table/model.h) are of an H200; on another card their ratios should be alike.
 * tests/kernels/fitted_times.c measures them.
 *
 * Clusters have their own cost. All blocks of one must run on the same group of SMs, and a group's size is not always
 * a multiple of 8: some SMs stay empty, and the launcher asks how many do not. And where an SM has room for several
 * blocks, the card by default puts those of a cluster together; told to balance the load, it spreads them.
 *
 * A C of one tile with a long k would still keep 16 SMs busy. So there may be several clusters for a tile, up to 16.
 * These cannot wait for each other: each writes a C of its own, and a second launch adds these up (add_parts.h).
 *
 * What it fixes in cuda_async: a small C has few tiles, and most SMs had none, or one. Small squares get
 * smaller tiles, and k in parts (columns `kernel` and `blocks` of the file below). Where that does not help, as on
 * large squares, lecture5 and mnist-hidden, it takes the tile of cuda_async.
 *
 * What bounds it: issue slots, as in cuda_async, which is no slower on square-1024.
 *
 * What shows it, in ncu on square-2048, where cuda_async has the same tile in other registers:
 * smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio, the wait for shared memory, is smaller.
 *
 * Tried, and left out: a tile of 128 x 256, which reads fewer elements per multiply-add, but leaves two warps to a
 * scheduler: slower than 64 x 128 from square-2048 on. Slower too: 128 x 128 by 4 or 8 warps, stages of 8 or 32. Taking
 * tiles in squares instead of rows, so that blocks that run together share more of A and B in L2, changed nothing at
 * 4096 x 4096: L2 serves all of it.
 *
 * Measured, results/h200-x1/squares.csv.gz:
 *   matmul/square-256/cuda_fitted/cold 9.024 us
 *   matmul/square-256/cuda_async/cold 17.63 us
 *   matmul/square-4096/cuda_fitted/cold 2.826 ms
 *   matmul/square-4096/cuda_async/cold 2.902 ms */
#include "add_parts.h"
#include "async_tile.h"
#include "bench/table/matmul.h"
#include "hopper.h"
#include "shared_k.h"

/* The blocks of a cluster, `splits` of them, have each a part of k. Block r adds up the rows of the tile from r * BM /
 * splits on: all write their sums for these rows to its ring. */
template <typename Tile, bool WIDE>
static __device__ __forceinline__ void store_shares(float *ring, const float (&sums)[Tile::TM][Tile::TN], int splits,
                                                    int rank, int64_t n, const tile_place &place, float *c)
{
    int rows = Tile::BM / splits;
    cluster_arrive();
    cluster_wait(); /* no block reads its ring any more */
#pragma unroll
    for (int i = 0; i < Tile::TM; i++)
#pragma unroll
        for (int j = 0; j < Tile::TN; j += 4) {
            int row = lane_row<Tile>() + row_of<Tile>(i), column = lane_column<Tile>() + column_of<Tile>(j);
            cluster_store((float4 *)(ring + (rank * rows + row % rows) * Tile::BN + column), row / rows,
                          pack(&sums[i][j]));
        }
    cluster_arrive();
    cluster_wait();
    store_total<WIDE, Tile::BN, Tile::BN>(ring, splits, rows, place.row + rank * rows, place.rows - rank * rows,
                                          place.column, n, c);
}

/* a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide. `part` of k is for each block; a multiple
 * of BK. Of several clusters for a tile, each has a c of its own. WIDE: n is a multiple of 4, and b and c are aligned
 * to 16 bytes. */
template <typename Tile, bool WIDE>
static __global__ void __launch_bounds__(Tile::THREADS, Tile::BLOCKS)
    matmul_fitted_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, unsigned splits, int64_t part,
                         unsigned clusters, const float *a, const float *b, float *c)
{
    DYNAMIC_SHARED(float, ring);
    const unsigned rank = blockIdx.x % splits, cluster = blockIdx.x / splits % clusters;
    const unsigned tile = blockIdx.x / splits / clusters;
    tile_place place = tile_at<Tile>(m, n, tile / tiles_n, tile % tiles_n);
    float sums[Tile::TM][Tile::TN] = {};
    int64_t begin = min((cluster * splits + rank) * part, k), depth = min(part, k - begin);
    multiply_tile<Tile, WIDE>(ring, n, k, place, depth, splits == 1, a + begin, b + begin * n, sums);
    allow_early_launch();
    c += cluster * m * n;
    if (splits == 1)
        store_sums<Tile, WIDE>(ring, sums, n, place, c);
    else
        store_shares<Tile, WIDE>(ring, sums, (int)splits, (int)rank, n, place, c);
}

struct fit {
    const char *(*launch)(const struct matmul_problem *p, struct shares shares, cudaStream_t stream);
    int (*multiprocessors)(const struct matmul_problem *p, unsigned splits);
};

static bool is_wide(const struct matmul_problem *p)
{
    return p->n % 4 == 0 && is_aligned(p->b, 16) && is_aligned(p->c, 16);
}

template <typename Tile>
static auto kernel_of(const struct matmul_problem *p)
{
    /* Where the shares of a tile come, and what any block may have. */
    static_assert(Tile::BM * Tile::BN * sizeof(float) <= Tile::RING_BYTES && Tile::RING_BYTES <= 48 * 1024, "no more");
    return is_wide(p) ? matmul_fitted_kernel<Tile, true> : matmul_fitted_kernel<Tile, false>;
}

template <typename Tile>
static int multiprocessors_for(const struct matmul_problem *p, unsigned splits)
{
    return multiprocessors_with_room(kernel_of<Tile>(p), Tile::THREADS, splits);
}

template <typename Tile>
static const char *launch_tile(const struct matmul_problem *p, struct shares shares, cudaStream_t stream)
{
    static const char name[] = "matmul_cuda_fitted";
    const int64_t tiles_n = ceil_div(p->n, Tile::BN), blocks = ceil_div(p->m, Tile::BM) * tiles_n * shares.splits;
    const int64_t parts = shares.splits * shares.clusters, part = ceil_div(ceil_div(p->k, parts), Tile::BK) * Tile::BK;
    float *c;
    TRY_CALL(parts_get(p->m * p->n, shares.clusters, p->c, &c));
    TRY_CALL(launch_clusters(name, kernel_of<Tile>(p), blocks * shares.clusters, Tile::THREADS, Tile::RING_BYTES,
                             shares.splits, false, stream, p->m, p->n, p->k, (unsigned)tiles_n, shares.splits, part,
                             shares.clusters, p->a, p->b, c));
    return add_parts(name, p->m * p->n, shares.clusters, c, p->c, stream);
}

template <typename Tile>
static constexpr bool is_of(const struct tile_times &timed)
{
    return timed.bm == Tile::BM && timed.bn == Tile::BN && timed.bk == Tile::BK && timed.times.blocks == Tile::BLOCKS;
}

template <typename Tile, int I>
static constexpr struct fit fit_of()
{
    static_assert(is_of<Tile>(fitted_times[0][I]) && is_of<Tile>(fitted_times[1][I]), "times are of this tile");
    return {launch_tile<Tile>, multiprocessors_for<Tile>};
}

using medium = async_tile<64, 128, 16, 2, 2, 4, 3, 3>; /* that of cuda_async */
using small = async_tile<32, 64, 16, 1, 2, 4, 4, 6>;
using tiny = async_tile<32, 32, 32, 1, 2, 8, 3, 8>;
using flat = async_tile<16, 128, 16, 1, 4, 4, 4, 5>;
using upright = async_tile<128, 64, 16, 2, 2, 8, 3, 3>;

static const struct fit fits[] = {fit_of<medium, 0>(), fit_of<small, 1>(), fit_of<tiny, 2>(), fit_of<flat, 3>(),
                                  fit_of<upright, 4>()};
constexpr int FITS = sizeof fits / sizeof fits[0];

/* What fit.multiprocessors() says, which does not change. Called by one thread. */
static const int (*all_multiprocessors(const struct matmul_problem *p))[SPLITS]
{
    static int known[2][FITS][SPLITS];
    auto &of_kernel = known[is_wide(p)];
    if (of_kernel[0][0] == 0)
        for (int i = 0; i < FITS; i++)
            for (int j = 0; j < SPLITS; j++)
                of_kernel[i][j] = fits[i].multiprocessors(p, 1u << j);
    return of_kernel;
}

const char *matmul_cuda_fitted(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    const int(*multiprocessors)[SPLITS] = all_multiprocessors(p);
    const struct fit *best = NULL;
    struct shares best_shares = {};
    double best_us = INFINITY;
    for (int i = 0; i < FITS; i++) {
        const struct tile_times *tile = &fitted_times[is_wide(p)][i]; /* a step is a stage */
        const int64_t tiles = ceil_div(p->m, tile->bm) * ceil_div(p->n, tile->bn);
        double us;
        const struct shares shares = shares_for(&tile->times, tiles, ceil_div(p->k, tile->bk),
                                                (double)p->m * (double)p->n, multiprocessors[i], &us);
        if (shares.splits > 0 && us < worth_it * best_us)
            best = &fits[i], best_shares = shares, best_us = us;
    }
    return best ? best->launch(p, best_shares, (cudaStream_t)stream) : "matmul_cuda_fitted: no tile fits this GPU";
}
