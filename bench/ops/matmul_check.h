/* Is this C correct? Two tests for the answer of a matmul rung.
 *
 * Correct: |C - AB| <= gamma_k (|A||B|) + k eta for every element, with gamma_k = k u / (1 - k u), and eta = 2^-149 for
 * underflow (N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.5). The bound holds for
 * any order of summation. On seeded input with mean 0, gamma_k is replaced by 8 sqrt(k) u where that is smaller, or a C
 * of zeros would pass for large k. The model and the probability of a false alarm are those of matmul_reference.c. TF32
 * also rounds each factor once, which adds 2 u_tf32.
 *
 * Precise: on seeded input with mean 0, the root mean square of |C - AB| / (u |A||B|) is at most 4. Real FP32 is near
 * 0.5 and TF32 far above 4, so this test catches a library that silently uses TF32. The bound alone would not. */
#pragma once

#include "bench/table/op.h"
#include "matmul_reference.h"

#define MATMUL_PRECISE_RMS_LIMIT 4.0
enum { MATMUL_PRECISE_MIN_K = 16, MATMUL_PRECISE_MIN_ELEMENTS = 16 };

void matmul_check(const struct matmul_reference *reference, enum precision precision, const float *c,
                  struct check *check);
