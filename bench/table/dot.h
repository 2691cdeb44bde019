/* The problem struct of dot: the dot product of two vectors. */
#pragma once

#include <stdint.h>

#define DOT_N_MAX (INT64_C(1) << 30)

/* *dot = x[0] y[0] + ... + x[n-1] y[n-1] in FP32, in any order, with fused multiply-adds or without. n is from 1 to
 * DOT_N_MAX. *dot is undefined before the call. The arrays do not overlap and are aligned to 4 bytes, no more. */
struct dot_problem {
    int64_t n;
    const float *x, *y;
    float *dot;
};
