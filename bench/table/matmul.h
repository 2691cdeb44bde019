/* C = A B in FP32: A is m x k, B is k x n, C is m x n. */
#pragma once

#include <stdint.h>

struct matmul_problem {
    int64_t m, k, n;
    const float *a, *b;
    float *c;
};
