/* A sum of FP32 numbers, or of products of two, in double precision, and how far an FP32 rung may be off.
 *
 * u = 2^-24 is the unit roundoff, k counts the terms t that are not zero.
 *
 * - All terms are multiples of some power of two q, and sum|t| <= 2^24 q: so is every partial sum, FP32 holds it, and
 *   the answer is exact in any order. Small integers are like that. Such input finds a term that is missing or comes
 *   twice, however long the sum.
 * - Else gamma_k sum|t|, gamma_k = k u / (1 - k u), in any order (N. Higham, "Accuracy and Stability of Numerical
 *   Algorithms", 2nd ed., section 4.2; with products, section 3.1), and 2^-149 for each product, which may underflow.
 * - For long sums that says little: of 2^24 terms, nothing. An operation's input that is not exact is random, and the
 *   order of a sum does not depend on it. A partial sum is then near |sum t| + sqrt(sum t^2) at most. Each addition
 *   rounds by up to u of one, in either direction, and so the errors add up like their squares: to less than
 *   8 u sqrt(k) (|sum t| + sqrt(sum t^2)), more than ten standard deviations of what is usual (N. Higham and T. Mary,
 *   "A New Approach to Probabilistic Rounding Error Analysis", 2019, has the model). The smaller bound counts. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* {0} is the empty sum. */
struct array_sum {
    double value;
    double magnitude, squares; /* sum|t|, sum t^2 */
    int64_t terms;             /* that are not zero */
    double quantum;            /* of all terms so far; meaningless if the sum may be rounded */
    bool is_rounded;
};

/* The largest power of two that a term, not zero, is a multiple of. */
static inline double array_sum_quantum(double term)
{
    int exponent;
    int64_t digits = (int64_t)ldexp(frexp(term, &exponent), 53);
    return ldexp((double)(digits & -digits), exponent - 53);
}

/* The term is finite: an FP32 number, or a product of two. */
static inline void array_sum_add(struct array_sum *sum, double term)
{
    if (term == 0)
        return;
    sum->value += term;
    sum->magnitude += fabs(term);
    sum->squares += term * term;
    sum->terms++;
    if (sum->is_rounded) /* and stays so */
        return;
    double quantum = array_sum_quantum(term);
    sum->quantum = sum->terms == 1 ? quantum : fmin(sum->quantum, quantum);
    sum->is_rounded = sum->quantum < 0x1p-149 || sum->magnitude > 0x1p24 * sum->quantum;
}

/* The most that an FP32 sum of these terms may be off, in any order; with fused multiply-adds or without. */
static inline double array_sum_bound(const struct array_sum *sum)
{
    if (!sum->is_rounded)
        return 0;
    const double unit = 0x1p-24, k = (double)sum->terms;
    double gamma = k * unit < 1 ? k * unit / (1 - k * unit) : INFINITY;
    double usual = 8 * unit * sqrt(k) * (fabs(sum->value) + sqrt(sum->squares));
    return fmin(gamma * sum->magnitude, usual) + k * 0x1p-149;
}
