#include "far_kernels.h"

#include "bench/table/grayscale.h"
#include "kernels/grayscale/pixel.h"
#include "kernels/launch.h"

constexpr int THREADS = 256, PART = 4096;
constexpr int MANY = 10000; /* multiprocessors */

/* Index: the type of the number of a pixel; Plane: of that of an image's pixels. */
template <typename Index, typename Plane>
static __global__ void far_kernel(int64_t pixels, Plane plane, const uint8_t *rgb, uint8_t *gray)
{
    Index pixel = (Index)((int64_t)blockIdx.x * THREADS + threadIdx.x); /* wraps, and is no trap of a sanitizer */
    if ((int64_t)pixel >= pixels)
        return;
    const uint8_t *red = rgb + pixel / plane * 3 * plane + pixel % plane;
    gray[pixel] = grayscale_pixel(red[0], red[plane], red[2 * (int64_t)plane]);
}

static __global__ void add_kernel(int64_t pixels, int64_t plane, const uint8_t *rgb, uint8_t *gray)
{
    int64_t pixel = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (pixel >= pixels)
        return;
    const uint8_t *red = rgb + pixel / plane * 3 * plane + pixel % plane;
    gray[pixel] = (uint8_t)(gray[pixel] + grayscale_pixel(red[0], red[plane], red[2 * plane]));
}

/* Blocks take parts of the image in turns. */
template <typename Index>
static __global__ void loop_kernel(int64_t pixels, int64_t plane, const uint8_t *rgb, uint8_t *gray)
{
    for (int64_t part = blockIdx.x; part < ceil_div(pixels, PART); part += gridDim.x)
        for (int64_t pixel = part * PART + threadIdx.x; pixel < min(pixels, (part + 1) * PART); pixel += THREADS) {
            const uint8_t *red = rgb + pixel / plane * 3 * plane + pixel % plane;
            gray[(Index)pixel] = grayscale_pixel(red[0], red[plane], red[2 * plane]);
        }
}

static __global__ void behind_kernel(int64_t pixels, uint8_t *gray)
{
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
        gray[pixels] = 1;
}

template <typename Index, typename Plane>
static const char *launch(const struct grayscale_problem *p, int64_t blocks)
{
    int64_t plane = p->height * p->width;
    const char *error = grid_x_error("a rung", blocks);
    if (error)
        return error;
    LAUNCH((far_kernel<Index, Plane>), (unsigned)blocks, THREADS, 0, nullptr, p->images * plane, (Plane)plane, p->rgb,
           p->gray);
    return launch_error("a rung");
}

template <typename Index>
static const char *launch_loop(const struct grayscale_problem *p, int64_t blocks)
{
    int64_t plane = p->height * p->width;
    LAUNCH(loop_kernel<Index>, (unsigned)blocks, THREADS, 0, nullptr, p->images * plane, plane, p->rgb, p->gray);
    return launch_error("a rung");
}

static int64_t multiprocessors()
{
    int device, count = 0;
    (void)cudaGetDevice(&device);
    (void)cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    return count;
}

/* As many blocks as two for each multiprocessor, if there are parts for them. */
template <typename Index>
static const char *launch_full(const struct grayscale_problem *p)
{
    return launch_loop<Index>(p, min(2 * multiprocessors(), ceil_div(p->images * p->height * p->width, PART)));
}

static const char *launch_add(const struct grayscale_problem *p, int64_t blocks)
{
    int64_t plane = p->height * p->width, pixels = p->images * plane;
    const char *error = multiprocessors() > MANY ? "too many" : grid_x_error("a rung", blocks);
    if (error)
        return error;
    (void)cudaMemsetAsync(p->gray, 0, (size_t)pixels, nullptr);
    LAUNCH(add_kernel, (unsigned)blocks, THREADS, 0, nullptr, pixels, plane, p->rgb, p->gray);
    return launch_error("a rung");
}

#define FAR_RUNG(name, ...)                                                                         \
    const char *far_##name(const void *problem, void *)                                             \
    {                                                                                               \
        const struct grayscale_problem *p = static_cast<const struct grayscale_problem *>(problem); \
        [[maybe_unused]] int64_t pixels = p->images * p->height * p->width;                         \
        [[maybe_unused]] int64_t blocks = ceil_div(pixels, THREADS);                                \
        __VA_ARGS__                                                                                 \
    }
FAR_RUNG(right, return launch<int64_t, int64_t>(p, blocks);)
FAR_RUNG(cleared_first, return launch_add(p, blocks);)
FAR_RUNG(int_index, return launch<int, int64_t>(p, blocks);)
FAR_RUNG(unsigned_index, return launch<unsigned, int64_t>(p, blocks);)
FAR_RUNG(int_plane, return launch<int64_t, int>(p, blocks);)
FAR_RUNG(int_grid, return launch<int64_t, int64_t>(p, ceil_div((int)pixels, THREADS));)
FAR_RUNG(unguarded, LAUNCH((far_kernel<int64_t, int64_t>), (unsigned)blocks, THREADS, 0, nullptr, pixels,
                           p->height * p->width, p->rgb, p->gray);
         return launch_error("a rung");)
FAR_RUNG(refuses, return "cannot do it";)
FAR_RUNG(behind_the_end, LAUNCH(behind_kernel, (unsigned)blocks, THREADS, 0, nullptr, pixels, p->gray);
         return launch<int64_t, int64_t>(p, blocks);)
FAR_RUNG(full, return launch_full<int64_t>(p);)
FAR_RUNG(full_int_index, return launch_full<int>(p);)
FAR_RUNG(one_block, return launch_loop<int64_t>(p, 1);)
