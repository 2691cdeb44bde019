/* Dot products in other arithmetic than FP32 sums of FP32 products: some as precise as these, some not. */
#pragma once

#include "matmul_problem.h"

/* Positive products first: the order of FP32 sums that loses most. */
dot positives_first;

/* Factors split in parts. A tensor core adds eight products and truncates; `in_one_chain` adds all parts of all
 * products in this way, `in_short_chains` eight products only, which FP32 additions sum up. */
dot three_tf32, three_tf32_in_one_chain, three_tf32_in_short_chains, nine_bf16;

/* Not FP32: parts left out or truncated, factors of 22 bits, accumulators that truncate or have fewer bits. */
dot three_tf32_truncated, three_bf16, factors_of_22_bits, truncated_factors_of_22_bits;
dot truncating_accumulator, accumulator_of_22_bits, accumulator_of_11_bits;

/* x with so many significant bits: rounded to nearest, or truncated. */
float rounded_to(float x, int bits);
float truncated_to(float x, int bits);
rounding bf16_nearest;
