/* The rows of a matrix become probabilities: y[i,j] = exp(x[i,j] - largest) / (the sum of exp(x[i,k] - largest) for
 * all k) in FP32, where `largest` is the largest element of row i. x and y are m x n; x is finite. */
#pragma once

#include <stdint.h>

struct softmax_problem {
    int64_t m, n;
    const float *x;
    float *y;
};
