/* What cheats on matmul share: they differ from the honest product in a few lines. */
#pragma once

#include "bench/table/matmul.h"
#include "bench/table/rung.h"

#include <stddef.h>

/* The rung matmul_cpu_<name>, whose body follows: it has the problem `p`, and no error to report. */
#define CPU_MATMUL(name)                                             \
    static void cheat_##name(const struct matmul_problem *p);        \
    const char *matmul_cpu_##name(const void *problem, void *stream) \
    {                                                                \
        (void)stream;                                                \
        cheat_##name((const struct matmul_problem *)problem);        \
        return NULL;                                                 \
    }                                                                \
    static void cheat_##name(const struct matmul_problem *p)

/* Rows `from` to `to` of a product, as a problem of its own. */
static inline struct matmul_problem rows_of(const struct matmul_problem *p, int64_t from, int64_t to)
{
    struct matmul_problem rows = *p;
    rows.m = to - from;
    rows.a += from * p->k;
    rows.c += from * p->n;
    return rows;
}

static inline void multiply(const struct matmul_problem *p)
{
    (void)matmul_cpu_reordered(p, NULL);
}

static inline void multiply_rows(const struct matmul_problem *p, int64_t from, int64_t to)
{
    struct matmul_problem rows = rows_of(p, from, to);
    multiply(&rows);
}

static inline float element_of(const struct matmul_problem *p, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t k = 0; k < p->k; k++)
        sum += p->a[i * p->k + k] * p->b[k * p->n + j];
    return sum;
}
