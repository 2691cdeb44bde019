/* How tuned.c cuts a problem: sizes of blocks, threads, packing buffers. */
#pragma once

#include "bench/base/ceil_div.h"
#include "bench/table/matmul.h"
#include "microkernels.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    MC = 336, /* rows of a block of A */
};

struct plan {
    const struct matmul_problem *problem;
    const struct microkernels *kernels;
    bool direct; /* A is not packed */
    int threads;
    int64_t nr, kc, nc;
    int64_t depth;              /* rows of B that are packed at a time, in blocks of kc x nc */
    float *a_blocks, *b_blocks; /* a block of A per thread; the blocks of B are shared */
};

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Cuts `size` into even pieces of at most `limit`: the size of a piece, rounded up to a multiple of `unit`. */
static inline int64_t even_piece(int64_t size, int64_t limit, int64_t unit)
{
    return ceil_div(ceil_div(size, ceil_div(size, limit)), unit) * unit;
}

struct plan plan_make(const struct matmul_problem *p);

/* Allocates the packing buffers, which are kept for later calls. NULL, or what went wrong. */
const char *plan_reserve(struct plan *plan);

/* Threads form a grid over C. How many threads along the rows leave the least work to the busiest thread? */
int plan_threads_along_rows(int threads, int64_t row_units, int64_t panels);
