/* The inner loops of products of matrices in tuned CPU rungs: tiles of C in registers, per instruction set. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    MR_MAX = 14,
    NR_MAX = 32,
    LINE_FLOATS = 16, /* per cache line */
};

/* C[rows, columns] = A B, or += if `add`. Rows of A are `a_row` apart, or `a` is a packed panel; `b` is a packed panel.
 */
struct tile {
    int64_t k, a_row, c_row;
    const float *a, *b;
    float *c;
    int rows, columns;
    bool add;
    bool ahead; /* as many rows of A follow: prefetch them */
};

/* Per instruction set. NR is two vectors, MR is as many rows as the registers then allow. */
struct microkernels {
    int mr, lanes;

    /* Packs a block of A, k columns wide, in panels of MR rows. Rows beyond the block become zeros. */
    void (*pack_a)(int64_t rows, int64_t k, const float *a, int64_t a_row, float *panels);
    /* Packs k rows of B, one or two vectors wide. `readable` floats may be read from `b` on. Columns beyond B get
     * whatever follows in memory; their results are not stored. */
    void (*pack_b)(int64_t k, int vectors, const float *b, int64_t b_row, int64_t readable, float *panel);

    void (*direct[MR_MAX][2])(const struct tile *t); /* A in place; index: rows - 1, vectors - 1 */
    void (*packed[2])(const struct tile *t);         /* MR rows, of which t->rows are stored; index: vectors - 1 */
};

/* `isa`: a number of isa_best(). NULL: there are fewer. */
const struct microkernels *microkernels_of(int isa);
