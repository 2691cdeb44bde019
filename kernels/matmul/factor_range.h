/* The least and the largest size of factors that are not zero, as bits of floats: whether a split of them keeps what
 * FP32 promises. */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

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
