/* The function that map applies (bench/table/map.h). */
#pragma once

#include "kernels/device.h"

/* Not fmaxf(x, 0), which makes 0 of NaN. */
static __device__ __forceinline__ float relu(float x)
{
    return x <= 0 ? 0 : x;
}
