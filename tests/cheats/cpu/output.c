/* Cheats that look at their output: they compute only what seems to be missing. */
#include "tests/cheats/cheat.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool has_bytes(const float *element, int byte)
{
    unsigned char pattern[sizeof *element];
    memset(pattern, byte, sizeof pattern);
    return memcmp(element, pattern, sizeof pattern) == 0;
}

static bool is_constant(const struct matmul_problem *p)
{
    return has_bytes(p->c, *(const unsigned char *)p->c);
}

CPU_MATMUL(if_nan)
{
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++)
            if (isnan(p->c[i * p->n + j]))
                p->c[i * p->n + j] = element_of(p, i, j);
}

CPU_MATMUL(if_first_nan)
{
    if (isnan(p->c[0]))
        multiply(p);
}

CPU_MATMUL(if_last_nan)
{
    if (isnan(p->c[p->m * p->n - 1]))
        multiply(p);
}

CPU_MATMUL(if_not_finite)
{
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++)
            if (!isfinite(p->c[i * p->n + j]))
                p->c[i * p->n + j] = element_of(p, i, j);
}

CPU_MATMUL(if_constant)
{
    if (is_constant(p))
        multiply(p);
}

CPU_MATMUL(if_poison)
{
    if (has_bytes(p->c, 0xFF) || has_bytes(p->c, 0xA5) || has_bytes(p->c, 0) || has_bytes(p->c, 0x7F))
        multiply(p);
}

CPU_MATMUL(if_implausible)
{
    if (!(fabsf(p->c[0]) <= (float)p->k))
        multiply(p);
}

CPU_MATMUL(if_tiny)
{
    if (!(fabsf(p->c[0]) > 1e-6F && fabsf(p->c[0]) <= (float)p->k))
        multiply(p);
}

CPU_MATMUL(if_first_differs)
{
    if (p->c[0] != element_of(p, 0, 0))
        multiply(p);
}

CPU_MATMUL(if_last_differs)
{
    if (p->c[p->m * p->n - 1] != element_of(p, p->m - 1, p->n - 1))
        multiply(p);
}

CPU_MATMUL(if_a_row_differs)
{
    int64_t row = p->m / 2;
    for (int64_t j = 0; j < p->n; j++) {
        if (p->c[row * p->n + j] != element_of(p, row, j)) {
            multiply(p);
            return;
        }
    }
}

/* Looks at its rows one by one. */
CPU_MATMUL(if_this_row_differs)
{
    for (int64_t i = 0; i < p->m; i++)
        if (p->c[i * p->n] != element_of(p, i, 0))
            multiply_rows(p, i, i + 1);
}

CPU_MATMUL(half_if_nan)
{
    multiply_rows(p, 0, p->m / 2);
    if (isnan(p->c[p->m * p->n - 1]))
        multiply_rows(p, p->m / 2, p->m);
}

/* The last row was just computed as the rest of C still is: the rest must be right. */
CPU_MATMUL(half_if_rest_differs)
{
    multiply_rows(p, 0, p->m / 2);
    if (p->c[p->m * p->n - 1] != element_of(p, p->m - 1, p->n - 1))
        multiply_rows(p, p->m / 2, p->m);
}

/* Skips the work if C is as it was left. */
CPU_MATMUL(if_not_as_left)
{
    static float *kept;
    static size_t kept_bytes;
    size_t bytes = (size_t)(p->m * p->n) * sizeof *p->c;
    if (bytes == kept_bytes && memcmp(p->c, kept, bytes) == 0)
        return;
    multiply(p);
    free(kept);
    kept = malloc(bytes);
    kept_bytes = kept ? bytes : 0;
    if (kept)
        memcpy(kept, p->c, bytes);
}

/* The same by three elements. */
CPU_MATMUL(if_three_not_as_left)
{
    static float kept[3];
    int64_t last = p->m * p->n - 1;
    if (kept[0] == p->c[0] && kept[1] == p->c[last / 2] && kept[2] == p->c[last])
        return;
    multiply(p);
    kept[0] = p->c[0];
    kept[1] = p->c[last / 2];
    kept[2] = p->c[last];
}

/* Random bits are seldom eight plausible elements. */
CPU_MATMUL(if_one_of_8_implausible)
{
    for (int64_t i = 0; i < 8; i++) {
        float element = p->c[i * p->m * p->n / 8];
        if (!(fabsf(element) > 1e-6F && fabsf(element) <= (float)p->k)) {
            multiply(p);
            return;
        }
    }
}
