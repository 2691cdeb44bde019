/* The problem struct of RGB to greyscale. */
#pragma once

#include <stdint.h>

/* `images` images of height x width pixels. `rgb` holds three planes per image (red, green, blue) of height * width
 * bytes each; `gray` holds one plane per image. Planes are packed, so a plane may start at any address. All sizes are
 * at least 1; products of them may exceed 2^31. */
struct grayscale_problem {
    int64_t images, height, width;
    const uint8_t *rgb;
    uint8_t *gray;
};

/* Every rung computes exactly Y = (2989 R + 5870 G + 1140 B + 5000) / 10000 in integers. The weights come from the
 * lecture "Getting started with CUDA for Python programmers". Its float version truncates and this one rounds, so
 * results differ by at most 1. The weights sum to 0.9999; white still becomes 255. */
enum {
    GRAYSCALE_WEIGHT_RED = 2989,
    GRAYSCALE_WEIGHT_GREEN = 5870,
    GRAYSCALE_WEIGHT_BLUE = 1140,
    GRAYSCALE_ROUND = 5000,
    GRAYSCALE_SCALE = 10000,
};
