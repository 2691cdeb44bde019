/* The problem struct of reduce_rows: the sums of the rows of a matrix. */
#pragma once

#include <stdint.h>

#define REDUCE_ROWS_SIZE_MAX (INT64_C(1) << 30) /* of m and of n; their product may exceed 2^32 */

/* y[i] = x[i,0] + ... + x[i,n-1] in FP32, in any order, for each of m rows. x is m x n, row-major without padding; m
 * and n are at least 1. One row is how all elements of an array are summed. y is undefined before the call. x and y do
 * not overlap and are aligned to 4 bytes, no more. */
struct reduce_rows_problem {
    int64_t m, n;
    const float *x;
    float *y;
};
