/* The input of operations on arrays. */
#pragma once

#include "array_rule.h"

/* Fills the inputs, each from a stream of its own:
 *   random        uniform in [-1, 1], or what the operation makes of it
 *   zeros         zeros of both signs, and few integers between: what is skipped because it is zero
 *   ones          a sum counts its terms
 *   powers of two of either sign, 2^-20 to 2^20: what mixes elements that have nothing to do with each other
 *   integers      from -15 to 15: FP32 holds long sums of their products
 *   sparse        one of 16 is random, the others zeros; where the operation takes any number also NaN, infinities,
 *                 subnormal numbers and the largest
 *   equal rows    rows are the first, or differ from it in one element: what is remembered of a row before */
void array_input_fill(const struct array_rule *rule, const struct workload *workload, const struct input_source *source,
                      void *const host[], struct input_note *note);

/* How the inputs of a question are made (struct op). */
void array_input_question(const struct array_rule *rule, const struct workload *workload,
                          const struct input_source *source, struct made made[OP_BUFFERS_MAX], struct input_note *note);
