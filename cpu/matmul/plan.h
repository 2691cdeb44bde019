/* How matmul_cpu_tuned.c cuts a problem: sizes of blocks, threads, packing buffers. */
#ifndef RUNGBENCH_MATMUL_PLAN_H
#define RUNGBENCH_MATMUL_PLAN_H

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
    int64_t depth;              /* rows of B packed at a time, in blocks of kc x nc */
    float *a_blocks, *b_blocks; /* one of A for each thread, those of B for all */
};

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* The size of even pieces of `size`, none larger than `limit`, in units of `unit`. */
static inline int64_t even_piece(int64_t size, int64_t limit, int64_t unit)
{
    return ceil_div(ceil_div(size, ceil_div(size, limit)), unit) * unit;
}

struct plan plan_make(const struct matmul_problem *p);

/* Packing buffers, kept from call to call. NULL, or what went wrong. */
const char *plan_reserve(struct plan *plan);

/* Threads form a grid over C. How many of them along the rows leave the least work to the one that has most? */
int plan_threads_along_rows(int threads, int64_t row_units, int64_t panels);

#endif
