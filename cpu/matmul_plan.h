/* How matmul_cpu_tuned.c cuts a problem: sizes of blocks, threads, packing buffers. */
#ifndef RUNGBENCH_MATMUL_PLAN_H
#define RUNGBENCH_MATMUL_PLAN_H

#include "matmul.h"
#include "matmul_microkernels.h"

#include <assert.h>
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MC = 336,          /* rows of a block of A */
    KC = 384,          /* its columns, and the rows of a block of B */
    NC = 4096,         /* columns of a block of B */
    BLOCKS = 6,        /* of B, packed at a time; then threads need not wait for each other between them */
    WHOLE_B = 1 << 17, /* elements of B that the second-level cache keeps without cutting K */
    DIRECT_PANELS = 8, /* up to so many panels of B, A is not packed */
    FLOP_PER_THREAD = 2000000,
    CACHE_LINE = 64,
};
static_assert(MC % 6 == 0 && MC % 14 == 0, "a block of A is a whole number of panels for each MR");
static_assert(NC % NR_MAX == 0, "a block of B is a whole number of panels");

struct plan {
    const struct matmul_problem *problem;
    const struct microkernels *kernels;
    bool direct; /* A is not packed */
    int threads;
    int64_t nr, kc, nc;
    int64_t depth;              /* rows of B packed at a time, in blocks of kc x nc */
    float *a_blocks, *b_blocks; /* one of A for each thread, those of B for all */
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* The size of even pieces of `size`, none larger than `limit`, in units of `unit`. */
static int64_t even_piece(int64_t size, int64_t limit, int64_t unit)
{
    return ceil_div(ceil_div(size, ceil_div(size, limit)), unit) * unit;
}

static struct plan make_plan(const struct matmul_problem *p)
{
    struct plan plan = {.problem = p, .kernels = choose_microkernels()};
    plan.nr = 2 * plan.kernels->lanes;
    plan.direct = p->m <= 2 * plan.kernels->mr || p->n <= DIRECT_PANELS * plan.nr;
    bool whole = plan.direct && p->k <= WHOLE_B / smaller(p->n, WHOLE_B);
    plan.kc = whole ? p->k : even_piece(p->k, KC, 1);
    plan.nc = even_piece(p->n, NC, plan.nr);
    plan.depth = plan.direct ? plan.kc : smaller(BLOCKS * plan.kc, p->k);
    int available = omp_get_max_threads();
    double wanted = 1 + 2.0 * (double)p->m * (double)p->n * (double)p->k / FLOP_PER_THREAD;
    plan.threads = wanted < available ? (int)wanted : available;
    return plan;
}

/* Packing buffers, kept from call to call. */
static const char *reserve(struct plan *plan)
{
    static float *memory;
    static size_t capacity;
    static char error[96];

    size_t b_floats = (size_t)plan->depth * (size_t)plan->nc;
    size_t a_floats = plan->direct ? 0 : (size_t)plan->threads * MC * (size_t)plan->kc;
    size_t bytes = ((b_floats + a_floats) * sizeof(float) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    if (bytes > capacity) {
        free(memory);
        memory = aligned_alloc(CACHE_LINE, bytes);
        capacity = memory == NULL ? 0 : bytes;
    }
    if (memory == NULL) {
        snprintf(error, sizeof error, "matmul cpu_tuned: no memory for %zu bytes of packed blocks", bytes);
        return error;
    }
    plan->b_blocks = memory;
    plan->a_blocks = memory + b_floats;
    return NULL;
}

/* Threads form a grid over C. How many of them along the rows leave the least work to the one that has most? The panel
 * that is added stands for what rows cost however few columns they meet: A is read, and packed. */
static int threads_along_rows(int threads, int64_t row_units, int64_t panels)
{
    int best = 1;
    double best_cost = 0;
    for (int along = 1; along <= threads; ++along) {
        if (threads % along != 0)
            continue;
        double cost = (double)ceil_div(row_units, along) * (double)(ceil_div(panels, threads / along) + 1);
        if (best_cost == 0 || cost <= best_cost) {
            best_cost = cost;
            best = along;
        }
    }
    return best;
}

#endif
