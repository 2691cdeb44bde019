/* grayscale_cpu_tuned: vectorised, all threads.
 *
 * Technique: the compiler vectorises blocks of 64 pixels for AVX-512, AVX2 and the baseline of the architecture; the
 * best that the processor has is chosen at run time. The narrower the arithmetic, the more pixels fit a vector, so all
 * of it has 16 bits, although the weighted sum has 22:
 *   1. A 16-bit product keeps its high half: 256 times the channel, times its weight as a fraction of 2^16. The three
 *      halves add up to 256 times Y. The halves cut off less than 5 of these 256, so Y is right or one too small.
 *   2. The low 16 bits of the rest, sum - Y * scale, tell which. The rest is below the scale if Y is right, and below
 *      twice the scale if Y is one too small; 16 bits hold both.
 *
 * The last block of a plane ends with the plane and computes some pixels a second time, so there is no remainder. Where
 * planes are short, the planes of the next image are prefetched. Threads share the pixels of all images evenly; small
 * images stay on one thread.
 *
 * What it fixes in cpu_scalar: it computes dozens of pixels at a time, on all cores.
 *
 * What bounds it: memory bandwidth, at four bytes per pixel, or five where the processor reads a line before it
 * overwrites it.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   grayscale/mnist-rgb/cpu_tuned/cold 1.893 ms */
#include "bench/table/grayscale.h"
#include "bench/table/rung.h"
#include "cpu/backend/cpu_isa.h"
#include "cpu/work.h"

#include <assert.h>
#include <omp.h>

enum {
    BLOCK = 64,
    PIXELS_PER_THREAD = 1 << 16,
    SHORT_PLANE = 1 << 14, /* in pixels; processors do not prefetch such short planes well */
    FRACTION_RED = GRAYSCALE_WEIGHT_RED * 65536 / GRAYSCALE_SCALE,
    FRACTION_GREEN = GRAYSCALE_WEIGHT_GREEN * 65536 / GRAYSCALE_SCALE,
    FRACTION_BLUE = GRAYSCALE_WEIGHT_BLUE * 65536 / GRAYSCALE_SCALE,
    FRACTION_ROUND = GRAYSCALE_ROUND * 256 / GRAYSCALE_SCALE,
};
static_assert(FRACTION_RED + FRACTION_GREEN + FRACTION_BLUE <= 65536 && FRACTION_ROUND < 256, "256 Y fits 16 bits");
static_assert(2 * GRAYSCALE_SCALE <= 65536, "the rest fits 16 bits, too");

/* The planes of an image, from some pixel on. `next`: the distance to the planes to prefetch; 0: none. */
struct planes {
    const uint8_t *red, *green, *blue;
    uint8_t *gray;
    int64_t next;
};

/* 256 times the channel's part in Y, in 16-bit arithmetic. */
static inline uint16_t part(uint8_t channel, uint32_t fraction)
{
    return (uint16_t)((uint16_t)(channel << 8) * fraction >> 16);
}

static inline __attribute__((always_inline)) void gray_pixels(int64_t count, const uint8_t *restrict red,
                                                              const uint8_t *restrict green,
                                                              const uint8_t *restrict blue, uint8_t *restrict gray)
{
    for (int64_t i = 0; i < count; ++i) {
        uint8_t r = red[i], g = green[i], b = blue[i];
        uint16_t sum = (uint16_t)(GRAYSCALE_WEIGHT_RED * r + GRAYSCALE_WEIGHT_GREEN * g + GRAYSCALE_WEIGHT_BLUE * b +
                                  GRAYSCALE_ROUND);
        uint16_t y =
            (uint16_t)(part(r, FRACTION_RED) + part(g, FRACTION_GREEN) + part(b, FRACTION_BLUE) + FRACTION_ROUND) >> 8;
        uint16_t rest = (uint16_t)(sum - GRAYSCALE_SCALE * y);
        uint16_t one = rest >= GRAYSCALE_SCALE;
        gray[i] = (uint8_t)(uint16_t)(y + one);
    }
}

/* `count` pixels that lie in one plane. */
static inline __attribute__((always_inline)) void gray_run(struct planes p, int64_t count)
{
    if (count < BLOCK) {
        gray_pixels(count, p.red, p.green, p.blue, p.gray);
        return;
    }
    int64_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        if (p.next > 0) {
            __builtin_prefetch(p.red + i + p.next);
            __builtin_prefetch(p.green + i + p.next);
            __builtin_prefetch(p.blue + i + p.next);
        }
        gray_pixels(BLOCK, p.red + i, p.green + i, p.blue + i, p.gray + i);
    }
    if (i < count) {
        i = count - BLOCK;
        gray_pixels(BLOCK, p.red + i, p.green + i, p.blue + i, p.gray + i);
    }
}

typedef void gray_function(struct planes p, int64_t count);

static void gray_run_baseline(struct planes p, int64_t count)
{
    gray_run(p, count);
}

#if ISA_X86
static __attribute__((target("avx2"))) void gray_run_avx2(struct planes p, int64_t count)
{
    gray_run(p, count);
}

static __attribute__((target("avx512bw"))) void gray_run_avx512(struct planes p, int64_t count)
{
    gray_run(p, count);
}
#endif

static gray_function *choose_gray_run(void)
{
#if ISA_X86
    if (__builtin_cpu_supports("avx512bw"))
        return gray_run_avx512;
    if (__builtin_cpu_supports("avx2"))
        return gray_run_avx2;
#endif
    return gray_run_baseline;
}

const char *grayscale_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    const struct grayscale_problem *p = problem;
    gray_function *run = choose_gray_run();
    const int64_t plane = p->height * p->width, pixels = p->images * plane;
    const int threads = work_threads((double)pixels, PIXELS_PER_THREAD);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        int64_t parts = omp_get_num_threads(), self = omp_get_thread_num();
        int64_t end = pixels * (self + 1) / parts;
        for (int64_t i = pixels * self / parts; i < end;) {
            int64_t image = i / plane, first = i % plane;
            int64_t count = smaller(plane - first, end - i);
            const uint8_t *red = p->rgb + image * 3 * plane + first;
            int64_t next = plane <= SHORT_PLANE && image + 1 < p->images ? 3 * plane : 0;
            run((struct planes){red, red + plane, red + 2 * plane, p->gray + i, next}, count);
            i += count;
        }
    }
    return NULL;
}
