/* FP32 factors as two numbers with fewer bits each, for tensor cores, and what no split holds.
 *
 * In TF32 x = high + low, and three of the four products are added up: high high + high low + low high. The product
 * left out is below 2^-22 of the whole, and a low part loses the bits beyond TF32's 11, less than 2^-23 of its factor.
 * This holds for |x| from 2^-114 to 2^128 - 2^116. Below, low parts lose more; above, and for infinity, x becomes NaN.
 * Sums are FP32, but tensor cores truncate where FFMA rounds. So chains of them are kept short, and their results are
 * added up by ordinary additions.
 *
 * FP16 has the 11 significant bits of TF32, but neither its range nor all of these bits for small numbers: from 2^-14
 * to 2^16, and fewer bits down to 2^-24. Two measures against that:
 *
 * - A scale: all factors of a part of A, or of B, are multiplied by the power of two that takes the largest of them to
 *   2^14 or above. Powers of two change no bit.
 * - The low part is stored 2^11 times as large. So it is as large as the high part was; its products are summed by
 *   themselves, and count 2^-11.
 *
 * What that does not hold: a part whose factors other than zero lie more than 27 exponents apart, or reach 2^48, or are
 * below 2^-75; infinity and NaN among them. docs/precision.md has the reasons.
 *
 * Source: H. Ootomo and R. Yokota, "Recovering single precision accuracy from Tensor Cores while surpassing the FP32
 * theoretical peak performance", 2022. The scales of parts are ours. */
#pragma once

#include "kernels/mma.h"

/* The least and the largest size of factors that are not zero, as bits of floats. */
struct range {
    uint32_t most, below_least; /* the least, less one: then zeros come last */
};

constexpr struct range NO_FACTORS = {0, UINT32_MAX};

static __device__ __forceinline__ void widen(range &range, float x)
{
    uint32_t size = __float_as_uint(x) & 0x7FFFFFFF;
    range.most = max(range.most, size);
    range.below_least = min(range.below_least, size - 1);
}

struct tf32_pair {
    uint32_t high, low; /* as bits of floats; the last 13 are 0 in high, and ignored by tensor cores in low */
};

/* high is x rounded to 11 bits, low is the rest, without an error. */
static __device__ __forceinline__ tf32_pair tf32_split(float x)
{
    uint32_t high = (__float_as_uint(x) + 0x1000u) & 0xFFFFE000u;
    return {high, __float_as_uint(x - __uint_as_float(high))};
}

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
