/* The problem struct of matmul. */
#pragma once

#include <stdint.h>

/* C = A B in FP32, all row-major without padding: A is m x k, B is k x n, C is m x n. m, n and k are at least 1;
 * products of two sizes may exceed 2^31. C is undefined before the call. The three matrices do not overlap and are
 * aligned to 4 bytes, no more. */
struct matmul_problem {
    int64_t m, k, n;
    const float *a;
    const float *b;
    float *c;
};
