/* Tiles of matrices, transposed on their way through the cache, for CPU rungs. */
#pragma once

#include <stdint.h>

#ifdef __SSE__
#include <immintrin.h>
#endif

enum { TURNED = 16 }; /* elements in a line of a cache: a tile is as many lines of rows as of columns */

/* tile[j][i] = x[i * stride + j] for i < rows and j < columns, both TURNED at most. */
static inline void turned_tile(int rows, int columns, int64_t stride, const float *restrict x,
                               float tile[restrict TURNED][TURNED])
{
    int i = 0;
#ifdef __SSE__
    for (; i + 4 <= rows && columns == TURNED; i += 4, x += 4 * stride) {
        for (int j = 0; j < TURNED; j += 4) {
            __m128 a = _mm_loadu_ps(x + j), b = _mm_loadu_ps(x + stride + j);
            __m128 c = _mm_loadu_ps(x + 2 * stride + j), d = _mm_loadu_ps(x + 3 * stride + j);
            _MM_TRANSPOSE4_PS(a, b, c, d);
            _mm_storeu_ps(&tile[j][i], a);
            _mm_storeu_ps(&tile[j + 1][i], b);
            _mm_storeu_ps(&tile[j + 2][i], c);
            _mm_storeu_ps(&tile[j + 3][i], d);
        }
    }
#endif
    for (; i < rows; ++i, x += stride)
        for (int j = 0; j < columns; ++j)
            tile[j][i] = x[j];
}
