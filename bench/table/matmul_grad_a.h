/* The gradient of a matrix product by its first factor: where C = A B, and dC is the gradient of some loss by C, its
 * gradient by A is dA = dC B^T, in FP32. B is k x n, dC is m x n, dA is m x k. Each element of dA sums n products. */
#pragma once

#include <stdint.h>

struct matmul_grad_a_problem {
    int64_t m, k, n;
    const float *dc, *b;
    float *da;
};
