/* The problem struct of matmul_grad_b: the gradient of a matrix product by its second factor. */
#pragma once

#include <stdint.h>

/* Where C = A B, and dC is the gradient of some loss by C, its gradient by B is dB = A^T dC, in FP32. All row-major
 * without padding: A is m x k, dC is m x n, dB is k x n. Each element of dB sums m products. m, n and k are at least 1;
 * products of two sizes may exceed 2^31. dB is undefined before the call. The three matrices do not overlap and are
 * aligned to 4 bytes, no more. */
struct matmul_grad_b_problem {
    int64_t m, k, n;
    const float *a;
    const float *dc;
    float *db;
};
