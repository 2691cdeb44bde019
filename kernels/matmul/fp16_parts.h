/* FP32 factors as two numbers of FP16, which has the 11 significant bits of TF32, but neither its range nor all of
 * these bits for small numbers: from 2^-14 to 2^16, and fewer bits down to 2^-24. Two measures against that:
 *
 * - A scale: all factors of a part of A, or of B, are multiplied by the power of two that takes the largest of them to
 *   2^14 or above. Powers of two change no bit.
 * - The low part is stored 2^11 times as large. So it is as large as the high part was; its products are summed by
 *   themselves, and count 2^-11.
 *
 * What that does not hold: a part whose factors other than zero lie more than 27 exponents apart, or reach 2^48, or are
 * below 2^-75; infinity and NaN among them. docs/precision.md has the reasons. The scales of parts are ours. */
#pragma once

#include "factor_parts.h"
#include "kernels/mma.h"

/* Exponents as the bits of floats have them. */
constexpr uint32_t BIAS = 127, LARGEST = BIAS + 14, LEAST = BIAS - 13; /* of scaled factors */
constexpr uint32_t NARROW = BIAS - 48, WIDE_END = BIAS + 48;           /* of the largest factor */
constexpr float LOW_UP = 2048, LOW_DOWN = 1 / LOW_UP;

static __device__ __forceinline__ float power_of_two(uint32_t exponent)
{
    return __uint_as_float(exponent << 23);
}

/* The exponent of a part's largest factor, or of what the largest is taken for if it is very small. */
static __device__ __forceinline__ uint32_t fp16_exponent(const range &range)
{
    return max(range.most >> 23, NARROW);
}

/* After scaling, all factors are at least 2^LEAST. */
static __device__ __forceinline__ bool fp16_holds(const range &range)
{
    uint32_t exponent = fp16_exponent(range);
    return exponent < WIDE_END && (range.below_least >> 23) + LARGEST >= exponent + LEAST;
}

/* What factors of that exponent are multiplied by. */
static __device__ __forceinline__ float fp16_scale(uint32_t exponent)
{
    return power_of_two(BIAS + LARGEST - exponent);
}

/* What the products of factors of these exponents are multiplied by, to take their scales back. */
static __device__ __forceinline__ float fp16_back(uint32_t exponent_a, uint32_t exponent_b)
{
    return power_of_two(BIAS + exponent_a - LARGEST) * power_of_two(BIAS + exponent_b - LARGEST);
}

/* Two factors, scaled already, as pairs of their parts. */
static __device__ __forceinline__ void fp16_split(float x0, float x1, uint32_t &high, uint32_t &low)
{
    tf32_pair pair0 = tf32_split(x0), pair1 = tf32_split(x1);
    high = fp16_pair(__uint_as_float(pair0.high), __uint_as_float(pair1.high));
    low = fp16_pair(__uint_as_float(pair0.low) * LOW_UP, __uint_as_float(pair1.low) * LOW_UP);
}
