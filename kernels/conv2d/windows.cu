/* conv2d cuda_windows: a thread keeps its window of the image in registers, and the filters pass over it.
 *
 *      registers: a window,          shared memory: FILTERS side by side
 *      R x (R + PLACES - 1)
 *        x x x x                       tap 0: f0 f1 f2 f3 ...
 *        x x x x                       tap 1: f0 f1 f2 f3 ...
 *        x x x x                       ...
 *
 * Technique: a thread has PLACES neighbours in a row of the answer, for FILTERS filters at a time. Per channel it loads
 * the window of these places once and multiplies it by each filter: a tap that it takes from shared memory serves
 * PLACES multiply-adds, one load of 16 bytes brings the taps of four filters, and an element of the window serves up to
 * PLACES multiply-adds of each filter. Where there are images enough, a thread goes on to the next filters itself; else
 * other blocks take them. The filters of as many channels as fit are copied to shared memory, where all lanes of a warp
 * read the same address.
 *
 * What it fixes in cuda_registers: the image is not in shared memory, so there is no halo to copy and no barrier per
 * channel, and neither edges of tiles nor small images leave threads idle: places are counted across rows and images.
 * Its loop over the filter's rows and columns is unrolled. And in cuda_implicit_gemm: no sum is filled up with zeros.
 *
 * What bounds it: with one channel, storing the answer: an MNIST image becomes 28 times as large, 0.9 GB in the row
 * below, 200 us at 4.6 TB/s. With many channels it has not been profiled. Other filters than 3 x 3 and 5 x 5 are left
 * to cuda_registers.
 *
 * Measured, results/h200-x1/network.csv:
 *   conv2d/mnist-conv1-batch10000/cuda_windows/cold 287.6 us
 *   conv2d/mnist-conv1-batch10000/cuda_windows/cold ceiling_pct 68.2 % */
#include "bench/table/conv2d.h"
#include "kernels/four.h"
#include "kernels/launch.h"

constexpr int THREADS = 128, TAPS_BYTES = 32 * 1024;
constexpr int FILLED = 16; /* blocks per multiprocessor: where there are more, threads take all filters themselves */
static_assert(CONV2D_SIDE_MAX * 2 + 16 <= UINT32_MAX, "32 bits hold the first filter, also behind the last one");

/* Copies `channels` channels from c on, of `FILTERS` filters from the first on: taps[channel][tap][filter]. Filters
 * that are not there are zeros. */
template <int R, int FILTERS>
static __device__ __forceinline__ void load_taps(float *taps, const struct conv2d_problem &p, int64_t c, int channels,
                                                 unsigned first)
{
    int length = channels * R * R;
    for (int i = (int)threadIdx.x; i < length * FILTERS; i += THREADS) {
        int filter = i / length, tap = i % length;
        taps[tap * FILTERS + filter] = first + filter < p.k ? p.f[((first + filter) * p.c + c) * R * R + tap] : 0.0f;
    }
}

/* sums += the window at x, of which `there` columns are in the image, times a channel's taps. */
template <int R, int PLACES, int FILTERS>
static __device__ __forceinline__ void add_channel(const float *x, int64_t w, int64_t there, const float *taps,
                                                   float (&sums)[FILTERS][PLACES])
{
    float window[R][R + PLACES - 1];
#pragma unroll
    for (int di = 0; di < R; di++)
#pragma unroll
        for (int dj = 0; dj < R + PLACES - 1; dj++)
            window[di][dj] = dj < R || dj < there ? x[di * w + dj] : 0.0f;
#pragma unroll
    for (int di = 0; di < R; di++) {
#pragma unroll
        for (int dj = 0; dj < R; dj++) {
            const float *tap = taps + (di * R + dj) * FILTERS;
            float f[FILTERS];
            if (FILTERS % 4 == 0)
#pragma unroll
                for (int q = 0; q < FILTERS; q += 4)
                    unpack(*(const float4 *)(tap + q), f + q);
            else
#pragma unroll
                for (int q = 0; q < FILTERS; q++)
                    f[q] = tap[q];
#pragma unroll
            for (int q = 0; q < FILTERS; q++)
#pragma unroll
                for (int i = 0; i < PLACES; i++)
                    sums[q][i] = fmaf(window[di][dj + i], f[q], sums[q][i]);
        }
    }
}

/* Stores the first `there` of the places. WIDE: all of them are, and y is aligned to their size. */
template <int PLACES>
static __device__ __forceinline__ void store(float *y, const float (&sums)[PLACES], int64_t there, bool wide)
{
    if (PLACES == 4 && wide) {
        *(float4 *)y = pack(sums);
        return;
    }
    if (PLACES == 2 && wide) {
        *(float2 *)y = make_float2(sums[0], sums[1]);
        return;
    }
#pragma unroll
    for (int i = 0; i < PLACES; i++)
        if (i < there)
            y[i] = sums[i];
}

/* The answer to an image and a filter is `rows` x `columns`, and a row has `per_row` groups of PLACES. Taps of
 * `channels` channels fit into shared memory. */
template <int R, int PLACES, int FILTERS>
static __global__ void __launch_bounds__(THREADS)
    conv2d_windows_kernel(struct conv2d_problem p, int64_t rows, int64_t columns, int64_t per_row, int channels,
                          bool wide)
{
    DYNAMIC_SHARED(float, taps);
    /* Threads behind the last group do what it does. */
    int64_t group = min((int64_t)blockIdx.x * THREADS + threadIdx.x, p.n * rows * per_row - 1);
    int64_t j = group % per_row * PLACES, i = group / per_row % rows, image = group / per_row / rows;
    const float *x = p.x + (image * p.c * p.h + i) * p.w + j;
    float *y = p.y + (image * p.k * rows + i) * columns + j;
    for (unsigned first = blockIdx.y * FILTERS; first < p.k; first += gridDim.y * FILTERS) {
        float sums[FILTERS][PLACES] = {};
        for (int64_t c0 = 0; c0 < p.c; c0 += channels) {
            int count = (int)min(p.c - c0, (int64_t)channels);
            __syncthreads();
            load_taps<R, FILTERS>(taps, p, c0, count, first);
            __syncthreads();
#pragma unroll 1
            for (int c = 0; c < count; c++)
                add_channel<R, PLACES, FILTERS>(x + (c0 + c) * p.h * p.w, p.w, p.w - j, taps + c * R * R * FILTERS,
                                                sums);
        }
#pragma unroll
        for (int q = 0; q < FILTERS; q++)
            if (first + q < p.k)
                store<PLACES>(y + (first + q) * rows * columns, sums[q], columns - j, wide);
    }
}

template <int R, int PLACES, int FILTERS>
static const char *launch(const struct conv2d_problem *p, int multiprocessors, void *stream)
{
    int64_t rows = p->h - R + 1, columns = p->w - R + 1, per_row = ceil_div(columns, PLACES);
    int64_t blocks = ceil_div(p->n * rows * per_row, THREADS), parts = ceil_div(p->k, FILTERS);
    constexpr int CHANNEL_BYTES = R * R * FILTERS * (int)sizeof(float);
    int64_t channels = min(p->c, (int64_t)(TAPS_BYTES / CHANNEL_BYTES));
    bool wide = columns % PLACES == 0 && is_aligned(p->y, PLACES * sizeof(float));
    return TRY_LAUNCH("conv2d_cuda_windows", (conv2d_windows_kernel<R, PLACES, FILTERS>),
                      grid_size(blocks, blocks < FILLED * (int64_t)multiprocessors ? parts : 1), THREADS,
                      (size_t)(channels * CHANNEL_BYTES), stream, *p, rows, columns, per_row, (int)channels, wide);
}

/* As many filters at a time as are there and leave work for each multiprocessor; with one channel up to 16, with more
 * 8, which leaves registers for more warps. */
template <int R>
static const char *launch(const struct conv2d_problem *p, void *stream)
{
    int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount);
    int64_t blocks = ceil_div(p->n * (p->h - R + 1) * ceil_div(p->w - R + 1, 2), THREADS);
    auto fills = [&](int filters) { return filters < 2 * p->k && blocks * ceil_div(p->k, filters) >= multiprocessors; };
    return p->k < 4                 ? launch<R, 4, 1>(p, multiprocessors, stream)
           : p->c == 1 && fills(16) ? launch<R, 2, 16>(p, multiprocessors, stream)
           : fills(8)               ? launch<R, 2, 8>(p, multiprocessors, stream)
                                    : launch<R, 2, 4>(p, multiprocessors, stream);
}

const char *conv2d_cuda_windows(const void *problem, void *stream)
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    return p->r == 3   ? launch<3>(p, stream)
           : p->r == 5 ? launch<5>(p, stream)
                       : rung_hand_over(conv2d_cuda_registers, problem, stream);
}
