/* grayscale_cpu_scalar: one pixel after the other, on one thread.
 *
 * Technique: the rule as it is written, per pixel. Speed-ups are divided by this rung, so it stays scalar: the empty
 * assembly keeps the compiler from vectorising the loop.
 *
 * What bounds it: arithmetic. A pixel takes three loads, four multiplications (the division by a constant is one) and a
 * store; memory could deliver several pixels in that time.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   grayscale/mnist-rgb/cpu_scalar/cold 69.13 ms */
#include "bench/table/grayscale.h"
#include "bench/table/rung.h"

const char *grayscale_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct grayscale_problem *p = problem;
    const int64_t plane = p->height * p->width;
    for (int64_t image = 0; image < p->images; ++image) {
        const uint8_t *red = p->rgb + image * 3 * plane, *green = red + plane, *blue = green + plane;
        uint8_t *gray = p->gray + image * plane;
        for (int64_t i = 0; i < plane; ++i) {
            uint32_t scaled = (uint32_t)GRAYSCALE_WEIGHT_RED * red[i] + (uint32_t)GRAYSCALE_WEIGHT_GREEN * green[i] +
                              (uint32_t)GRAYSCALE_WEIGHT_BLUE * blue[i] + GRAYSCALE_ROUND;
            gray[i] = (uint8_t)(scaled / GRAYSCALE_SCALE);
            __asm__ volatile("");
        }
    }
    return NULL;
}
