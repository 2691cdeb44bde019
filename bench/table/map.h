/* y[i] = relu(x[i]) in FP32 for each of n elements: x where x > 0, else 0, and NaN where x is NaN. 0 may be -0. */
#pragma once

#include <stdint.h>

#define MAP_N_MAX (INT64_C(1) << 38) /* an array of 1 TiB */

struct map_problem {
    int64_t n;
    const float *x;
    float *y;
};
