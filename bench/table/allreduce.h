/* A sum over cards that all of them get: y[i] = x[0,i] + ... + x[cards-1,i] in FP32, in any order. Row r of x, n
 * elements, is what card r has to tell; in host memory all rows are. */
#pragma once

#include <stdint.h>

struct allreduce_problem {
    int64_t cards, n;
    const float *x;
    float *y;
};
