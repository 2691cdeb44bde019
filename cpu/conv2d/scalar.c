/* conv2d cpu_scalar: the formula as seven loops, on one thread.
 *
 * Technique: each output is summed by itself. Speed-ups are divided by this rung, so it stays scalar: the empty
 * assembly in the inner loop keeps the compiler from vectorising or exchanging the loops.
 *
 * What bounds it: latency. Each addition waits for the one before it, two to four cycles. */
#include "bench/table/conv2d.h"
#include "bench/table/rung.h"

static float sum_window(const struct conv2d_problem *p, const float *x, const float *f)
{
    float sum = 0;
    for (int64_t c = 0; c < p->c; ++c)
        for (int64_t i = 0; i < p->r; ++i)
            for (int64_t j = 0; j < p->r; ++j) {
                sum += x[(c * p->h + i) * p->w + j] * f[(c * p->r + i) * p->r + j];
                __asm__ volatile("");
            }
    return sum;
}

const char *conv2d_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct conv2d_problem *p = problem;
    const int64_t image = p->c * p->h * p->w, filter = p->c * p->r * p->r;
    const int64_t rows = p->h - p->r + 1, columns = p->w - p->r + 1;
    float *y = p->y;
    for (int64_t n = 0; n < p->n; ++n)
        for (int64_t k = 0; k < p->k; ++k)
            for (int64_t i = 0; i < rows; ++i)
                for (int64_t j = 0; j < columns; ++j)
                    *y++ = sum_window(p, p->x + n * image + i * p->w + j, p->f + k * filter);
    return NULL;
}
