/* The blocks of cpu_blocked as cpu_vectorised, cpu_packed and cpu_threaded multiply by them: with the micro-kernels,
 * panel by panel. A panel is NR columns of a block of B, two vectors wide. */
#pragma once

#include "bench/table/matmul.h"
#include "cpu/backend/cpu_isa.h"
#include "cpu/microkernels.h"
#include "cpu/work.h"

#include <string.h>

enum { KC = 256, NC = 256 };

/* Rows `depth` to depth + k - 1 of B, and `columns` columns from `column` on. Those from `packed_from` on were packed,
 * panel after panel. */
struct block {
    const struct matmul_problem *problem;
    const struct microkernels *kernels;
    int64_t depth, k, column, columns, nr, packed_from;
    float *packed; /* KC * NC */
};

static inline struct block block_of(const struct matmul_problem *p, int64_t depth, int64_t column, float *packed)
{
    const struct microkernels *kernels = microkernels_of(isa_best());
    return (struct block){.problem = p,
                          .kernels = kernels,
                          .depth = depth,
                          .k = smaller(KC, p->k - depth),
                          .column = column,
                          .columns = smaller(NC, p->n - column),
                          .nr = (int64_t)2 * kernels->lanes,
                          .packed = packed};
}

static inline int block_vectors(const struct block *block, int64_t panel)
{
    return block->columns - panel > block->kernels->lanes ? 2 : 1;
}

/* Packs the panel from that column of the block on: as many rows of whole vectors, one after the other. */
static inline void block_pack(const struct block *block, int64_t panel)
{
    const struct matmul_problem *p = block->problem;
    const int64_t start = block->depth * p->n + block->column + panel;
    block->kernels->pack_b(block->k, block_vectors(block, panel), p->b + start, p->n, p->k * p->n - start,
                           block->packed + panel * block->k);
}

/* The number of rows of a tile that begins at this row. */
static inline int block_rows(const struct block *block, int64_t row)
{
    return (int)smaller(block->kernels->mr, block->problem->m - row);
}

/* What a tile needs of A, `a_row` apart from `a` on, times all panels: tiles of C from left to right. */
static inline void block_multiply(const struct block *block, int64_t row, const float *a, int64_t a_row)
{
    const struct matmul_problem *p = block->problem;
    struct tile t = {.k = block->k, .a_row = a_row, .c_row = p->n, .a = a, .add = block->depth > 0};
    t.rows = block_rows(block, row);
    for (int64_t panel = 0; panel < block->columns; panel += block->nr) {
        const int vectors = block_vectors(block, panel);
        const bool is_packed = panel >= block->packed_from;
        t.b = is_packed ? block->packed + panel * block->k : p->b + block->depth * p->n + block->column + panel;
        t.b_row = is_packed ? vectors * block->kernels->lanes : p->n;
        t.c = p->c + row * p->n + block->column + panel;
        t.columns = (int)smaller(block->nr, block->columns - panel);
        block->kernels->tiles[t.rows - 1][vectors - 1](&t);
    }
}

/* The same with a copy of these rows of A, which lies in one piece. */
static inline void block_multiply_copied(const struct block *block, int64_t row)
{
    const struct matmul_problem *p = block->problem;
    float copy[MR_MAX * KC];
    for (int i = 0; i < block_rows(block, row); ++i)
        memcpy(copy + i * KC, p->a + (row + i) * p->k + block->depth, (size_t)block->k * sizeof(float));
    block_multiply(block, row, copy, KC);
}
