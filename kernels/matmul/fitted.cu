/* matmul cuda_fitted: the tile and the split of k that suit the shape.
 *
 * Technique: cuda_async has one tile for all shapes. Here are three, with the same code, and k may be split among the
 * 2, 4 or 8 blocks of a cluster, which add up in each other's shared memory, as in cuda_cluster:
 *
 *      C of 1024 x 1024, 64 x 128 tiles       the same, k split in two
 *      +--+--+--+--+--                        +--+--+--+--+--
 *      |  |  |  |  |     128 blocks           |01|01|01|01|      256 blocks
 *      +--+--+--+--+--   for 132 SMs          +--+--+--+--+--    for 132 SMs, each with room for 3
 *
 * A block alone on a multiprocessor (SM) leaves it waiting; three fill it. But each block begins with a wait for its
 * first copies, and ends with its stores. So the launcher estimates for each tile and split how many rounds of blocks
 * the card needs, how many blocks an SM holds in the last one, and how long they take. It launches the cheapest. The
 * times in its table are of an H200; on another card their ratios should be alike. tests/kernels/fitted_times.c
 * measures every tile and split.
 *
 * Clusters have their own cost. All blocks of one must run on the same group of SMs, and a group's size is not always
 * a multiple of 8: some SMs stay empty, and the launcher asks how many do not. And where an SM has room for several
 * blocks, the card by default puts those of a cluster together; told to balance the load, it spreads them.
 *
 * What it fixes in cuda_async: a small C has few tiles, and most SMs had none, or one. On an H200 square-256 gets tiles
 * of 32 x 32 and k in eight parts, square-1024 k in two. Where that does not help, as on large squares, lecture5 and
 * mnist-hidden, it takes the tile of cuda_async.
 *
 * What bounds it: issue slots, as in cuda_async.
 *
 * What shows it: on square-2048, where the tile is the same and the registers are others, ncu --metrics
 * smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio, the wait for shared memory: 0.06, in
 * cuda_async 0.21 (results/h100/ncu-waits.csv)
 *
 * Tried, and left out: a tile of 128 x 256, which reads fewer elements per multiply-add, but leaves two warps to a
 * scheduler: 2.5 to 3.9 % slower than 64 x 128 from square-2048 on (results/h200/fitted-times.csv). Slower too: 128 x
 * 128 by 4 or 8 warps, stages of 8 or 32. Taking tiles in squares instead of rows, so that blocks that run together
 * share more of A and B in L2, changed nothing at 4096 x 4096: L2 serves all of it.
 *
 * Measured: matmul/square-1024/cuda_fitted/cold 53.89 us (results/h200/squares.csv); cuda_async takes 58.27 us.
 * Measured: matmul/square-4096/cuda_fitted/cold 2.763 ms (results/h200/squares.csv); cuda_async takes 2.838 ms. */
#include "async_tile.h"
#include "bench/table/matmul.h"
#include "hopper.h"

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
    for (int quad = (int)threadIdx.x; quad < rows * Tile::BN / 4; quad += Tile::THREADS) {
        int row = quad / (Tile::BN / 4), column = quad % (Tile::BN / 4) * 4;
        float4 sum = {};
        for (int from = 0; from < splits; from++) {
            float4 share = *(const float4 *)(ring + (from * rows + row) * Tile::BN + column);
            sum.x += share.x, sum.y += share.y, sum.z += share.z, sum.w += share.w;
        }
        row += rank * rows;
        if (row < place.rows)
            store_four<WIDE>(c + (place.row + row) * n + place.column + column, sum, place.columns - column);
    }
}

/* a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide. `part` of k is for each block of a
 * cluster; a multiple of BK. WIDE: n is a multiple of 4, and b and c are aligned to 16 bytes. */
template <typename Tile, bool WIDE>
static __global__ void __launch_bounds__(Tile::THREADS, Tile::BLOCKS)
    matmul_fitted_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, unsigned splits, int64_t part,
                         const float *a, const float *b, float *c)
{
    DYNAMIC_SHARED(float, ring);
    unsigned tile = blockIdx.x / splits, rank = blockIdx.x % splits;
    tile_place place = tile_at<Tile>(m, n, tile / tiles_n, tile % tiles_n);
    float sums[Tile::TM][Tile::TN] = {};
    int64_t begin = min(rank * part, k), depth = min(part, k - begin);
    multiply_tile<Tile, WIDE>(ring, n, k, place, depth, a + begin, b + begin * n, sums);
    if (splits == 1)
        store_sums<Tile, WIDE>(sums, n, place, c);
    else
        store_shares<Tile, WIDE>(ring, sums, (int)splits, (int)rank, n, place, c);
}

/* A tile, and how long its blocks take. */
struct fit {
    const char *(*launch)(const struct matmul_problem *p, unsigned splits, cudaStream_t stream);
    int (*multiprocessors)(const struct matmul_problem *p, unsigned splits);
    int bm, bn, bk, blocks; /* an SM holds so many blocks */
    double alone_us;        /* a stage of a block that has an SM for itself */
    double full_us;         /* a stage of each of `blocks` blocks */
    double begin_us;        /* until the first stage is there, and for the stores */
};

static const double exchange_us = 1.3; /* of sums, per round of blocks in clusters; on an H200, too */

/* What the launch should take on so many SMs, without what all launches take. */
static double estimate_us(const struct fit *fit, const struct matmul_problem *p, unsigned splits, int multiprocessors)
{
    double blocks = (double)ceil_div(p->m, fit->bm) * (double)ceil_div(p->n, fit->bn) * splits;
    double stages = (double)ceil_div(ceil_div(p->k, splits), fit->bk);
    double room = (double)multiprocessors * fit->blocks, rounds = floor(blocks / room);
    double last = ceil((blocks - rounds * room) / multiprocessors); /* blocks on the fullest SM in the last round */
    double begin_us = fit->begin_us + (splits > 1 ? exchange_us : 0), us = rounds * (begin_us + stages * fit->full_us);
    if (last > 0)
        us += begin_us + stages * (fit->alone_us + (last - 1) / (fit->blocks - 1) * (fit->full_us - fit->alone_us));
    return us;
}

namespace
{ /* the simulated twin has its own */
/* A launch of so many blocks in clusters of `splits`. */
struct launch_config {
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attributes[2] = {};

    launch_config(unsigned blocks, unsigned threads, size_t bytes, unsigned splits, cudaStream_t stream)
    {
        attributes[0].id = cudaLaunchAttributeClusterDimension;
        attributes[0].val.clusterDim = {splits, 1, 1};
        attributes[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
        attributes[1].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyLoadBalancing;
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(threads);
        config.dynamicSmemBytes = bytes;
        config.stream = stream;
        config.attrs = attributes;
        config.numAttrs = splits > 1 ? 2 : 0;
    }
};
} // namespace

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

/* How many SMs hold Tile::BLOCKS blocks each, if these come in clusters of `splits`; 0: they cannot. */
template <typename Tile>
static int multiprocessors_for(const struct matmul_problem *p, unsigned splits)
{
    launch_config launch(splits, Tile::THREADS, Tile::RING_BYTES, splits, NULL);
    int device, all = 0, clusters = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (!status)
        status = cudaDeviceGetAttribute(&all, cudaDevAttrMultiProcessorCount, device);
    if (!status && splits > 1)
        status = cudaOccupancyMaxActiveClusters(&clusters, kernel_of<Tile>(p), &launch.config);
    if (status) {
        (void)cudaGetLastError(); /* so that no later call reports it again */
        return 0;
    }
    return splits > 1 ? min(clusters * (int)splits / Tile::BLOCKS, all) : all;
}

template <typename Tile>
static const char *launch_tile(const struct matmul_problem *p, unsigned splits, cudaStream_t stream)
{
    static const char rung[] = "matmul_cuda_fitted";
    int64_t tiles_n = ceil_div(p->n, Tile::BN), tiles = ceil_div(p->m, Tile::BM) * tiles_n;
    TRY_CALL(grid_x_error(rung, tiles * splits));
    launch_config launch((unsigned)tiles * splits, Tile::THREADS, Tile::RING_BYTES, splits, stream);
    int64_t part = ceil_div(ceil_div(p->k, splits), Tile::BK) * Tile::BK;
    (void)cudaLaunchKernelEx(&launch.config, kernel_of<Tile>(p), p->m, p->n, p->k, (unsigned)tiles_n, splits, part,
                             p->a, p->b, p->c);
    return launch_error(rung);
}

template <typename Tile>
static constexpr struct fit fit_of(double alone_us, double full_us, double begin_us)
{
    return {launch_tile<Tile>, multiprocessors_for<Tile>, Tile::BM, Tile::BN, Tile::BK, Tile::BLOCKS, alone_us, full_us,
            begin_us};
}

using medium = async_tile<64, 128, 16, 2, 2, 4, 3, 3>; /* that of cuda_async */
using small = async_tile<32, 64, 16, 1, 2, 4, 4, 6>;
using tiny = async_tile<32, 32, 32, 1, 2, 8, 3, 8>;

/* alone_us, full_us and begin_us, on an H200 */
static const struct fit fits[] = {
    fit_of<medium>(0.79, 2.08, 2.7),
    fit_of<small>(0.47, 1.20, 1.2),
    fit_of<tiny>(0.51, 2.10, 1.0),
};
constexpr int FITS = sizeof fits / sizeof fits[0];
constexpr int SPLITS = 4; /* 1, 2, 4 and 8: a cluster of more blocks is not sure to fit */

/* A tile or split is taken if its estimate is below that of those before it by so much: they have less to do besides.
 */
static const double worth_it = 0.97;

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
    unsigned best_splits = 1;
    double best_us = INFINITY;
    for (int i = 0; i < FITS; i++)
        for (int j = 0; j < SPLITS; j++) {
            int usable = multiprocessors[i][j];
            double us = usable > 0 ? estimate_us(&fits[i], p, 1u << j, usable) : INFINITY;
            if (us < worth_it * best_us)
                best = &fits[i], best_splits = 1u << j, best_us = us;
        }
    return best ? best->launch(p, best_splits, (cudaStream_t)stream) : "matmul_cuda_fitted: no tile fits this GPU";
}
