/* Dot products of a row of A and a column of B: FP32 sums in several orders, and other arithmetic, some of it as
 * precise as these, some not. */
#pragma once

#include <stdint.h>

typedef float dot(const float *a, const float *b, int64_t k);
dot forwards, backwards, in_eight_lanes, in_double;

extern dot *const orders[];
enum { ORDERS = 8 };

/* Positive products first: the order of FP32 sums that loses most. */
dot positives_first;

/* Factors split in parts. A tensor core adds eight products and truncates; `in_one_chain` adds all parts of all
 * products in this way, `in_short_chains` eight products only, which FP32 additions sum up. */
dot three_tf32, three_tf32_in_one_chain, three_tf32_in_short_chains, nine_bf16;

/* Not FP32: parts left out or truncated, factors of 22 bits, accumulators that truncate or have fewer bits. */
dot three_tf32_truncated, three_bf16, factors_of_22_bits, truncated_factors_of_22_bits;
dot truncating_accumulator, accumulator_of_22_bits, accumulator_of_11_bits;

/* A factor with fewer bits: rounded to nearest, or truncated, as tensor cores do with what was not converted. */
float rounded_to(float x, int bits);
typedef float rounding(float x);
rounding unrounded, tf32_nearest, tf32_truncated, bf16_nearest, bf16_truncated;
