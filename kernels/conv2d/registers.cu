/* conv2d cuda_registers: a thread computes several outputs in registers.
 *
 * Technique: a thread has outputs of ROWS rows, BH apart, for each of FILTERS filters: 4 x 4, or 8 x 1 where there is
 * one filter only. For each place in the window it takes ROWS elements of the image's tile and one of each filter, and
 * multiplies each by each. The filters of a channel are in shared memory, too, beside the tile.
 *
 * What it fixes in cuda_tiled: 8 loads from shared memory serve 16 multiply-adds, where it was two for each. A tile is
 * loaded once for four filters.
 *
 * What bounds it: with many channels shared memory still, half a load per multiply-add: 32 wavefronts for 64, in whose
 * time there are 16. In the row below these loads take 180 us, and memory 200 us: with one channel, most of the time
 * goes to copying, waiting and storing for nine multiply-adds per output. Where an image is not whole tiles (26 x 26
 * outputs in 32 x 32), or there are not four filters left, threads work for nothing. Filters larger than 32 x 32 are
 * left to cuda_direct.
 *
 * Measured, results/h200-x1/network.csv:
 *   conv2d/mnist-conv1-batch10000/cuda_registers/cold 848.7 us
 *   conv2d/mnist-conv1-batch10000/cuda_registers/cold ceiling_pct 23.1 % */
#include "bench/table/conv2d.h"
#include "kernels/launch.h"

constexpr int BW = 32, BH = 8, THREADS = BW * BH, R_MAX = 32;
constexpr int MANY_FILTERS = 4, MANY_ROWS = 4; /* of a thread */
constexpr int ONE_FILTER_ROWS = 8;             /* of a thread where there is one filter */
static_assert(BW == 32, "a warp is a row of the tile: then it reads neighbours, without bank conflicts");

/* Numbers in shared memory: a tile and the filters of one channel. */
static constexpr int shared_floats(int filters, int rows, int r)
{
    return (BW + r - 1) * (BH * rows + r - 1) + filters * r * r;
}

static_assert(CONV2D_SIDE_MAX * 2 + MANY_FILTERS <= UINT32_MAX,
              "32 bits hold the first filter, also behind the last one");
static_assert(shared_floats(MANY_FILTERS, MANY_ROWS, R_MAX) <= 12288, "more shared memory must be asked for");
static_assert(shared_floats(1, ONE_FILTER_ROWS, R_MAX) <= 12288, "more shared memory must be asked for");

/* Copies what the tile at (top, left) needs of channel c of an image, and zeros beyond its edge. */
static __device__ __forceinline__ void load_tile(float *tile, const struct conv2d_problem &p, const float *image,
                                                 int64_t c, int64_t top, int64_t left, int height, int width)
{
    for (int i = (int)threadIdx.y; i < height; i += BH)
        for (int j = (int)threadIdx.x; j < width; j += BW)
            tile[i * width + j] = top + i < p.h && left + j < p.w ? image[(c * p.h + top + i) * p.w + left + j] : 0.0f;
}

/* Copies channel c of `count` filters from the first on; where there are no more, the last one stands in. */
static __device__ __forceinline__ void load_taps(float *taps, const struct conv2d_problem &p, int64_t c, int64_t first,
                                                 int count)
{
    int square = (int)(p.r * p.r);
    for (int i = (int)threadIdx.y * BW + (int)threadIdx.x; i < count * square; i += THREADS) {
        int64_t filter = min(first + i / square, p.k - 1);
        taps[i] = p.f[(filter * p.c + c) * square + i % square];
    }
}

/* The answer to an image and a filter is `rows` x `columns`, and tiles_w tiles wide. */
template <int FILTERS, int ROWS>
static __global__ void __launch_bounds__(THREADS)
    conv2d_registers_kernel(struct conv2d_problem p, int64_t rows, int64_t columns, unsigned tiles_w)
{
    DYNAMIC_SHARED(float, tile);
    int tx = (int)threadIdx.x, ty = (int)threadIdx.y, r = (int)p.r;
    int width = BW + r - 1, height = BH * ROWS + r - 1;
    float *taps = tile + height * width;
    int64_t top = blockIdx.x / tiles_w * BH * ROWS, left = blockIdx.x % tiles_w * BW;
    for (int64_t n = blockIdx.z; n < p.n; n += gridDim.z) {
        for (unsigned first = blockIdx.y * FILTERS; first < p.k; first += gridDim.y * FILTERS) {
            float sums[FILTERS][ROWS] = {};
            for (int64_t c = 0; c < p.c; c++) {
                load_tile(tile, p, p.x + n * p.c * p.h * p.w, c, top, left, height, width);
                load_taps(taps, p, c, first, FILTERS);
                __syncthreads();
                for (int di = 0; di < r; di++) {
                    for (int dj = 0; dj < r; dj++) {
                        float x[ROWS];
#pragma unroll
                        for (int i = 0; i < ROWS; i++)
                            x[i] = tile[(ty + i * BH + di) * width + tx + dj];
#pragma unroll
                        for (int q = 0; q < FILTERS; q++)
#pragma unroll
                            for (int i = 0; i < ROWS; i++)
                                sums[q][i] = fmaf(x[i], taps[(q * r + di) * r + dj], sums[q][i]);
                    }
                }
                __syncthreads();
            }
#pragma unroll
            for (int q = 0; q < FILTERS; q++)
#pragma unroll
                for (int i = 0; i < ROWS; i++)
                    if (first + q < p.k && top + ty + i * BH < rows && left + tx < columns)
                        p.y[((n * p.k + first + q) * rows + top + ty + i * BH) * columns + left + tx] = sums[q][i];
        }
    }
}

template <int FILTERS, int ROWS>
static const char *launch(const struct conv2d_problem *p, void *stream)
{
    int64_t rows = p->h - p->r + 1, columns = p->w - p->r + 1;
    int64_t tiles_w = ceil_div(columns, BW), tiles = tiles_w * ceil_div(rows, BH * ROWS);
    return TRY_LAUNCH("conv2d_cuda_registers", (conv2d_registers_kernel<FILTERS, ROWS>),
                      grid_size(tiles, ceil_div(p->k, FILTERS), p->n), dim3(BW, BH),
                      (size_t)shared_floats(FILTERS, ROWS, (int)p->r) * sizeof(float), stream, *p, rows, columns,
                      (unsigned)tiles_w);
}

const char *conv2d_cuda_registers(const void *problem, void *stream)
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    if (p->r > R_MAX)
        return rung_hand_over(conv2d_cuda_direct, problem, stream);
    return p->k == 1 ? launch<1, ONE_FILTER_ROWS>(p, stream) : launch<MANY_FILTERS, MANY_ROWS>(p, stream);
}
