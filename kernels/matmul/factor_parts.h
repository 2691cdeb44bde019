/* FP32 factors as two numbers of TF32, x = high + low, for tensor cores. Three of the four products are added up: high
 * high + high low + low high. The product left out is below 2^-22 of the whole, and a low part loses the bits beyond
 * TF32's 11, less than 2^-23 of its factor. This holds for |x| from 2^-114 to 2^128 - 2^116. Below, low parts lose
 * more; above, and for infinity, x becomes NaN. Sums are FP32, but tensor cores truncate where FFMA rounds. So chains
 * of them are kept short, and their results are added up by ordinary additions.
 *
 * Source: H. Ootomo and R. Yokota, "Recovering single precision accuracy from Tensor Cores while surpassing the FP32
 * theoretical peak performance", 2022. */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

struct tf32_pair {
    uint32_t high, low; /* as bits of floats; the last 13 are 0 in high, and ignored by tensor cores in low */
};

/* high is x rounded to 11 bits, low is the rest, without an error. */
static __device__ __forceinline__ tf32_pair tf32_split(float x)
{
    uint32_t high = (__float_as_uint(x) + 0x1000u) & 0xFFFFE000u;
    return {high, __float_as_uint(x - __uint_as_float(high))};
}

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
