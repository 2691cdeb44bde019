/* OpenBLAS's product of FP32 matrices, for the openblas rungs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* C = A B, C m x n, all row-major without padding. A transposed factor lies as A^T, k x m, or as B^T, n x k. NULL, or
 * an error message that is valid until the next call. */
const char *openblas_sgemm(bool a_transposed, bool b_transposed, int64_t m, int64_t n, int64_t k, const float *a,
                           const float *b, float *c);
