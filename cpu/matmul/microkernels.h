/* The inside of matmul_cpu_tuned.c: tiles of C that live in registers, for each instruction set. */
#ifndef RUNGBENCH_MATMUL_MICROKERNELS_H
#define RUNGBENCH_MATMUL_MICROKERNELS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MR_MAX = 14,
    NR_MAX = 32,
    LINE_FLOATS = 16, /* in a cache line */
};

/* C[rows, columns] = A B, or += if `add`. A's rows are `a_row` apart, or `a` is a packed panel; `b` is always one. */
struct tile {
    int64_t k, a_row, c_row;
    const float *a, *b;
    float *c;
    int rows, columns;
    bool add;
    bool ahead; /* as many rows of A follow, and are wanted next */
};

/* What there is for each instruction set. NR is two vectors, and MR as many rows as the registers then allow. */
struct microkernels {
    int mr, lanes;

    /* Packs a block of A, k columns wide, in panels of MR rows; rows beyond the block become zeros. */
    void (*pack_a)(int64_t rows, int64_t k, const float *a, int64_t a_row, float *panels);
    /* Packs k rows of B, one or two vectors wide. `readable` floats may be read from `b` on. Columns beyond B hold what
     * happens to come next in memory: what is computed from them is not stored. */
    void (*pack_b)(int64_t k, int vectors, const float *b, int64_t b_row, int64_t readable, float *panel);

    void (*direct[MR_MAX][2])(const struct tile *t); /* A as it lies; by rows - 1 and vectors - 1 */
    void (*packed[2])(const struct tile *t);         /* computes MR rows, stores t->rows of them; by vectors - 1 */
};

/* By the order of isa_best(); NULL from the number on that there are. */
const struct microkernels *microkernels_of(int isa);

#endif
