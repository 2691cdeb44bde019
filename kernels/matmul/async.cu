/* matmul cuda_async: copies in the background, several stages ahead.
 *
 * Technique: the copies go from global to shared memory by themselves (cp.async, from sm_80 on): no register holds what
 * is on its way, and no warp waits for it. Shared memory holds a ring of three stages. While a block multiplies one,
 * the copies of the next two are under way:
 *
 *      time -->
 *      copies      | 0 | 1 | 2 | 3 | 4 | ...         one barrier per stage: it says that the next stage has come,
 *      multiply            | 0 | 1 | 2 | ...         and that this one may be overwritten
 *
 * A is transposed on the way, 4 bytes per copy, so that lanes can read 16 bytes down a column of A. Registers have two
 * sets of a and b: while a lane multiplies one set, it reads the other one, also across the end of a stage.
 *
 * Blocks are small: 4 warps for 64 x 128 elements of C, a lane has 8 x 8. Three blocks share a multiprocessor; while
 * one waits at its barrier, or begins, or stores, the others multiply. Beyond the edge of C nothing is copied, as
 * nothing of it is stored: that is one predicated instruction per copy, where zeros would take three.
 *
 * What it fixes in cuda_warp_tile: the waits. There, copies pass through registers, a warp waits for them at the end of
 * each step, and multiplies begin with a wait for shared memory.
 *
 * What bounds it: issue slots. A scheduler issues an instruction in most of the cycles, and most of these are
 * multiply-adds; the others read shared memory, or copy and count addresses. With 1,024 multiply-adds in 1,306
 * instructions of the loop, square-4096 takes at least 2.6 ms to issue, where multiply-adds alone take 2.1 ms. In the
 * other cycles its three warps wait, for the dispatch unit and at the barrier. A lane with more elements would read
 * less for each.
 *
 * What shows it, in ncu beside cuda_warp_tile: smsp__issue_active.avg.pct_of_peak_sustained_active is larger, and
 * smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio, the wait for memory, is smaller.
 *
 * Source of the technique: PTX ISA, "cp.async"; CUDA C++ Programming Guide, "Asynchronous Data Copies".
 *
 * Measured, results/h200-x1/squares.csv.gz:
 *   matmul/square-4096/cuda_async/cold 2.902 ms
 *   matmul/square-4096/cuda_warp_tile/cold 3.235 ms */
#include "async_tile.h"
#include "bench/table/matmul.h"

using block_tile = async_tile<64, 128, 16, 2, 2, 4, 3, 3>;
static_assert(block_tile::RING_BYTES <= 48 * 1024, "more shared memory has to be asked for");

/* a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide. WIDE: n is a multiple of 4, and b and c
 * are aligned to 16 bytes. */
template <bool WIDE>
static __global__ void __launch_bounds__(block_tile::THREADS, block_tile::BLOCKS)
    matmul_async_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    DYNAMIC_SHARED(float, ring);
    tile_place place = tile_at<block_tile>(m, n, blockIdx.x / tiles_n, blockIdx.x % tiles_n);
    float sums[block_tile::TM][block_tile::TN] = {};
    multiply_tile<block_tile, WIDE>(ring, n, k, place, k, true, a, b, sums);
    store_sums<block_tile, WIDE>(ring, sums, n, place, c);
}

const char *matmul_cuda_async(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int64_t tiles_n = ceil_div(p->n, block_tile::BN), tiles = ceil_div(p->m, block_tile::BM) * tiles_n;
    bool wide = p->n % 4 == 0 && is_aligned(p->b, 16) && is_aligned(p->c, 16);
    auto kernel = wide ? matmul_async_kernel<true> : matmul_async_kernel<false>;
    return TRY_LAUNCH(__func__, kernel, tiles, block_tile::THREADS, block_tile::RING_BYTES, stream, p->m, p->n, p->k,
                      (unsigned)tiles_n, p->a, p->b, p->c);
}
