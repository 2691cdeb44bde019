/* grayscale cuda_tiled: the pixels of a block pass through shared memory.
 *
 * Technique: the one that made matmul faster. A block of 256 threads first brings its 256 pixels, a piece of each
 * plane, into shared memory (Rs, Gs, Bs), waits at the barrier, and computes from there. Threads past the last pixel
 * fetch and write nothing, but they too come to the barrier: __syncthreads() counts on every thread of the block.
 *
 * What it fixes in cuda_1d: nothing, and that is the lesson. Shared memory pays where a byte fetched once is used many
 * times. Here every byte is used once, so the way through shared memory is only longer: a store, a barrier and a load
 * more for each byte, and the block starts to compute when its slowest load has come. (A thread reads back just what it
 * wrote itself; the barrier stands where a kernel that reads its neighbours' pixels, a blur say, would need it.)
 *
 * What bounds it: single bytes, as in cuda_1d, and the detour.
 *
 * Measured: grayscale/mnist-rgb/cuda_tiled/cold 152.4 us (results/h200/mnist.csv) */
#include "grayscale.h"
#include "grayscale_pixel.h"
#include "launch.h"
#include "rung.h"

constexpr int THREADS = 256; /* pixels of a block, too */
static_assert(THREADS <= 1024, "a block has at most 1024 threads");
static_assert(THREADS % 32 == 0, "a block is whole warps");

/* rgb is, image after image, three planes of `plane` bytes; gray is one such plane an image; pixels counts all
 * images. */
static __global__ void grayscale_tiled_kernel(int64_t pixels, int64_t plane, const uint8_t *rgb, uint8_t *gray)
{
    __shared__ uint8_t Rs[THREADS], Gs[THREADS], Bs[THREADS];
    int t = (int)threadIdx.x;
    int64_t pixel = (int64_t)blockIdx.x * THREADS + t;
    if (pixel < pixels) {
        int64_t image = pixel / plane;
        const uint8_t *red = rgb + image * 3 * plane + pixel % plane;
        Rs[t] = red[0];
        Gs[t] = red[plane];
        Bs[t] = red[2 * plane];
    }
    __syncthreads();
    if (pixel < pixels)
        gray[pixel] = grayscale_pixel(Rs[t], Gs[t], Bs[t]);
}

const char *grayscale_cuda_tiled(const void *problem, void *stream)
{
    const struct grayscale_problem *p = (const struct grayscale_problem *)problem;
    int64_t plane = p->height * p->width, pixels = p->images * plane;
    int64_t blocks = ceil_div(pixels, THREADS);
    const char *error = grid_x_error(__func__, blocks);
    if (error)
        return error;
    grayscale_tiled_kernel<<<(unsigned)blocks, THREADS, 0, (cudaStream_t)stream>>>(pixels, plane, p->rgb, p->gray);
    return launch_error(__func__);
}
