/* The problem struct of matmul_batched: many small products of matrices. */
#pragma once

#include <stdint.h>

#define MATMUL_BATCHED_BATCH_MAX (INT64_C(1) << 30)
#define MATMUL_BATCHED_PRODUCT_MAX (INT64_C(1) << 38) /* elements of one product */

/* C[i] = A[i] B[i] in FP32 for each i below `batch`, all row-major without padding: a is batch x m x k, b is batch x k
 * x n, c is batch x m x n. All sizes are at least 1, batch at most MATMUL_BATCHED_BATCH_MAX, and m n at most
 * MATMUL_BATCHED_PRODUCT_MAX. c is undefined before the call. Arrays do not overlap and are aligned to 4 bytes, no
 * more.
 */
struct matmul_batched_problem {
    int64_t batch, m, k, n;
    const float *a, *b;
    float *c;
};
