/* Is this C correct? Tests for the answer of a matmul rung. u is the unit roundoff: 2^-24 for FP32, 2^-11 for TF32.
 * docs/precision.md has the measurements behind the constants.
 *
 * Exact: if FP32 holds every partial sum of the input (struct input_note), C = AB.
 *
 * Correct: |C - AB| <= (gamma_k + 12 u) (|A||B|) + k eta for every element, with gamma_k = k u / (1 - k u), and
 * eta = 2^-149 for underflow (N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.5). The
 * bound holds for any order of summation. 12 u let tensor cores multiply factors that are split in parts. On seeded
 * input with mean 0, gamma_k is replaced by 8 sqrt(k) u where that is smaller, or a C of zeros would pass for large k.
 * The model and the probability of a false alarm are those of matmul_reference.c. TF32 also rounds each factor once,
 * which adds 2 u_tf32.
 *
 * Precise: on seeded input with mean 0, the root mean square of |C - AB| / (u |A||B|) is at most
 * matmul_rms_limit(). FP32 sums are near 0.5, so this finds factors of 22 bits where k is small, accumulators that
 * truncate, and a library that silently uses TF32. The bound alone would not.
 *
 * Where the reference has only some of the rows, Freivalds' check applies the last two to all others, row by row. */
#pragma once

#include "bench/table/op.h"
#include "matmul_reference.h"

enum { MATMUL_PRECISE_MIN_ELEMENTS = 16 };

/* Of rows x n elements that are known. */
double matmul_rms_limit(enum precision precision, int64_t k, int64_t rows, int64_t n);

/* Of elements chosen at random; if not `dense`, of sharp factors (sharp.h), whose errors are those of few products, in
 * units of u times the sum of |a b|. */
double matmul_rms_limit_of_elements(struct matmul_product product, enum precision precision, int64_t elements,
                                    bool dense);

/* As in struct op, of a struct matmul_reference; the buffers are A, B and C. */
void matmul_check(const void *reference, enum precision precision, void *const outputs[], struct check *check);
