/* The problem struct of matmul_grad_a: the gradient of a matrix product by its first factor. */
#pragma once

#include <stdint.h>

/* Where C = A B, and dC is the gradient of some loss by C, its gradient by A is dA = dC B^T, in FP32. All row-major
 * without padding: B is k x n, dC is m x n, dA is m x k. Each element of dA sums n products. m, n and k are at least 1;
 * products of two sizes may exceed 2^31. dA is undefined before the call. The three matrices do not overlap and are
 * aligned to 4 bytes, no more. */
struct matmul_grad_a_problem {
    int64_t m, k, n;
    const float *dc;
    const float *b;
    float *da;
};
