/* The problem struct of softmax: the rows of a matrix become probabilities. */
#pragma once

#include <stdint.h>

#define SOFTMAX_SIZE_MAX (INT64_C(1) << 30) /* of m and of n; their product may exceed 2^32 */

/* y[i,j] = exp(x[i,j] - largest) / (the sum of exp(x[i,k] - largest) for all k) in FP32, where `largest` is the largest
 * element of row i. x and y are m x n, row-major without padding; m and n are at least 1; x is finite. y is undefined
 * before the call. x and y do not overlap and are aligned to 4 bytes, no more. */
struct softmax_problem {
    int64_t m, n;
    const float *x;
    float *y;
};
