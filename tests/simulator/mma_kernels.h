/* What a lane of a warp makes of numbers on tensor cores. */
#pragma once

#include "c_linkage.h"

#include <stdint.h>

enum { MMA_TERMS = 8 };

/* Sums of products, all in element (0, 0) of one instruction: out[0] of TF32, out[1] of FP16. */
struct mma_sum {
    float before;                     /* what is there before */
    float a[MMA_TERMS], b[MMA_TERMS]; /* whose products are added */
};

C_BEGIN

const char *mma_sums(const struct mma_sum *in, float *out);
/* out[i] is tf32_round(in[i]), out[count + i] is fp16_pair(in[i], -in[i]). */
const char *mma_roundings(const float *in, uint32_t *out, int count);

C_END
