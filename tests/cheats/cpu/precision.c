/* Products that are less precise than FP32, everywhere or for some sizes. */
#include "tests/cheats/cheat.h"

#include <string.h>

/* Factors of fewer bits: the product of what is left of them. */
static float keep_bits(float x, int bits)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    uint32_t dropped = 24U - (uint32_t)bits;
    word += UINT32_C(1) << (dropped - 1);
    word &= ~((UINT32_C(1) << dropped) - 1);
    memcpy(&x, &word, sizeof x);
    return x;
}

static void multiply_with_bits(const struct matmul_problem *p, int bits)
{
    for (int64_t i = 0; i < p->m; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            float sum = 0;
            for (int64_t k = 0; k < p->k; k++)
                sum += keep_bits(p->a[i * p->k + k], bits) * keep_bits(p->b[k * p->n + j], bits);
            p->c[i * p->n + j] = sum;
        }
    }
}

CPU_MATMUL(bits_22)
{
    multiply_with_bits(p, 22);
}

CPU_MATMUL(bits_20)
{
    multiply_with_bits(p, 20);
}

CPU_MATMUL(tf32)
{
    multiply_with_bits(p, 11);
}

CPU_MATMUL(fp16_sums)
{
    for (int64_t i = 0; i < p->m; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            float sum = 0;
            for (int64_t k = 0; k < p->k; k++)
                sum = keep_bits(sum + p->a[i * p->k + k] * p->b[k * p->n + j], 11);
            p->c[i * p->n + j] = sum;
        }
    }
}

/* Three products of bfloat16 halves: 16 bits of each factor. */
CPU_MATMUL(bf16x3)
{
    for (int64_t i = 0; i < p->m; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            float sum = 0;
            for (int64_t k = 0; k < p->k; k++) {
                float a = p->a[i * p->k + k], b = p->b[k * p->n + j];
                float a_high = keep_bits(a, 8), b_high = keep_bits(b, 8);
                float a_low = keep_bits(a - a_high, 8), b_low = keep_bits(b - b_high, 8);
                sum += a_high * b_high + (a_high * b_low + a_low * b_high);
            }
            p->c[i * p->n + j] = sum;
        }
    }
}

/* Only where K is large are the factors short. */
CPU_MATMUL(tf32_if_deep)
{
    if (p->k > 784)
        multiply_with_bits(p, 11);
    else
        multiply(p);
}

CPU_MATMUL(bits_18_if_deep)
{
    if (p->k > 250)
        multiply_with_bits(p, 18);
    else
        multiply(p);
}
