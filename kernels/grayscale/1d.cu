/* grayscale cuda_1d: one thread a pixel, blocks of 256 threads in a row.
 *
 * Technique: the loop over pixels becomes the grid. All pixels of all images are counted through, and thread i takes
 * pixel i; the last block has threads too many, which the guard sends home. Where there are several images, a division
 * tells image and place, because the three planes of an image stand together.
 *
 * What it fixes in the CPU rungs: no pixel needs another, so all go at once, and the card's memory feeds them.
 *
 * What bounds it: not the memory but the way there. A thread moves single bytes: three loads and a store for one
 * pixel, and as much arithmetic again to find its place. A warp's load asks for 32 bytes, a quarter of a line, so
 * there are more instructions, and fewer bytes in flight, than a full memory bus needs.
 *
 * Measured: grayscale/mnist-rgb/cuda_1d/cold 136.6 us (results/h200/mnist.csv) */
#include "bench/table/grayscale.h"
#include "bench/table/rung.h"
#include "kernels/launch.h"
#include "pixel.h"

constexpr int THREADS = 256;
static_assert(THREADS <= 1024, "a block has at most 1024 threads");
static_assert(THREADS % 32 == 0, "a block is whole warps");

/* rgb is, image after image, three planes of `plane` bytes; gray is one such plane an image; pixels counts all
 * images. */
static __global__ void grayscale_1d_kernel(int64_t pixels, int64_t plane, const uint8_t *rgb, uint8_t *gray)
{
    int64_t pixel = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (pixel >= pixels)
        return;
    int64_t image = pixel / plane;
    const uint8_t *red = rgb + image * 3 * plane + pixel % plane;
    gray[pixel] = grayscale_pixel(red[0], red[plane], red[2 * plane]);
}

const char *grayscale_cuda_1d(const void *problem, void *stream)
{
    const struct grayscale_problem *p = (const struct grayscale_problem *)problem;
    int64_t plane = p->height * p->width, pixels = p->images * plane;
    int64_t blocks = ceil_div(pixels, THREADS);
    const char *error = grid_x_error(__func__, blocks);
    if (error)
        return error;
    LAUNCH(grayscale_1d_kernel, (unsigned)blocks, THREADS, 0, (cudaStream_t)stream, pixels, plane, p->rgb, p->gray);
    return launch_error(__func__);
}
