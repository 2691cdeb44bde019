/* A batch of images is convolved with filters, in FP32. x is n images of c channels of h x w, f is k filters of c
 * channels of r x r, y is n images of k channels of (h - r + 1) x (w - r + 1) (NCHW).
 *
 *     y[b][q][i][j] = sum over s < c, di < r, dj < r of x[b][s][i + di][j + dj] * f[q][s][di][dj]
 *
 * Stride 1, no padding, and the filter is not flipped: a cross-correlation, which libraries for networks call a
 * convolution. r is at most h and at most w. */
#pragma once

#include <stdint.h>

#define CONV2D_ELEMENTS_MAX (INT64_C(1) << 36) /* of an array: 256 GiB */
#define CONV2D_SIDE_MAX (INT64_C(3) << 29)     /* k, h and w */

struct conv2d_problem {
    int64_t n, c, k, h, w, r;
    const float *x, *f;
    float *y;
};
