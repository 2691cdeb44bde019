/* Tiles of matrices, transposed on their way through the cache, for CPU rungs. */
#pragma once

#include "cpu/backend/cpu_isa.h"

#include <stdint.h>

enum { TURNED = 16 }; /* elements in a line of a cache: a tile is as many lines of rows as of columns */

/* The elements of two vectors that have these numbers, of eight. */
#ifdef __clang__
#define TURNED_PICK(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
typedef int turned_numbers __attribute__((vector_size(16)));
#define TURNED_PICK(x, y, ...) __builtin_shuffle(x, y, (turned_numbers){__VA_ARGS__})
#endif

/* tile[j][i] = x[i * stride + j] for i < rows and j < columns, both TURNED at most. */
static inline void turned_tile(int rows, int columns, int64_t stride, const float *restrict x,
                               float tile[restrict TURNED][TURNED])
{
    int i = 0;
    for (; i + 4 <= rows && columns == TURNED; i += 4, x += 4 * stride) {
        for (int j = 0; j < TURNED; j += 4) {
            const vector_4 a = *(const loose_4 *)(x + j), b = *(const loose_4 *)(x + stride + j);
            const vector_4 c = *(const loose_4 *)(x + 2 * stride + j), d = *(const loose_4 *)(x + 3 * stride + j);
            const vector_4 ab = TURNED_PICK(a, b, 0, 4, 1, 5), cd = TURNED_PICK(c, d, 0, 4, 1, 5);
            const vector_4 ab_end = TURNED_PICK(a, b, 2, 6, 3, 7), cd_end = TURNED_PICK(c, d, 2, 6, 3, 7);
            *(loose_4 *)&tile[j][i] = TURNED_PICK(ab, cd, 0, 1, 4, 5);
            *(loose_4 *)&tile[j + 1][i] = TURNED_PICK(ab, cd, 2, 3, 6, 7);
            *(loose_4 *)&tile[j + 2][i] = TURNED_PICK(ab_end, cd_end, 0, 1, 4, 5);
            *(loose_4 *)&tile[j + 3][i] = TURNED_PICK(ab_end, cd_end, 2, 3, 6, 7);
        }
    }
    for (; i < rows; ++i, x += stride)
        for (int j = 0; j < columns; ++j)
            tile[j][i] = x[j];
}
