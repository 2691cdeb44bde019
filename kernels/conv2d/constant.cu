/* conv2d cuda_constant: filters in constant memory.
 *
 * Technique: before the kernel, a copy on the device brings the filters into constant memory. Its cache is made for
 * what all lanes of a warp read at once: one address, whose value goes to all of them. Here that is each element of a
 * filter. A multiply-add takes it as an operand, if its address is known to the compiler, or by a load of a unit of its
 * own.
 *
 * What it fixes in cuda_direct: one of the two loads of a multiply-add no longer goes through the L1 cache.
 *
 * What bounds it: instructions, as before: loops and addresses stay. Small problems wait for the copy. Constant memory
 * has 64 KiB, 16,384 elements; with more than that in all filters, cuda_direct runs.
 *
 * Measured, results/h200-x1/network.csv:
 *   conv2d/mnist-conv1-batch10000/cuda_constant/cold 2.037 ms
 *   conv2d/mnist-conv1-batch10000/cuda_constant/cold ceiling_pct 9.62 % */
#include "bench/table/conv2d.h"
#include "kernels/launch.h"

constexpr int THREADS = 256, FILTERS_MAX = 16384; /* elements */
static_assert(CONV2D_ELEMENTS_MAX / THREADS <= GRID_X_MAX, "a grid has a thread for each place");
static_assert(FILTERS_MAX * sizeof(float) <= 64 * 1024, "constant memory has 64 KiB");

static __constant__ float filters[FILTERS_MAX];

/* The answer to an image and a filter is `rows` x `columns`. */
static __global__ void conv2d_constant_kernel(struct conv2d_problem p, int64_t rows, int64_t columns)
{
    int64_t output = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (output >= rows * columns)
        return;
    int64_t i = output / columns, j = output % columns;
    int channels = (int)p.c, r = (int)p.r;
    for (int64_t n = blockIdx.z; n < p.n; n += gridDim.z) {
        for (int k = (int)blockIdx.y; k < p.k; k += (int)gridDim.y) {
            const float *x = p.x + (n * p.c * p.h + i) * p.w + j;
            int tap = k * channels * r * r;
            float sum = 0;
            for (int c = 0; c < channels; c++)
                for (int di = 0; di < r; di++)
                    for (int dj = 0; dj < r; dj++)
                        sum = fmaf(x[(c * p.h + di) * p.w + dj], filters[tap++], sum);
            p.y[(n * p.k + k) * rows * columns + output] = sum;
        }
    }
}

const char *conv2d_cuda_constant(const void *problem, void *stream)
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    int64_t elements = p->k * p->c * p->r * p->r;
    if (elements > FILTERS_MAX)
        return rung_hand_over(conv2d_cuda_direct, problem, stream);
    int64_t rows = p->h - p->r + 1, columns = p->w - p->r + 1, blocks = ceil_div(rows * columns, THREADS);
    cudaError_t status = cudaMemcpyToSymbolAsync(filters, p->f, (size_t)elements * sizeof(float), 0,
                                                 cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
    if (status != cudaSuccess)
        return launch_error(__func__);
    return TRY_LAUNCH(__func__, conv2d_constant_kernel, grid_size(blocks, p->k, p->n), THREADS, 0, stream, *p, rows,
                      columns);
}
