/* grayscale cuda_tiled: the pixels of a block pass through shared memory.
 *
 * Technique: the one that made matmul faster. A block of 256 threads loads its 1024 pixels, a piece of each plane, into
 * shared memory (Rs, Gs, Bs); neighbouring threads load neighbouring bytes. After a barrier each thread computes four
 * neighbouring pixels, which four other threads have loaded, and stores them as one word. Threads beyond the last pixel
 * load nothing, but they reach the barrier too: __syncthreads() waits for every thread of the block.
 *
 * What it fixes in cuda_1d: one of the four accesses per pixel, the store, becomes a quarter of one. Shared memory has
 * two uses. Threads can load in one order and compute in another, as here. And a byte loaded once can serve many
 * threads, but here each byte is used once.
 *
 * What bounds it: instructions, not memory. It loads single bytes and divides to find their places, as cuda_1d does.
 * The detour adds a store and a load per byte, and a barrier. So it is slower than cuda_1d.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   grayscale/mnist-rgb/cuda_tiled/cold 158.5 us */
#include "bench/table/grayscale.h"
#include "kernels/launch.h"
#include "pixel.h"

constexpr int THREADS = 256;
constexpr int PIXELS = 4 * THREADS; /* per block */
static_assert(PIXELS == sizeof(uchar4) * THREADS, "a thread stores one vector");

/* rgb has three planes of `plane` bytes per image, gray has one. `pixels` is the number in all images. */
static __global__ void grayscale_tiled_kernel(int64_t pixels, int64_t plane, const uint8_t *rgb, uint8_t *gray)
{
    __shared__ uint8_t Rs[PIXELS];
    __shared__ uint8_t Gs[PIXELS];
    __shared__ uint8_t Bs[PIXELS];
    int t = (int)threadIdx.x;
    int64_t first = (int64_t)blockIdx.x * PIXELS;
    for (int i = t; i < PIXELS; i += THREADS) {
        int64_t pixel = first + i;
        if (pixel < pixels) {
            const uint8_t *red = rgb + pixel / plane * 3 * plane + pixel % plane;
            Rs[i] = red[0];
            Gs[i] = red[plane];
            Bs[i] = red[2 * plane];
        }
    }
    __syncthreads();
    auto y = [&](int i) { return grayscale_pixel(Rs[i], Gs[i], Bs[i]); };
    int own = 4 * t;
    uint8_t *to = gray + first + own;
    if (first + own + 4 <= pixels && (uintptr_t)to % alignof(uchar4) == 0)
        *(uchar4 *)to = make_uchar4(y(own), y(own + 1), y(own + 2), y(own + 3));
    else
        for (int i = 0; i < 4 && first + own + i < pixels; i++)
            to[i] = y(own + i);
}

const char *grayscale_cuda_tiled(const void *problem, void *stream)
{
    const struct grayscale_problem *p = (const struct grayscale_problem *)problem;
    int64_t plane = p->height * p->width, pixels = p->images * plane;
    int64_t blocks = ceil_div(pixels, PIXELS);
    return TRY_LAUNCH(__func__, grayscale_tiled_kernel, blocks, THREADS, 0, stream, pixels, plane, p->rgb, p->gray);
}
