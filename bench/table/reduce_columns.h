/* The sums of the columns of a matrix: y[j] = x[0,j] + ... + x[m-1,j] in FP32, in any order. x is m x n. */
#pragma once

#include <stdint.h>

struct reduce_columns_problem {
    int64_t m, n;
    const float *x;
    float *y;
};
