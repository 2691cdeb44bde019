/* The reference that rungs of matmul and of its gradients are checked against, in double precision. Never timed, never
 * listed. */
#pragma once

#include "known.h"
#include "matmul_product.h"

/* Up to this size the reference has every element. Above, it has sampled rows, and Freivalds' check covers the rest. */
#define MATMUL_FULL_REFERENCE_FLOP 2e10

enum {
    MATMUL_SAMPLED_ROWS = 16,       /* at least */
    MATMUL_SAMPLED_ELEMENTS = 4096, /* at least: enough for the precision test */
    MATMUL_FREIVALDS_COLUMNS_MAX = 64,
};

/* A sum of rounding errors that do not depend on each other exceeds this multiple of the root of the sum of their
 * largest squares with a probability of 3e-14: 2 exp(-lambda^2 / 2). */
#define MATMUL_LAMBDA 8.0

/* For each row i of C and each block b of columns: C[i, b] x[b] must lie within lambda sqrt(k) u norm[i, b] of
 * product[i, b]. x is a vector of random numbers that no rung can foresee. */
struct matmul_freivalds {
    int64_t blocks;  /* 0: not needed, all rows are known */
    int64_t columns; /* of each block; the last may be narrower */
    double *x;       /* n */
    double *product; /* m x blocks: A (B x) in double */
    double *norm;    /* m x blocks: the scale of the errors, at least ||((|A||B|)[i, j] x[j])_j||_2 */
    double *factors; /* m x blocks: further error bound of factors rounded to TF32, divided by u_tf32 */
};

struct matmul_reference {
    struct matmul_product product;
    struct input_note note;
    struct known rows; /* of A B, and as their scale |A| |B|; no rung can foresee which, if they are not all */
    struct matmul_freivalds freivalds;
};

size_t matmul_reference_bytes(struct matmul_product product);

/* `a` and `b` lie as the product says; `note` tells what is known of them. NULL: out of memory. */
struct matmul_reference *matmul_reference_make(struct matmul_product product, const float *a, const float *b,
                                               const struct input_note *note);
void matmul_reference_free(void *reference);
