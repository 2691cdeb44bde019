#include "matmul_formats.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { TF32_BITS = 11, BF16_BITS = 8, FP32_BITS = 24, AT_ONCE = 8 };

float forwards(const float *a, const float *b, int64_t k)
{
    float sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum += a[p] * b[p];
    return sum;
}

float backwards(const float *a, const float *b, int64_t k)
{
    float sum = 0;
    for (int64_t p = k; p-- > 0;)
        sum += a[p] * b[p];
    return sum;
}

static float fused(const float *a, const float *b, int64_t k)
{
    float sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum = fmaf(a[p], b[p], sum);
    return sum;
}

float in_eight_lanes(const float *a, const float *b, int64_t k)
{
    float lanes[8] = {0}, sum = 0;
    int64_t whole = k / 8 * 8;
    for (int64_t p = 0; p < whole; p += 8)
        for (int lane = 0; lane < 8; lane++)
            lanes[lane] += a[p + lane] * b[p + lane];
    for (int64_t p = whole; p < k; p++)
        lanes[p - whole] += a[p] * b[p];
    for (int lane = 0; lane < 8; lane++)
        sum += lanes[lane];
    return sum;
}

static float in_tiles(const float *a, const float *b, int64_t k)
{
    float sum = 0;
    for (int64_t start = 0; start < k; start += 32)
        sum += forwards(a + start, b + start, k - start < 32 ? k - start : 32);
    return sum;
}

static float pairwise(const float *a, const float *b, int64_t k)
{
    if (k == 1)
        return a[0] * b[0];
    return pairwise(a, b, k / 2) + pairwise(a + k / 2, b + k / 2, k - k / 2);
}

/* W. Kahan, "Further remarks on reducing truncation errors", Communications of the ACM 8, 1965. */
static float compensated(const float *a, const float *b, int64_t k)
{
    float sum = 0, lost = 0;
    for (int64_t p = 0; p < k; p++) {
        float term = a[p] * b[p] - lost, next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    return sum;
}

float in_double(const float *a, const float *b, int64_t k)
{
    double sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum += (double)a[p] * (double)b[p];
    return (float)sum;
}

dot *const orders[ORDERS] = {forwards, backwards, fused, in_eight_lanes, in_tiles, pairwise, compensated, in_double};

float unrounded(float x)
{
    return x;
}

/* Adding `scale` leaves no room for more bits, so that the sum is rounded there. */
float rounded_to(float x, int bits)
{
    double scale = (double)x * (double)((INT64_C(1) << (FP32_BITS - bits)) + 1);
    float large = (float)scale;
    return large - (large - x);
}

static float truncated_to(float x, int bits)
{
    uint32_t integer;
    memcpy(&integer, &x, sizeof integer);
    integer &= UINT32_MAX << (FP32_BITS - bits);
    memcpy(&x, &integer, sizeof x);
    return x;
}

float tf32_nearest(float x)
{
    return rounded_to(x, TF32_BITS);
}

float tf32_truncated(float x)
{
    return truncated_to(x, TF32_BITS);
}

float bf16_nearest(float x)
{
    return rounded_to(x, BF16_BITS);
}

float bf16_truncated(float x)
{
    return truncated_to(x, BF16_BITS);
}

static float truncated(double x)
{
    float nearest = (float)x;
    return fabs((double)nearest) > fabs(x) ? nextafterf(nearest, 0) : nearest;
}

float positives_first(const float *a, const float *b, int64_t k)
{
    float sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum += fmaxf(a[p] * b[p], 0);
    for (int64_t p = 0; p < k; p++)
        sum += fminf(a[p] * b[p], 0);
    return sum;
}

struct tf32_parts {
    float high[AT_ONCE], low[AT_ONCE];
};

static struct tf32_parts split_tf32(const float *x, int64_t count, bool truncate_high)
{
    struct tf32_parts parts = {0};
    for (int64_t p = 0; p < count; p++) {
        parts.high[p] = truncate_high ? tf32_truncated(x[p]) : tf32_nearest(x[p]);
        parts.low[p] = tf32_truncated(x[p] - parts.high[p]);
    }
    return parts;
}

/* What a tensor core adds: sum and products with 25 bits below the largest of them, all truncated (M. Fasi et al.,
 * "Numerical behavior of NVIDIA tensor cores", PeerJ Computer Science 7, 2021). */
static float tensor_core(float sum, const float a[AT_ONCE], const float b[AT_ONCE])
{
    double largest = fabs((double)sum);
    for (int p = 0; p < AT_ONCE; p++)
        largest = fmax(largest, fabs((double)a[p] * (double)b[p]));
    if (largest == 0)
        return 0;
    int exponent;
    frexp(largest, &exponent);
    double unit = ldexp(1, exponent - FP32_BITS - 1), units = trunc((double)sum / unit);
    for (int p = 0; p < AT_ONCE; p++)
        units += trunc((double)a[p] * (double)b[p] / unit);
    return truncated(units * unit);
}

typedef float add_products(float sum, const float a[AT_ONCE], const float b[AT_ONCE]);

static float add_fused(float sum, const float a[AT_ONCE], const float b[AT_ONCE])
{
    for (int p = 0; p < AT_ONCE; p++)
        sum = fmaf(a[p], b[p], sum);
    return sum;
}

static float add_in_short_chain(float sum, const float a[AT_ONCE], const float b[AT_ONCE])
{
    return sum + tensor_core(0, a, b);
}

static float sum_three_tf32(const float *a, const float *b, int64_t k, add_products *add, bool truncate_high)
{
    float sum = 0;
    for (int64_t p = 0; p < k; p += AT_ONCE) {
        int64_t count = k - p < AT_ONCE ? k - p : AT_ONCE;
        struct tf32_parts x = split_tf32(a + p, count, truncate_high), y = split_tf32(b + p, count, truncate_high);
        sum = add(add(add(sum, x.high, y.low), x.low, y.high), x.high, y.high);
    }
    return sum;
}

/* All products of parts i and j with i + j <= last. */
static float sum_bf16_parts(const float *a, const float *b, int64_t k, int last)
{
    float sum = 0;
    for (int64_t p = 0; p < k; p++) {
        float x[3], y[3], rest_a = a[p], rest_b = b[p];
        for (int part = 0; part < 3; part++) {
            rest_a -= x[part] = bf16_nearest(rest_a);
            rest_b -= y[part] = bf16_nearest(rest_b);
        }
        for (int order = last; order >= 0; order--)
            for (int i = 0; i < 3; i++)
                if (order - i >= 0 && order - i < 3)
                    sum = fmaf(x[i], y[order - i], sum);
    }
    return sum;
}

float truncating_accumulator(const float *a, const float *b, int64_t k)
{
    float sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum = truncated((double)a[p] * (double)b[p] + (double)sum);
    return sum;
}

static float sum_rounded_to(const float *a, const float *b, int64_t k, int bits)
{
    float sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum = rounded_to(fmaf(a[p], b[p], sum), bits);
    return sum;
}

/* In double, of factors with 22 bits. */
static float sum_in_22_bits(const float *a, const float *b, int64_t k, float shortened(float x, int bits))
{
    double sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum += (double)shortened(a[p], 22) * (double)shortened(b[p], 22);
    return (float)sum;
}

#define DOT(name, sum)                                    \
    float name(const float *a, const float *b, int64_t k) \
    {                                                     \
        return sum;                                       \
    }
DOT(three_tf32, sum_three_tf32(a, b, k, add_fused, false))
DOT(three_tf32_in_one_chain, sum_three_tf32(a, b, k, tensor_core, false))
DOT(three_tf32_in_short_chains, sum_three_tf32(a, b, k, add_in_short_chain, false))
DOT(three_tf32_truncated, sum_three_tf32(a, b, k, add_fused, true))
DOT(nine_bf16, sum_bf16_parts(a, b, k, 4))
DOT(three_bf16, sum_bf16_parts(a, b, k, 1))
DOT(factors_of_22_bits, sum_in_22_bits(a, b, k, rounded_to))
DOT(truncated_factors_of_22_bits, sum_in_22_bits(a, b, k, truncated_to))
DOT(accumulator_of_22_bits, sum_rounded_to(a, b, k, 22))
DOT(accumulator_of_11_bits, sum_rounded_to(a, b, k, 11))
