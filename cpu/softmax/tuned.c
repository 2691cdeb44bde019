/* softmax cpu_tuned: rows on all threads, with an exponential that the compiler vectorises.
 *
 * Technique: exp(d) = 2^k exp(r), with k the integer next to d / ln 2, and r what is left, at most ln(2) / 2. A
 * polynomial gives exp(r), and k is added to its exponent. A loop of such arithmetic, without a call, becomes vectors.
 * d is never positive; where exp(d) is below the normal numbers, 2^k is made of two factors.
 *
 * What it fixes in cpu_scalar: several exponentials and sums at a time, on all cores.
 *
 * What bounds it: arithmetic on short rows; reading and writing on long ones. Few rows keep few threads busy. */
#include "bench/table/rung.h"
#include "bench/table/softmax.h"
#include "cpu/lane_sum.h"
#include "cpu/work.h"

#include <string.h>

enum { ELEMENTS_PER_THREAD = 1 << 12 /* at least: a thread is not woken for less */ };

/* 2^k for k from -126 to 127. */
static inline float power_of_two(int32_t k)
{
    const int32_t bits = (k + 127) * (1 << 23);
    float power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* For d <= 0, within 2 ulp. The constant is added to round to an integer. ln 2 is split, so that k times its first part
 * is exact (W. Cody and W. Waite, "Software Manual for the Elementary Functions", 1980). */
static inline float exp_of_negative(float d)
{
    const float rounder = 0x1.8p23F, log2_e = 0x1.715476p0F, ln2_high = 0x1.62e4p-1F, ln2_low = 0x1.7f7d1cp-20F;
    d = d < -120 ? -120 : d; /* exp(-120) is 0 in FP32 */
    const float rounded = d * log2_e + rounder, k = rounded - rounder;
    const float r = (d - k * ln2_high) - k * ln2_low;
    const float tail = 1.0F / 6 + r * (1.0F / 24 + r * (1.0F / 120 + r * (1.0F / 720 + r * (1.0F / 5040))));
    const float exp_r = 1 + (r + r * r * (0.5F + r * tail));
    const int32_t whole = (int32_t)k, half = whole / 2;
    return exp_r * power_of_two(half) * power_of_two(whole - half);
}

static float largest_of(int64_t n, const float *restrict x)
{
    enum { LANES = 16 };
    float largest[LANES], result = x[0];
    for (int lane = 0; lane < LANES; ++lane)
        largest[lane] = x[0];
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int lane = 0; lane < LANES; ++lane)
            largest[lane] = x[i + lane] > largest[lane] ? x[i + lane] : largest[lane];
    for (; i < n; ++i)
        largest[0] = x[i] > largest[0] ? x[i] : largest[0];
    for (int lane = 0; lane < LANES; ++lane)
        result = largest[lane] > result ? largest[lane] : result;
    return result;
}

static void softmax_row(int64_t n, const float *restrict x, float *restrict y)
{
    const float largest = largest_of(n, x);
    for (int64_t j = 0; j < n; ++j)
        y[j] = exp_of_negative(x[j] - largest);
    const float scale = 1 / lane_sum(n, y);
    for (int64_t j = 0; j < n; ++j)
        y[j] *= scale;
}

const char *softmax_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    const struct softmax_problem *p = problem;
    const int threads = work_threads((double)(p->m * p->n), ELEMENTS_PER_THREAD);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < p->m; ++i)
        softmax_row(p->n, p->x + i * p->n, p->y + i * p->n);
    return NULL;
}
