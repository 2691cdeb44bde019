/* The arithmetic that all CUDA rungs of grayscale share. They differ in how they load and store. */
#pragma once

#include "bench/table/grayscale.h"

#include <cuda_runtime.h>
#include <stdint.h>

/* One pixel, by the rule of grayscale.h. The sum is at most 9999 * 255 + 5000, which fits 32 bits. The compiler turns
 * the division by a constant into a multiplication and a shift. */
static inline __device__ uint8_t grayscale_pixel(uint32_t red, uint32_t green, uint32_t blue)
{
    uint32_t sum = GRAYSCALE_WEIGHT_RED * red + GRAYSCALE_WEIGHT_GREEN * green + GRAYSCALE_WEIGHT_BLUE * blue;
    return (uint8_t)((sum + GRAYSCALE_ROUND) / GRAYSCALE_SCALE);
}
