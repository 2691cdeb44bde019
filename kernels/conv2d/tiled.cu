/* conv2d cuda_tiled: a tile of the image and its halo in shared memory.
 *
 *     r - 1 columns more on the right, and as many rows below
 *    +------------------------+----+
 *    | BW x BH outputs of the |    |    To compute its outputs a block needs this much of a channel: their own places
 *    | block                  |halo|    and a border, the halo, which the next block reads, too.
 *    +------------------------+    |
 *    |       halo                  |
 *    +-----------------------------+
 *
 * Technique: a block has a tile of 32 x 8 outputs of one image and one filter. Channel after channel its threads copy
 * what the tile needs to shared memory, wait for each other, and then take all r * r elements of their output's window
 * from there.
 *
 * What it fixes in cuda_direct: an element of the image is loaded once per block instead of r * r times. Its address,
 * and the guard that no load leaves the image, are computed for that one load only; in shared memory a window's
 * elements are at small distances. On an H200 that does not pay: the caches serve cuda_direct well enough.
 *
 * What bounds it: with many channels shared memory, from which each multiply-add loads an element of the image and one
 * of a filter: 128 wavefronts for 64 multiply-adds, in whose time there are 16. With the one channel of the row below,
 * copying and waiting, for nine multiply-adds; and as its 26 x 26 outputs take four tiles of 32 x 8, a third of the
 * threads have none. The same tile is loaded again for each filter. A filter larger than 32 x 32 takes more than a tile
 * has room for; then cuda_direct runs.
 *
 * Measured, results/h200-x1/network.csv:
 *   conv2d/mnist-conv1-batch10000/cuda_tiled/cold 3.667 ms
 *   conv2d/mnist-conv1-batch10000/cuda_direct/cold 2.437 ms */
#include "bench/table/conv2d.h"
#include "kernels/launch.h"

constexpr int BW = 32, BH = 8, THREADS = BW * BH, R_MAX = 32;
static_assert(BW == 32, "a warp is a row of the tile: then it reads neighbours, without bank conflicts");
static_assert((BW + R_MAX - 1) * (BH + R_MAX - 1) * sizeof(float) <= 48 * 1024, "more shared memory must be asked for");

/* The answer to an image and a filter is `rows` x `columns`, and tiles_w tiles wide. */
static __global__ void __launch_bounds__(THREADS)
    conv2d_tiled_kernel(struct conv2d_problem p, int64_t rows, int64_t columns, unsigned tiles_w)
{
    DYNAMIC_SHARED(float, tile);
    int tx = (int)threadIdx.x, ty = (int)threadIdx.y, r = (int)p.r, width = BW + r - 1, height = BH + r - 1;
    int64_t top = blockIdx.x / tiles_w * BH, left = blockIdx.x % tiles_w * BW;
    int taps_h = top + ty < rows && left + tx < columns ? r : 0; /* none beyond the edge */
    for (int64_t n = blockIdx.z; n < p.n; n += gridDim.z) {
        for (int64_t k = blockIdx.y; k < p.k; k += gridDim.y) {
            const float *x = p.x + (n * p.c * p.h + top) * p.w + left, *f = p.f + k * p.c * r * r;
            float sum = 0;
            for (int64_t c = 0; c < p.c; c++) {
                for (int i = ty; i < height; i += BH)
                    for (int j = tx; j < width; j += BW)
                        tile[i * width + j] = top + i < p.h && left + j < p.w ? x[(c * p.h + i) * p.w + j] : 0.0f;
                __syncthreads();
                for (int di = 0; di < taps_h; di++)
                    for (int dj = 0; dj < r; dj++)
                        sum = fmaf(tile[(ty + di) * width + tx + dj], *f++, sum);
                __syncthreads();
            }
            if (taps_h > 0)
                p.y[((n * p.k + k) * rows + top + ty) * columns + left + tx] = sum;
        }
    }
}

const char *conv2d_cuda_tiled(const void *problem, void *stream)
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    if (p->r > R_MAX)
        return rung_hand_over(conv2d_cuda_direct, problem, stream);
    int64_t rows = p->h - p->r + 1, columns = p->w - p->r + 1;
    int64_t tiles_w = ceil_div(columns, BW), tiles = tiles_w * ceil_div(rows, BH);
    int r = (int)p->r;
    size_t shared_bytes = (size_t)((BW + r - 1) * (BH + r - 1)) * sizeof(float);
    return TRY_LAUNCH(__func__, conv2d_tiled_kernel, grid_size(tiles, p->k, p->n), dim3(BW, BH), shared_bytes, stream,
                      *p, rows, columns, (unsigned)tiles_w);
}
