/* The inner loops of products of matrices in tuned CPU rungs: parts of C in registers, per instruction set. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    MR_MAX = 14,
    NR_MAX = 64,
    WIDE_ROWS = 3, /* tiles of so few rows, or fewer, may be so many vectors wide */
    WIDE_VECTORS = 4,
    DOT_COLUMNS = 4,
    OUTER_DEPTH = 4,
    FEW_SUMS = 6,     /* vectors: two multiply-add units of four cycles are busy with eight */
    LINE_FLOATS = 16, /* per cache line */
};

/* C[rows, columns] = A B, or += if `add`. Rows of A, B and C are `a_row`, `b_row` and `c_row` apart. */
struct tile {
    int64_t k, a_row, b_row, c_row;
    const float *a, *b, *rest;
    float *c;
    int rows, columns;
    int rest_rows; /* so many last rows of B lie in `rest`, packed: whole vectors may not be read from `b` there */
    bool add;
    int64_t whole_rows; /* the last vectors of so many rows may be stored whole: what they reach into is stored later */
    int64_t stacked;    /* tiles, for a stack */
    const float *next;  /* as many rows of A as these, `next_row` apart, which come next: prefetch them; or NULL */
    int64_t next_row;
    int64_t b_ahead; /* so many floats ahead B is prefetched */
};

/* Per instruction set. NR is two vectors, MR is as many rows as the registers then allow. With few rows, elements of A
 * serve more of B if NR is WIDE_VECTORS. */
struct microkernels {
    int mr, lanes, dot_rows;

    /* Packs k rows of B, so many vectors wide. `readable` floats may be read from `b` on. Columns beyond B get
     * whatever follows in memory; their results are not stored. */
    void (*pack_b)(int64_t k, int vectors, const float *b, int64_t b_row, int64_t readable, float *panel);

    /* Vectors lie along rows of B and of C. Index: rows - 1, vectors - 1: up to two, or WIDE_VECTORS for few rows. */
    void (*tiles[MR_MAX][WIDE_VECTORS])(const struct tile *t);
    /* Tiles of MR rows behind each other, for a short k. Index: vectors - 1. */
    void (*stacks[2])(const struct tile *t);
    /* Any number of rows, for a k of up to OUTER_DEPTH; B packed, nothing added. Index: k - 1, vectors - 1. */
    void (*outers[OUTER_DEPTH][2])(const struct tile *t);
    /* Vectors lie along k, for a C of few columns. B is transposed: `b_row` apart are its columns, each with zeros up
     * to a whole vector. Index: dot_rows instead of one row, columns - 1. */
    void (*dots[2][DOT_COLUMNS])(const struct tile *t);
};

/* `isa`: a number of isa_best(). NULL: there are fewer. */
const struct microkernels *microkernels_of(int isa);
