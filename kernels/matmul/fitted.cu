/* matmul cuda_fitted: the tile and the split of k that suit the shape.
 *
 * Technique: cuda_async has one tile for all shapes. Here are four, with the same code, and k may be split among the 2,
 * 4 or 8 blocks of a cluster, which add up in each other's shared memory, as in cuda_cluster:
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
 * What it fixes in cuda_async: a small C has few tiles, and most SMs had none, or one. On an H200 square-256 gets tiles
 * of 32 x 32 and k in eight parts, square-1024 k in two. For a large C, of 2048 or 4096, a tile of 128 x 256 reads
 * fewer elements per multiply-add. Where neither helps, as on lecture5 and mnist-hidden, it takes the tile of
 * cuda_async.
 *
 * Flop per byte, 128 x 256: 43 of what is read from L2 or memory (64 x 128: 21); 2.7 of what is read from shared
 * memory, as each lane reads 24 elements per 128 multiply-adds.
 *
 * What bounds it: issue slots, as in cuda_async. With the large tile 92 % of the instructions are multiply-adds (there
 * 88 %), but only two warps share a scheduler, and it issues in 83.0 % of the cycles.
 *
 * What shows it: ncu --metrics sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active: on square-2048 76.5 %, in
 * cuda_async 72.3 % (results/h200/ncu-squares.csv)
 *
 * Tried, and left out: taking tiles in squares instead of rows, so that blocks that run together share more of A and B
 * in L2. It changed nothing at 4096 x 4096: L2 serves all of it.
 *
 * Measured: matmul/square-1024/cuda_fitted/cold 56.29 us (results/h200/squares.csv); cuda_async takes 59.26 us.
 * Measured: matmul/square-4096/cuda_fitted/cold 2.779 ms (results/h200/squares.csv); cuda_async takes 2.874 ms. */
#include "async_tile.h"
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "hopper.h"

/* Shared memory of a block: the ring, in whose place come the shares of a tile if k is split. */
template <typename Tile>
static constexpr size_t bytes_of(unsigned splits)
{
    constexpr size_t shares = Tile::BM * Tile::BN * sizeof(float);
    static_assert(shares <= 227 * 1024, "a block has at most 227 KiB");
    return splits > 1 && shares > Tile::RING_BYTES ? shares : Tile::RING_BYTES;
}

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

constexpr unsigned SPLITS_MAX = 8; /* a cluster of more blocks is not sure to fit */

using large = async_tile<128, 256, 16, 2, 4, 4, 3, 1>;
using medium = async_tile<64, 128, 16, 2, 2, 4, 3, 3>; /* that of cuda_async */
using small = async_tile<32, 64, 16, 1, 2, 4, 4, 6>;
using tiny = async_tile<32, 32, 32, 1, 2, 8, 3, 8>;

/* A tile, and how long its blocks take, in us. */
struct fit {
    const char *(*launch)(const struct matmul_problem *p, unsigned splits, cudaStream_t stream);
    size_t (*bytes)(unsigned splits);
    int bm, bn, bk, blocks; /* an SM holds so many blocks */
    double alone_us;        /* a stage of a block that has an SM for itself */
    double full_us;         /* a stage of each of `blocks` blocks */
    double begin_us;        /* until the first stage is there, and for the stores */
};

static const double exchange_us = 2; /* of sums, per round of blocks in clusters */

/* What the launch should take on a card with so many SMs, without what all launches take. */
static double estimate_us(const struct fit *fit, const struct matmul_problem *p, unsigned splits, int multiprocessors)
{
    double blocks = (double)ceil_div(p->m, fit->bm) * (double)ceil_div(p->n, fit->bn) * splits;
    double stages = (double)ceil_div(ceil_div(p->k, splits), fit->bk);
    double room = (double)multiprocessors * fit->blocks, rounds = floor(blocks / room);
    double last = ceil((blocks - rounds * room) / multiprocessors); /* blocks on the fullest SM in the last round */
    double begin_us = fit->begin_us + (splits > 1 ? exchange_us : 0), us = rounds * (begin_us + stages * fit->full_us);
    if (last > 0) {
        double filled = fit->blocks > 1 ? (last - 1) / (fit->blocks - 1) : 1;
        us += begin_us + stages * (fit->alone_us + filled * (fit->full_us - fit->alone_us));
    }
    return us;
}

template <typename Tile>
static const char *launch_tile(const struct matmul_problem *p, unsigned splits, cudaStream_t stream)
{
    static const char rung[] = "matmul_cuda_fitted";
    int64_t tiles_n = ceil_div(p->n, Tile::BN), tiles = ceil_div(p->m, Tile::BM) * tiles_n;
    const char *error = grid_x_error(rung, tiles * splits);
    if (error)
        return error;
    bool wide = p->n % 4 == 0 && is_aligned(p->b, 16) && is_aligned(p->c, 16);
    auto kernel = wide ? matmul_fitted_kernel<Tile, true> : matmul_fitted_kernel<Tile, false>;
    size_t bytes = bytes_of<Tile>(splits);
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes))
        return launch_error(rung);
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {splits, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)tiles * splits);
    config.blockDim = dim3(Tile::THREADS);
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = splits > 1;
    int64_t part = ceil_div(ceil_div(p->k, splits), Tile::BK) * Tile::BK;
    (void)cudaLaunchKernelEx(&config, kernel, p->m, p->n, p->k, (unsigned)tiles_n, splits, part, p->a, p->b, p->c);
    return launch_error(rung);
}

template <typename Tile>
static constexpr struct fit fit_of(double alone_us, double full_us, double begin_us)
{
    return {launch_tile<Tile>, bytes_of<Tile>, Tile::BM, Tile::BN, Tile::BK, Tile::BLOCKS, alone_us, full_us, begin_us};
}

static const struct fit fits[] = {fit_of<large>(2.73, 2.73, 9), fit_of<medium>(0.80, 2.08, 5.2),
                                  fit_of<small>(0.44, 1.20, 3), fit_of<tiny>(0.45, 2.10, 2.7)};

const char *matmul_cuda_fitted(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int device, multiprocessors, shared_bytes;
    if (cudaGetDevice(&device) || cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) ||
        cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device))
        return launch_error(__func__);
    const struct fit *best = NULL;
    unsigned best_splits = 1;
    double best_us = INFINITY;
    for (const struct fit &fit : fits)
        for (unsigned splits = 1; splits <= SPLITS_MAX; splits *= 2) {
            double us = estimate_us(&fit, p, splits, multiprocessors);
            if (us >= best_us || fit.bytes(splits) > (size_t)shared_bytes)
                continue;
            best = &fit, best_splits = splits, best_us = us;
        }
    return best ? best->launch(p, best_splits, (cudaStream_t)stream) : "matmul_cuda_fitted: no tile fits this GPU";
}
