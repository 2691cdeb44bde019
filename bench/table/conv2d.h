/* The problem struct of conv2d: a batch of images is convolved with filters. */
#pragma once

#include <stdint.h>

#define CONV2D_ELEMENTS_MAX (INT64_C(1) << 36) /* of an array: 256 GiB */
#define CONV2D_SIDE_MAX (INT64_C(3) << 29)     /* k, h and w */

/* x is n images of c channels of h x w, f is k filters of c channels of r x r, y is n images of k channels of
 * (h - r + 1) x (w - r + 1); all row-major without padding (NCHW), FP32.
 *
 *     y[b][q][i][j] = sum over s < c, di < r, dj < r of x[b][s][i + di][j + dj] * f[q][s][di][dj]
 *
 * Stride 1, no padding, and the filter is not flipped: a cross-correlation, which libraries for networks call a
 * convolution. All sizes are at least 1 and within the limits above, and r is at most h and at most w. y is undefined
 * before the call. Arrays do not overlap and are aligned to 4 bytes, no more. */
struct conv2d_problem {
    int64_t n, c, k, h, w, r;
    const float *x, *f;
    float *y;
};
