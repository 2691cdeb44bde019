/* A product C = A B, C m x n, whose factors may lie transposed in memory. The gradients of matmul are such products, so
 * input, reference and checks are the same for all of them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct matmul_product {
    int64_t m, n, k;
    bool a_transposed;  /* A lies in memory as k x m, not as m x k */
    bool b_transposed;  /* B lies as n x k, not as k x n */
    const char *answer; /* what messages call C */
    bool of_images;     /* rows of A as it lies may be real images */
};
