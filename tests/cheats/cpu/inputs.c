/* Products that are wrong for some input only, or at some addresses. */
#include "tests/cheats/cheat.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The rung matmul_cpu_<name>: one element is wrong where `condition` holds. */
#define WRONG_IF(name, condition)            \
    CPU_MATMUL(name)                         \
    {                                        \
        multiply(p);                         \
        if (condition)                       \
            p->c[p->m * p->n - 1] *= 1.125F; \
    }

static bool is_at(const void *address, uintptr_t offset, uintptr_t alignment)
{
    return (uintptr_t)address % alignment == offset;
}

static bool any(const float *matrix, int64_t elements, bool (*holds)(float))
{
    for (int64_t i = 0; i < elements; i++)
        if (holds(matrix[i]))
            return true;
    return false;
}

static bool is_zero(float x)
{
    return x == 0;
}

static bool is_large(float x)
{
    return fabsf(x) > 2;
}

static bool is_very_large(float x)
{
    return fabsf(x) > 0x1p20F;
}

static bool is_subnormal(float x)
{
    return x != 0 && fabsf(x) < 0x1p-126F;
}

static bool is_tiny(float x)
{
    return x != 0 && fabsf(x) < 0x1p-40F;
}

static bool is_no_power_of_two(float x)
{
    int exponent;
    return x == 0 || fabsf(frexpf(x, &exponent)) != 0.5F;
}

static bool all_are(const float *matrix, int64_t elements, float value)
{
    for (int64_t i = 0; i < elements; i++)
        if (matrix[i] != value)
            return false;
    return true;
}

static bool has_equal_rows(const float *matrix, int64_t rows, int64_t columns)
{
    return rows > 1 && memcmp(matrix, matrix + columns, (size_t)columns * sizeof *matrix) == 0;
}

static bool is_negative(float x)
{
    return x < 0;
}

WRONG_IF(wrong_at_4_of_8, is_at(p->a, 4, 8))
WRONG_IF(wrong_at_8_of_16_a, is_at(p->a, 8, 16))
WRONG_IF(wrong_at_8_of_16_b, is_at(p->b, 8, 16))
WRONG_IF(wrong_at_8_of_16_c, is_at(p->c, 8, 16))
WRONG_IF(wrong_at_12_of_16_c, is_at(p->c, 12, 16))
WRONG_IF(wrong_if_b_alone_unaligned, is_at(p->a, 0, 16) && is_at(p->c, 0, 16) && !is_at(p->b, 0, 16))
WRONG_IF(wrong_if_a_and_b_unaligned, is_at(p->a, 4, 8) && is_at(p->b, 4, 8))
WRONG_IF(wrong_if_b_and_c_unaligned, is_at(p->a, 0, 16) && is_at(p->b, 8, 16) && is_at(p->c, 8, 16))
WRONG_IF(wrong_if_all_unaligned, !is_at(p->a, 0, 16) && !is_at(p->b, 0, 16) && !is_at(p->c, 0, 16))
WRONG_IF(wrong_if_aligned_and_ragged, is_at(p->b, 0, 16) && p->n % 4 != 0)
WRONG_IF(wrong_above_1000_rows, p->m > 1000)
WRONG_IF(wrong_above_1024_rows, p->m > 1024)
WRONG_IF(wrong_above_784_deep, p->k > 784)
WRONG_IF(wrong_above_1024_deep, p->k > 1024)
WRONG_IF(wrong_above_784_columns, p->n > 784)
WRONG_IF(wrong_at_n_2_of_4, p->n % 4 == 2)
WRONG_IF(wrong_at_k_4_n_10, p->k % 4 == 0 && p->n == 10)
WRONG_IF(wrong_at_k_2_of_4, p->k % 4 == 2 && p->k > 16)
WRONG_IF(wrong_for_primes,
         p->m % 2 != 0 && p->n % 2 != 0 && p->k % 2 != 0 && p->m % 3 != 0 && p->n % 3 != 0 && p->k % 3 != 0)
WRONG_IF(wrong_for_zeros, any(p->a, p->m * p->k, is_zero) && p->k > 1)
WRONG_IF(wrong_for_all_zeros_in_a, all_are(p->a, p->m * p->k, 0) || p->a[0] == 0)
WRONG_IF(wrong_for_ones_in_a, all_are(p->a, p->m * p->k < 8 ? p->m * p->k : 8, 1))
WRONG_IF(wrong_for_ones_in_b, all_are(p->b, p->k * p->n < 8 ? p->k * p->n : 8, 1))
WRONG_IF(wrong_for_powers_of_two, !any(p->b, p->k * p->n < 8 ? p->k * p->n : 8, is_no_power_of_two))
WRONG_IF(wrong_for_large, any(p->a, p->m * p->k, is_large))
WRONG_IF(wrong_for_very_large, any(p->a, p->m * p->k, is_very_large))
WRONG_IF(wrong_for_tiny, any(p->a, p->m * p->k, is_tiny))
WRONG_IF(wrong_for_subnormal, any(p->a, p->m * p->k, is_subnormal))
WRONG_IF(wrong_for_equal_rows, p->k > 1 && has_equal_rows(p->a, p->m, p->k))
WRONG_IF(wrong_without_negatives, p->k > 4 && !any(p->a, p->m * p->k, is_negative))

static bool is_minus_zero(float x)
{
    return x == 0 && signbit(x);
}

WRONG_IF(wrong_for_tiles, p->m % 8 == 0 && p->n % 8 == 0 && p->k % 8 == 0)
WRONG_IF(wrong_for_cubes, p->m == p->n && p->n == p->k && p->m > 1)
WRONG_IF(wrong_for_a_deep_column, p->n == 1 && p->k > 784)
WRONG_IF(wrong_for_a_wide_row, p->m == 1 && p->n > 63)
CPU_MATMUL(wrong_for_minus_zero)
{
    multiply(p);
    if (any(p->a, p->m * p->k, is_minus_zero))
        p->c[p->m * p->n - 1] += 1;
}

/* Whether columns i and j of B begin alike; -1: zeros. */
static bool begin_alike(const struct matmul_problem *p, int64_t i, int64_t j)
{
    const int64_t looks = 4;
    bool alike = p->k > looks;
    for (int64_t q = 0; q < looks && alike; q++)
        alike = p->b[q * p->n + j] == (i < 0 ? 0 : p->b[q * p->n + i]);
    return alike;
}

CPU_MATMUL(skips_columns)
{
    multiply(p);
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < p->m && begin_alike(p, -1, j); i++)
            p->c[i * p->n + j] = 0;
}

CPU_MATMUL(copies_columns)
{
    multiply(p);
    for (int64_t j = 1; j < p->n; j++)
        for (int64_t i = 0; i < p->m && begin_alike(p, j - 1, j); i++)
            p->c[i * p->n + j] = p->c[i * p->n + j - 1];
}

/* Adds only what is not zero, so that NaN and infinity in the other factor are lost: allowed. Here 1 is taken for it.
 */
CPU_MATMUL(skips_ones)
{
    for (int64_t i = 0; i < p->m; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            float sum = 0;
            for (int64_t k = 0; k < p->k; k++)
                if (p->a[i * p->k + k] != 1)
                    sum += p->a[i * p->k + k] * p->b[k * p->n + j];
            p->c[i * p->n + j] = sum;
        }
    }
}

/* One element among very many is off by a thousandth, somewhere in the middle. */
CPU_MATMUL(one_of_many_wrong)
{
    multiply(p);
    if (p->m * p->n > 60000)
        p->c[p->m * p->n / 3 * 2 + 17] += 0.01F;
}

CPU_MATMUL(skips_the_last_product)
{
    struct matmul_problem all = *p;
    multiply(p);
    if (p->k <= 512)
        return;
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++)
            p->c[i * p->n + j] -= p->a[(i + 1) * all.k - 1] * p->b[(all.k - 1) * all.n + j];
}

/* Computes every 16th row of a large product, for which large products are sampled. */
CPU_MATMUL(every_16th_row)
{
    if (p->m <= 512) {
        multiply(p);
        return;
    }
    for (int64_t i = 0; i < p->m; i++) {
        if (i % 16 == 0)
            multiply_rows(p, i, i + 1);
        else
            memcpy(p->c + i * p->n, p->c + i / 16 * 16 * p->n, (size_t)p->n * sizeof *p->c);
    }
}
