/* How many pieces make up a whole: what launchers and plans of rungs count, too. */
#pragma once

#include <stdint.h>

/* a / b, rounded up. a >= 0, b >= 1. */
static inline int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}
