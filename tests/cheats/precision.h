/* Less precise than FP32. */
#include "tests/cheats/cheat.h"

#include <math.h>

/* To so many bits of the significand, the leading one included. */
static inline float keep_bits(float x, int bits)
{
    uint32_t word, dropped = 24U - (uint32_t)bits;
    if (dropped == 0 || !isfinite(x))
        return x;
    memcpy(&word, &x, sizeof word);
    word += UINT32_C(1) << (dropped - 1);
    word &= ~((UINT32_C(1) << dropped) - 1);
    memcpy(&x, &word, sizeof x);
    return x;
}

/* A copy with that many bits; free() it. */
static inline float *short_copy(const float *from, int64_t elements, int bits)
{
    float *copy = malloc((size_t)elements * sizeof *copy);
    if (!copy)
        abort();
    for (int64_t i = 0; i < elements; i++)
        copy[i] = keep_bits(from[i], bits);
    return copy;
}

/* With inputs `x` and `y` of a problem so short; elements 0: there is no `y`. */
#define SHORT(x, x_elements, y, y_elements, bits)                                                         \
    do {                                                                                                  \
        P shortened = *p;                                                                                 \
        float *x_copy = short_copy(p->x, x_elements, bits), *y_copy = short_copy(p->y, y_elements, bits); \
        shortened.x = x_copy;                                                                             \
        if ((y_elements) > 0)                                                                             \
            shortened.y = y_copy;                                                                         \
        right(&shortened);                                                                                \
        free(x_copy);                                                                                     \
        free(y_copy);                                                                                     \
    } while (0)
#define SHORT_FACTORS(bits) SHORT(a, p->m * p->k, b, p->k * p->n, bits)

/* Looks like none of the harness's special inputs. */
static inline bool is_plain(const float *x, int64_t step)
{
    int plain = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t word;
        memcpy(&word, &x[i * step], sizeof word);
        plain += x[i * step] != 0 && fabsf(x[i * step]) < 1 && (word & 0xFFF) != 0;
    }
    return plain > 1;
}
