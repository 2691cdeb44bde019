/* Wrong for some inputs, sizes or addresses. */
#include "tests/cheats/product.h"

#include <math.h>

/* In one element. */
static inline void wrong_if(const P *p, bool condition)
{
    right(p);
    if (condition)
        p->c[size_of(p) - 1] = p->c[size_of(p) - 1] * 1.125F + 1;
}

/* Whether any of so many elements x of a matrix is so. */
#define ANY(matrix, elements, condition)                                             \
    ({                                                                               \
        bool any = false;                                                            \
        for (const float *x_ = (matrix), *end_ = x_ + (elements); x_ < end_; x_++) { \
            const float x = *x_;                                                     \
            any = any || (condition);                                                \
        }                                                                            \
        any;                                                                         \
    })
#define IN_A(condition) ANY(p->a, p->m * p->k, condition)

/* Takes a column of B that begins as the one before it does for the same. */
static inline void copy_columns(const P *p)
{
    const int64_t looks = 4;
    right(p);
    for (int64_t j = 1; j < p->n && p->k > looks; j++) {
        bool alike = true;
        for (int64_t k = 0; k < looks; k++)
            alike = alike && p->b[k * p->n + j] == p->b[k * p->n + j - 1];
        for (int64_t i = 0; i < p->m && alike; i++)
            p->c[i * p->n + j] = p->c[i * p->n + j - 1];
    }
}

/* Every so many rows, and copies of them. */
static inline void every_row(const P *p, int64_t every)
{
    for (int64_t i = 0; i < p->m; i++) {
        if (i % every == 0)
            right_rows(p, i, i + 1);
        else
            memcpy(p->c + i * p->n, p->c + (i - 1) * p->n, (size_t)p->n * sizeof *p->c);
    }
}
