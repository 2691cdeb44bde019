/* grayscale cuda_1d: one thread per pixel, blocks of 256 threads in a row.
 *
 * Technique: the loop over pixels becomes the grid. Thread i takes pixel i, counted through all images. The last block
 * may have more threads than there are pixels left; the guard stops those. Where there are several images, a division
 * finds image and place, because the three planes of an image lie one after the other.
 *
 * What it fixes in the CPU rungs: no pixel waits for another, and the memory of the GPU feeds them all.
 *
 * What bounds it: instructions, before memory. A thread moves single bytes, three loads and one store, and takes some
 * 70 instructions in all, most of them to find its place. The 1.2 million warps of the row below take 80 us to issue
 * them on 528 schedulers at 1980 MHz; memory would take 37 us, 157 MB at 4.2 TB/s. A load of a warp asks for 32 bytes,
 * a quarter of a line, so few bytes are in flight.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   grayscale/mnist-rgb/cuda_1d/cold 136.9 us */
#include "bench/table/grayscale.h"
#include "kernels/launch.h"
#include "pixel.h"

constexpr int THREADS = 256;

/* rgb has three planes of `plane` bytes per image, gray has one. `pixels` is the number in all images. */
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
    return TRY_LAUNCH(__func__, grayscale_1d_kernel, blocks, THREADS, 0, stream, pixels, plane, p->rgb, p->gray);
}
