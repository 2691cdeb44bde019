/* Sums of many numbers for CPU rungs. */
#pragma once

#include <stdint.h>

/* The sum of x[0] to x[count - 1] in LANES independent sums: the compiler makes vectors of them, and no addition waits
 * for the one before. Always in the same order. */
static inline float lane_sum(int64_t count, const float *restrict x)
{
    enum { LANES = 32 };
    float lanes[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (int lane = 0; lane < LANES; ++lane)
            lanes[lane] += x[i + lane];
    for (; i < count; ++i)
        lanes[i % LANES] += x[i];
    float sum = 0;
    for (int lane = 0; lane < LANES; ++lane)
        sum += lanes[lane];
    return sum;
}
