/* The sums of the rows of a matrix: y[i] = x[i,0] + ... + x[i,n-1] in FP32, in any order. x is m x n. One row is how
 * all elements of an array are summed. */
#pragma once

#include <stdint.h>

struct reduce_rows_problem {
    int64_t m, n;
    const float *x;
    float *y;
};
