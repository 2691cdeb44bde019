/* The problem struct of reduce_columns: the sums of the columns of a matrix. */
#pragma once

#include <stdint.h>

#define REDUCE_COLUMNS_SIZE_MAX (INT64_C(1) << 30) /* of m and of n; their product may exceed 2^32 */

/* y[j] = x[0,j] + ... + x[m-1,j] in FP32, in any order, for each of n columns. x is m x n, row-major without padding; m
 * and n are at least 1. y is undefined before the call. x and y do not overlap and are aligned to 4 bytes, no more. */
struct reduce_columns_problem {
    int64_t m, n;
    const float *x;
    float *y;
};
