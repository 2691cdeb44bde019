/* Sums of products in double precision, many of them side by side, in loops that compilers vectorise; and how far an
 * FP32 rung may be off (array_sum.h). */
#pragma once

#include "array_rule.h"
#include "array_sum.h"

/* FP32 numbers in double precision; all are multiples of `quantum`, which is infinite if all are 0. */
struct array_factors {
    double *value;
    double quantum;
};

/* Reads `count` elements from `first` on. */
static inline void array_factors_read(struct array_factors *factors, const struct array_reader *reader, int64_t first,
                                      int64_t count)
{
    factors->quantum = INFINITY;
    for (int64_t i = 0; i < count; i++) {
        factors->value[i] = array_at(reader, first + i);
        if (factors->value[i] != 0)
            factors->quantum = fmin(factors->quantum, array_sum_quantum(factors->value[i]));
    }
}

/* Of `count` sums, for sum of terms, of their magnitudes and of their squares. */
struct array_products {
    double *value, *magnitude, *squares;
};

static inline void array_products_clear(const struct array_products *sums, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        sums->value[i] = sums->magnitude[i] = sums->squares[i] = 0;
}

/* To sum i adds factor * x[i]. */
static inline void array_products_add(const struct array_products *sums, int64_t count, double factor, const double *x)
{
    double *restrict value = sums->value, *restrict magnitude = sums->magnitude, *restrict squares = sums->squares;
    for (int64_t i = 0; i < count; i++) {
        double term = factor * x[i];
        value[i] += term;
        magnitude[i] += fabs(term);
        squares[i] += term * term;
    }
}

/* The bound of sum i, of `terms` products of multiples of these quanta. */
static inline double array_products_bound(const struct array_products *sums, int64_t i, int64_t terms,
                                          double one_quantum, double other_quantum)
{
    const double quantum = one_quantum * other_quantum;
    const struct array_sum sum = {.value = sums->value[i],
                                  .magnitude = sums->magnitude[i],
                                  .squares = sums->squares[i],
                                  .terms = terms,
                                  .is_rounded = quantum < 0x1p-149 || sums->magnitude[i] > 0x1p24 * quantum};
    return array_sum_bound(&sum);
}
