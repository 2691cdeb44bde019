/* The RGB-to-greyscale problem as its rungs see it. */
#ifndef RUNGBENCH_GRAYSCALE_H
#define RUNGBENCH_GRAYSCALE_H

#include <stdint.h>

/* `images` pictures of height x width pixels. `rgb` holds, picture after picture, a red, a green and a blue plane of
 * height * width bytes each; `gray` holds one such plane a picture. Planes are packed, so a plane may start at any
 * address. All sizes are at least 1; products of them may exceed 2^31. */
struct grayscale_problem {
    int64_t images, height, width;
    const uint8_t *rgb;
    uint8_t *gray;
};

/* Every rung computes exactly Y = (2989 R + 5870 G + 1140 B + 5000) / 10000 in integers. The weights are the lecture's
 * ("Getting started with CUDA for Python programmers"), whose float version truncates where this rounds; so results
 * differ from the lecture's by at most 1. They sum to 0.9999: white stays 255. */
enum {
    GRAYSCALE_WEIGHT_RED = 2989,
    GRAYSCALE_WEIGHT_GREEN = 5870,
    GRAYSCALE_WEIGHT_BLUE = 1140,
    GRAYSCALE_ROUND = 5000,
    GRAYSCALE_SCALE = 10000,
};

#endif
