/* *dot = x[0] y[0] + ... + x[n-1] y[n-1] in FP32, in any order, with fused multiply-adds or without. */
#pragma once

#include <stdint.h>

struct dot_problem {
    int64_t n;
    const float *x, *y;
    float *dot;
};
