/* The problem struct of transpose: a matrix whose rows become columns. */
#pragma once

#include <stdint.h>

#define TRANSPOSE_SIZE_MAX (INT64_C(1) << 30) /* of m and of n; their product may exceed 2^32 */

/* y[j,i] = x[i,j], bit for bit. x is m x n, y is n x m, both row-major without padding, FP32; m and n are at least 1. y
 * is undefined before the call. x and y do not overlap and are aligned to 4 bytes, no more. */
struct transpose_problem {
    int64_t m, n;
    const float *x;
    float *y;
};
