/* RGB to greyscale, of `images` images. `rgb` holds three planes per image (red, green, blue) of height x width bytes
 * each, so a plane may start at any address; `gray` holds one plane per image. */
#pragma once

#include <stdint.h>

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
