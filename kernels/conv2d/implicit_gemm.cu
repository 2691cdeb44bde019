/* conv2d cuda_implicit_gemm: the convolution as a product of matrices, one of which is never written.
 *
 *                                 X: c r r x (n rows columns), a column per output of a filter, with its window
 *                                +--------------------------------+
 *                                |          BK x BN tile          |
 *      F: k x (c r r)            +--------------------------------+
 *     +---------------+          +--------------------------------+
 *     | BM x BK tile  |          |   BM filters x BN outputs      |   Y = F X
 *     +---------------+          +--------------------------------+
 *
 * Technique: each output is the dot product of a filter and a window, both c r r long, so all of them are a product of
 * two matrices. Writing X (im2col) would copy each element of the images r * r times. Instead a block finds the
 * elements of its tile of X in the images while it loads them to shared memory. An element's address is the sum of two
 * parts: where its window begins, which belongs to the column, and where it lies in the window, which belongs to the
 * row. A thread computes the first once, since it always loads the same column; the second is computed per row of the
 * tile, one step ahead, by one thread each. Then it is matmul cuda_register_2d: a thread has 4 x 4 elements in
 * registers.
 *
 * What it fixes in cuda_registers: an element of an image serves 64 filters per load instead of 4. All sums are of one
 * length, c r r, without a barrier per channel; and tiles go across rows and images, so that small images leave no
 * thread idle.
 *
 * What bounds it: with many channels, as in a product: loads from shared memory and multiply-adds. With few filters
 * most of a tile is empty, and with one channel and a 3 x 3 filter a sum has 9 terms, where a step takes 16. In the row
 * below, with 32 filters of 64, 9/32 of the multiply-adds count: 14 Gflop for 4, 210 us at 66 TFLOP/s.
 *
 * Measured, results/h200-x1/network.csv:
 *   conv2d/mnist-conv1-batch10000/cuda_implicit_gemm/cold 1.244 ms
 *   conv2d/mnist-conv1-batch10000/cuda_implicit_gemm/cold ceiling_pct 15.8 % */
#include "bench/table/conv2d.h"
#include "kernels/launch.h"

constexpr int BM = 64, BN = 64, BK = 16; /* filters and outputs of a block, and its step along a sum */
constexpr int TM = 4, TN = 4;            /* of a thread */
constexpr int ROWS = BM / TM, COLUMNS = BN / TN, THREADS = ROWS * COLUMNS;
constexpr int PITCH = BM + 2;
static_assert(THREADS % BK == 0 && BM * BK % THREADS == 0, "the threads load whole rows of F");
static_assert(THREADS % BN == 0 && BK * BN % THREADS == 0, "the threads load whole rows of X");
static_assert(THREADS <= 1024 && THREADS >= BK, "a block has a thread for each row of a tile of X");
static_assert(BK == 16 && PITCH % 32 == 2, "a warp stores two rows of F in different banks");
static_assert(CONV2D_SIDE_MAX * 2 + BM <= UINT32_MAX, "32 bits hold the first filter, also behind the last one");

/* Where element `tap` of a window lies, from the window's first element. */
static __device__ __forceinline__ int64_t tap_offset(const struct conv2d_problem &p, int64_t tap)
{
    int64_t c = tap / (p.r * p.r), di = tap / p.r % p.r, dj = tap % p.r;
    return (c * p.h + di) * p.w + dj;
}

/* y is n images of k planes of `rows` x `columns`. */
static __global__ void __launch_bounds__(THREADS)
    conv2d_implicit_gemm_kernel(struct conv2d_problem p, int64_t rows, int64_t columns)
{
    __shared__ float Fs[BK][PITCH];
    __shared__ float Xs[BK][BN];
    __shared__ int64_t offsets[2][BK]; /* of the rows of Xs, in this step and the next */
    int64_t plane = rows * columns, outputs = p.n * plane, taps = p.c * p.r * p.r;
    int64_t first_output = (int64_t)blockIdx.x * BN;
    int thread = (int)threadIdx.x, tx = thread % COLUMNS, ty = thread / COLUMNS;

    /* This thread loads column fx of Fs and column xx of Xs. */
    int fx = thread % BK, fy = thread / BK, xx = thread % BN, xy = thread / BN;
    int64_t output = min(first_output + xx, outputs - 1), image = output / plane, place = output % plane;
    const float *window = p.x + (image * p.c * p.h + place / columns) * p.w + place % columns;

    /* One turn, unless k needs more blocks than a grid can have along y. */
    for (unsigned first = blockIdx.y * BM; first < p.k; first += gridDim.y * BM) {
        float sums[TM][TN] = {};
        if (thread < BK)
            offsets[0][thread] = tap_offset(p, thread);
        __syncthreads();
        int now = 0;
        for (int64_t tap = 0; tap < taps; tap += BK, now ^= 1) {
#pragma unroll
            for (int i = 0; i < BM; i += THREADS / BK)
                Fs[fx][fy + i] =
                    first + fy + i < p.k && tap + fx < taps ? p.f[(first + fy + i) * taps + tap + fx] : 0.0f;
#pragma unroll
            for (int i = 0; i < BK; i += THREADS / BN)
                Xs[xy + i][xx] = tap + xy + i < taps ? window[offsets[now][xy + i]] : 0.0f;
            if (thread < BK)
                offsets[now ^ 1][thread] = tap_offset(p, tap + BK + thread);
            __syncthreads();
#pragma unroll
            for (int q = 0; q < BK; q++) {
                float f[TM], x[TN];
#pragma unroll
                for (int i = 0; i < TM; i++)
                    f[i] = Fs[q][ty + ROWS * i];
#pragma unroll
                for (int j = 0; j < TN; j++)
                    x[j] = Xs[q][tx + COLUMNS * j];
#pragma unroll
                for (int i = 0; i < TM; i++)
#pragma unroll
                    for (int j = 0; j < TN; j++)
                        sums[i][j] = fmaf(f[i], x[j], sums[i][j]);
            }
            __syncthreads();
        }
#pragma unroll
        for (int j = 0; j < TN; j++) {
            int64_t column = first_output + tx + COLUMNS * j;
            float *to = p.y + (column / plane * p.k + first) * plane + column % plane;
#pragma unroll
            for (int i = 0; i < TM; i++)
                if (column < outputs && first + ty + ROWS * i < p.k)
                    to[(ty + ROWS * i) * plane] = sums[i][j];
        }
    }
}

const char *conv2d_cuda_implicit_gemm(const void *problem, void *stream)
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    int64_t rows = p->h - p->r + 1, columns = p->w - p->r + 1, tiles = ceil_div(p->n * rows * columns, BN);
    return TRY_LAUNCH(__func__, conv2d_implicit_gemm_kernel, grid_size(tiles, ceil_div(p->k, BM)), THREADS, 0, stream,
                      *p, rows, columns);
}
