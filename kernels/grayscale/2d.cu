/* grayscale cuda_2d: one thread per pixel, blocks of 16 x 16 threads over the image.
 *
 * Technique: threadIdx.x and blockIdx.x count columns, y counts rows, z counts images, so a thread reads its place off
 * its indexes. Width and height are seldom multiples of 16. So blocks overlap the right and lower edge, and the guard,
 * x < width and y < height, keeps their threads from writing into the next row or past the end.
 *
 * What it fixes in cuda_1d: the division, but no time. Most image code has this shape, because a kernel that looks at
 * the neighbours of a pixel needs rows and columns.
 *
 * What bounds it: instructions, as in cuda_1d, and more of them: some 150 per thread, for the loops over more rows and
 * images than a grid can have. Blocks of 16 x 16 cover 32 x 32 where images are 28 x 28, so there are 1.6 million
 * warps, which take 230 us to issue theirs. Half a warp lies in one row, so a load touches two pieces of 16 bytes,
 * which seldom start at a 32-byte sector.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   grayscale/mnist-rgb/cuda_2d/cold 313.2 us */
#include "bench/table/grayscale.h"
#include "kernels/launch.h"
#include "pixel.h"

constexpr int BLOCK_WIDTH = 16, BLOCK_HEIGHT = 16;

/* rgb has three planes of height x width bytes per image, gray has one. */
static __global__ void grayscale_2d_kernel(int64_t images, int64_t height, int64_t width, const uint8_t *rgb,
                                           uint8_t *gray)
{
    int64_t plane = height * width;
    int64_t x = (int64_t)blockIdx.x * BLOCK_WIDTH + threadIdx.x;
    int64_t y0 = (int64_t)blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width)
        return;
    /* One turn each, unless rows or images need more blocks than a grid can have. */
    for (int64_t image = blockIdx.z; image < images; image += gridDim.z) {
        for (int64_t y = y0; y < height; y += (int64_t)gridDim.y * BLOCK_HEIGHT) {
            const uint8_t *red = rgb + image * 3 * plane + y * width + x;
            gray[image * plane + y * width + x] = grayscale_pixel(red[0], red[plane], red[2 * plane]);
        }
    }
}

const char *grayscale_cuda_2d(const void *problem, void *stream)
{
    const struct grayscale_problem *p = (const struct grayscale_problem *)problem;
    grid_size grid(ceil_div(p->width, BLOCK_WIDTH), ceil_div(p->height, BLOCK_HEIGHT), p->images);
    return TRY_LAUNCH(__func__, grayscale_2d_kernel, grid, dim3(BLOCK_WIDTH, BLOCK_HEIGHT), 0, stream, p->images,
                      p->height, p->width, p->rgb, p->gray);
}
