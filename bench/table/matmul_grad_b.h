/* The gradient of a matrix product by its second factor: where C = A B, and dC is the gradient of some loss by C, its
 * gradient by B is dB = A^T dC, in FP32. A is m x k, dC is m x n, dB is k x n. Each element of dB sums m products. */
#pragma once

#include <stdint.h>

struct matmul_grad_b_problem {
    int64_t m, k, n;
    const float *a, *dc;
    float *db;
};
