/* Libraries that are opened when a row first needs them, so that no build does: MKL, BLIS and oneDNN. Each serves the
 * rungs that have its trait (enum rung_traits). */
#pragma once

#include <stdint.h>

/* Opens the libraries of these traits. Why one of them cannot be had; NULL: all are there. */
const char *opened_blas_lacks(unsigned traits);

/* C = A B, C m x n, all row-major without padding, in as many threads as OpenMP has. NULL, or an error message. */
const char *opened_blas_multiply(unsigned trait, int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                                 float *c);
