/* grayscale cuda_vector: a thread loads, computes and stores 16 pixels at a time.
 *
 * Technique: a load instruction moves up to 16 bytes per thread. So a thread loads 16 neighbouring pixels as one uint4
 * per plane. The three loads do not depend on each other: all are in flight before the first is needed, 48 bytes per
 * thread. The thread computes in registers and stores 16 bytes at once.
 *
 * A 16-byte access must start at a multiple of 16. There are no gaps between planes, so this holds in all of them only
 * if the size of a plane is a multiple of 16, too (28 x 28 is). Otherwise the launcher takes the widest access that
 * fits: 4 bytes, or single bytes for sizes such as 31 x 31. No vector crosses the end of a plane, so there is no
 * remainder.
 *
 * What it fixes in cuda_1d: there are a sixteenth of the loads, stores, index computations and divisions. A load of a
 * warp asks for four whole lines instead of a quarter of one. That is enough in flight to fill the memory bus.
 *
 * What bounds it: device memory, where accesses are 16 bytes wide: 3 bytes in and 1 byte out per pixel are the least
 * that the problem needs, 157 MB in the row below, 37 us at 4.2 TB/s. Small images are bound by the launch.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   grayscale/mnist-rgb/cuda_vector/cold 38.40 us */
#include "bench/table/grayscale.h"
#include "kernels/launch.h"
#include "pixel.h"

constexpr int THREADS = 256;

/* 1, 4 or 16 pixels. Byte i of a vector is pixel i in every plane, so the order of bytes does not matter. */
static __device__ uint8_t grayscale_vector(uint8_t red, uint8_t green, uint8_t blue)
{
    return grayscale_pixel(red, green, blue);
}

static __device__ uint32_t grayscale_vector(uint32_t red, uint32_t green, uint32_t blue)
{
    uint32_t gray = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t y = grayscale_pixel(red >> shift & 0xFF, green >> shift & 0xFF, blue >> shift & 0xFF);
        gray |= y << shift;
    }
    return gray;
}

static __device__ uint4 grayscale_vector(uint4 red, uint4 green, uint4 blue)
{
    return make_uint4(grayscale_vector(red.x, green.x, blue.x), grayscale_vector(red.y, green.y, blue.y),
                      grayscale_vector(red.z, green.z, blue.z), grayscale_vector(red.w, green.w, blue.w));
}

/* As in cuda_1d, with vectors instead of pixels: rgb has three planes of `plane` vectors per image. */
template <typename Vector>
static __global__ void grayscale_vector_kernel(int64_t vectors, int64_t plane, const Vector *rgb, Vector *gray)
{
    int64_t vector = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (vector >= vectors)
        return;
    int64_t image = vector / plane;
    const Vector *place = rgb + image * 3 * plane + vector % plane;
    Vector red = place[0], green = place[plane], blue = place[2 * plane];
    gray[vector] = grayscale_vector(red, green, blue);
}

template <typename Vector>
static bool fits(const struct grayscale_problem *p)
{
    return p->height * p->width % (int64_t)sizeof(Vector) == 0 && (uintptr_t)p->rgb % alignof(Vector) == 0 &&
           (uintptr_t)p->gray % alignof(Vector) == 0;
}

template <typename Vector>
static const char *launch(const char *rung, const struct grayscale_problem *p, cudaStream_t stream)
{
    int64_t plane = p->height * p->width / (int64_t)sizeof(Vector), vectors = p->images * plane;
    int64_t blocks = ceil_div(vectors, THREADS);
    return TRY_LAUNCH(rung, grayscale_vector_kernel<Vector>, blocks, THREADS, 0, stream, vectors, plane,
                      (const Vector *)p->rgb, (Vector *)p->gray);
}

const char *grayscale_cuda_vector(const void *problem, void *stream)
{
    const struct grayscale_problem *p = (const struct grayscale_problem *)problem;
    if (fits<uint4>(p))
        return launch<uint4>(__func__, p, (cudaStream_t)stream);
    if (fits<uint32_t>(p))
        return launch<uint32_t>(__func__, p, (cudaStream_t)stream);
    return launch<uint8_t>(__func__, p, (cudaStream_t)stream);
}
