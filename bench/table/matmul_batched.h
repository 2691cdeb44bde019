/* Many small products of matrices: C[i] = A[i] B[i] in FP32 for each i below `batch`. a is batch x m x k, b is batch x
 * k x n, c is batch x m x n. */
#pragma once

#include <stdint.h>

#define MATMUL_BATCHED_PRODUCT_MAX (INT64_C(1) << 38) /* m n; m, k and n alone may be larger than RUNG_SIZE_MAX */

struct matmul_batched_problem {
    int64_t batch, m, k, n;
    const float *a, *b;
    float *c;
};
