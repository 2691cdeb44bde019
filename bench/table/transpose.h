/* The rows of a matrix become columns: y[j,i] = x[i,j], bit for bit. x is m x n, y is n x m, FP32. */
#pragma once

#include <stdint.h>

struct transpose_problem {
    int64_t m, n;
    const float *x;
    float *y;
};
