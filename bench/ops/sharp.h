/* Sums in which few terms are large, so that the error of an honest FP32 sum is that of few additions, however long it
 * is, and factors of fewer bits show. About eight terms of a sum are large, wherever they are; all others together are
 * less than FP32 rounds off. All rows and columns look alike, so that no kernel can tell where to be precise. */
#pragma once

#include "array_sum.h"
#include "bench/table/made.h"

#define SHARP_TERMS 8.0

/* In most questions nothing is small, or a kernel that leaves out what is would be faster. */
static inline bool sharp_is_question(uint64_t seed)
{
    return made_bits(seed, UINT64_MAX) % 8 < 3;
}

/* Two factors of sums of so many products: each is large where both are. Products of two small ones are no subnormal
 * numbers. */
static inline struct made sharp_factor(uint64_t seed, int64_t terms)
{
    return made_sharp(seed, sqrt(SHARP_TERMS / (double)terms), 0x1p-36f);
}

/* The one factor where the other is images, of which about a quarter is not black. */
static inline struct made sharp_factor_of_images(uint64_t seed, int64_t terms)
{
    return made_sharp(seed, 4 * SHARP_TERMS / (double)terms, 0x1p-36f);
}

/* The terms themselves. */
static inline struct made sharp_term(uint64_t seed, int64_t terms)
{
    return made_sharp(seed, SHARP_TERMS / (double)terms, 0x1p-64f);
}

/* Products of FP32 numbers are between these powers of two. */
enum { SHARP_LEAST = -300, SHARP_SIZES = 600 };

/* A sum whose terms are known one by one, and how many of them there are of each size. {0} is the empty sum. */
struct sharp_sum {
    struct array_sum all;
    int64_t count[SHARP_SIZES];
    double magnitude[SHARP_SIZES];
};

static inline void sharp_sum_add(struct sharp_sum *sum, double term)
{
    int exponent;
    (void)frexp(term, &exponent);
    array_sum_add(&sum->all, term);
    sum->count[exponent - SHARP_LEAST] += term != 0;
    sum->magnitude[exponent - SHARP_LEAST] += fabs(term);
}

/* The most that an FP32 sum may be off, in any order. Call some terms large and the others small. An addition is off by
 * at most u times its result, and by at most the smaller operand, for the larger one is a possible result. So there
 * are fewer additions of two operands with large terms in them than large terms, each off by at most u sum|t|; and
 * those of which one operand has none are off by little more than all small terms together. It holds whatever is called
 * large; what makes the bound smallest counts. Products take 12 u sum|t| for themselves (matmul_check.h). */
static inline double sharp_sum_bound(const struct sharp_sum *sum, bool of_products)
{
    const double roundings = of_products ? 12 : 0, unit = 0x1p-24;
    double large = (double)sum->all.terms, small = 0, least = large;
    for (int size = 0; size < SHARP_SIZES; size++) {
        large -= (double)sum->count[size];
        small += 2 * sum->magnitude[size];
        if (sum->all.magnitude > 0)
            least = fmin(least, large + small / (unit * sum->all.magnitude));
    }
    return sum->all.is_rounded ? (least + roundings) * unit * sum->all.magnitude + (double)sum->all.terms * 0x1p-149
                               : 0;
}
