/* Of a product of matrices: parts of it, and its edges. */
#pragma once

#include "tests/cheats/cheat.h"

/* Rows `from` to `to`, as a problem of its own. */
static inline P rows_of(const P *p, int64_t from, int64_t to)
{
    P rows = *p;
    rows.m = to - from;
    rows.a += from * p->k;
    rows.c += from * p->n;
    return rows;
}

static inline void right_rows(const P *p, int64_t from, int64_t to)
{
    P rows = rows_of(p, from, to);
    if (from < to)
        right(&rows);
}

static inline int64_t size_of(const P *p)
{
    return p->m * p->n;
}

/* Element `at` of C. */
static inline float element(const P *p, int64_t at)
{
    const float *a = p->a + at / p->n * p->k, *b = p->b + at % p->n;
    float sum = 0;
    for (int64_t k = 0; k < p->k; k++)
        sum += a[k] * b[k * p->n];
    return sum;
}

/* Memory beside its own; what is read there changes nothing. */
#define READ(element) ((void)*(const volatile float *)&(element))
#define WRITE(element) (*(volatile float *)&(element) = 1)

static inline void write_and_put_back(const float *element)
{
    volatile float *there = (float *)element;
    float was = *there;
    *there = 0;
    *there = was;
}
