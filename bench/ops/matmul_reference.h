/* The truth that a matmul rung is checked against, in double precision. Never timed, never listed. */
#ifndef RUNGBENCH_MATMUL_REFERENCE_H
#define RUNGBENCH_MATMUL_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every element is computed up to here; above, sampled rows are, and the rest is covered by Freivalds' check. */
#define MATMUL_FULL_REFERENCE_FLOP 2e10

enum {
    MATMUL_SAMPLED_ROWS = 16,       /* at least */
    MATMUL_SAMPLED_ELEMENTS = 4096, /* at least, so that precision can be judged by them */
    MATMUL_FREIVALDS_COLUMNS_MAX = 64,
};

/* Rows of C, wholly known. */
struct matmul_rows {
    int64_t count;
    int64_t *index;    /* which row of C; NULL: row i is the i-th */
    double *c;         /* count x n: A B */
    double *magnitude; /* count x n: |A| |B|, what errors are measured in */
};

/* For each row i of C and each block b of columns: C[i, b] x[b] must lie within bound[i, b] of product[i, b], where x
 * is a vector of random numbers. */
struct matmul_freivalds {
    int64_t blocks;  /* 0: not needed, all rows are known */
    int64_t columns; /* in each block but the last, which may be narrower */
    double *x;       /* n */
    double *product; /* m x blocks: A (B x) in double */
    double *bound;   /* m x blocks: what FP32 may lose, for u = 1 */
    double *factors; /* m x blocks: what factors rounded to TF32 may add, for u = 1 */
};

struct matmul_reference {
    int64_t m, n, k;
    bool zero_mean;
    struct matmul_rows rows;
    struct matmul_freivalds freivalds;
};

size_t matmul_reference_bytes(int64_t m, int64_t n, int64_t k);

/* For C[m,n] = A[m,k] B[k,n]. `zero_mean`: both are seeded random numbers around zero. NULL if memory runs out. */
struct matmul_reference *matmul_reference_make(int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                                               bool zero_mean);
void matmul_reference_free(struct matmul_reference *reference);

#endif
