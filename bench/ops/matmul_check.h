/* Is this C right? Two tests for a matmul rung's answer.
 *
 * Correct: |C - AB| <= gamma_k (|A||B|) + k eta, element by element, with gamma_k = k u / (1 - k u) and eta = 2^-149
 * for what underflows (N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.5). It holds for
 * any order of summation. On seeded input around zero the bound is 8 sqrt(k) u where that is less: the same model and
 * the same chance of a false alarm as in matmul_reference.c, without which zeros would pass for large k. TF32 rounds
 * each factor once too, which adds 2 u_tf32.
 *
 * Precise: on seeded input around zero, the root mean square of |C - AB| / (u |A||B|) is at most 4. Honest FP32 is near
 * 0.5, TF32 far above, so that a library which falls back to TF32 is caught; the worst-case bound alone would let it
 * pass. */
#ifndef RUNGBENCH_MATMUL_CHECK_H
#define RUNGBENCH_MATMUL_CHECK_H

#include "bench/table/op.h"
#include "matmul_reference.h"

#define MATMUL_PRECISE_RMS_LIMIT 4.0
enum { MATMUL_PRECISE_MIN_K = 16, MATMUL_PRECISE_MIN_ELEMENTS = 16 };

void matmul_check(const struct matmul_reference *reference, enum precision precision, const float *c,
                  struct check *check);

#endif
