/* Simulated tensor cores: a warp multiplies two small matrices. Which lane holds which elements: kernels/mma.h.
 *
 * Each element of d becomes d + sum of a b, all at once, so:
 * - Products are exact: two factors have 22 bits together.
 * - The products and the old d are aligned to the largest of them, and what lies below its last place as a float is cut
 *   off, without rounding. The sum is cut off to a float in the same way. Subnormal numbers count as any others.
 * - A sum with infinity or NaN is infinity or NaN, as by IEEE 754.
 *
 * NVIDIA does not say how its tensor cores add. M. Fasi, N. Higham, M. Mikaitis and S. Pranesh ("Numerical behavior of
 * NVIDIA tensor cores", PeerJ Computer Science 7:e330, 2021) find exact products, truncation and subnormal numbers on
 * three generations. The later ones keep a few bits below the last place while they add; here there are none, as on the
 * first one, and all products of an instruction are added in one go. So what is right here should not be less precise
 * on a card; it may well be more precise there, and other bits come out. Sums of products of FP8 keep 13 bits behind
 * the first one: DeepSeek-AI ("DeepSeek-V3 Technical Report", 2024, 3.5.2) found that Hopper keeps about 14 bits. */
#pragma once

#include "sim_launch.h"

SIM_C_BEGIN

enum sim_mma_format { SIM_MMA_TF32, SIM_MMA_FP16, SIM_MMA_BF16, SIM_MMA_S8, SIM_MMA_U8, SIM_MMA_E4M3, SIM_MMA_E5M2 };

/* d += a b, 16 x 8 from 16 x depth and depth x 8. All 32 lanes of the warp must come. d has four floats, or, of whole
 * numbers, four int32_t, whose sums are exact. */
void sim_mma(struct sim_place place, enum sim_mma_format format, unsigned depth, void *d, const uint32_t a[],
             const uint32_t b[]);

/* The factor in a part of a register, which holds so many: 1, 2 or 4. */
int sim_mma_parts(enum sim_mma_format format);
double sim_mma_value(enum sim_mma_format format, uint32_t bits, int part);

/* Puts what a lane holds of a factor's rows, whose columns every fourth lane has, of 8 rows by turns, where it is. */
enum { SIM_MMA_ROWS = 16, SIM_MMA_DEPTH_MAX = 32 };
void sim_mma_gather(enum sim_mma_format format, unsigned depth, const uint32_t registers[], unsigned lane,
                    double rows[][SIM_MMA_DEPTH_MAX]);

/* The same sum of an old d and the products of two rows along k. */
float sim_mma_sum(enum sim_mma_format format, const double a[], const double b[], unsigned depth, double d);

/* To the nearest with 11 significant bits, ties away from zero, as bits of a float. NaN becomes 0x7FFFFFFF. */
uint32_t sim_tf32_round(float x);

/* To the nearest FP16, ties to even. */
uint16_t sim_fp16_round(float x);

SIM_C_END
