#include "cuda_capability.h"

#include "bench/table/rung.h"

#include <stddef.h>
#include <stdio.h>

enum { HOPPER = 90 };

const char *cuda_capability_lacks(unsigned traits, int capability, int compiled_for)
{
    static char text[128];
    if ((traits & RUNG_HOPPER) == 0 || (capability >= HOPPER && compiled_for >= HOPPER))
        return NULL;
    if (capability < HOPPER)
        snprintf(text, sizeof text, "needs compute capability 9.0, and this GPU has %d.%d", capability / 10,
                 capability % 10);
    else
        snprintf(text, sizeof text,
                 "needs compute capability 9.0, and this build is for %d.%d (see CMAKE_CUDA_ARCHITECTURES)",
                 compiled_for / 10, compiled_for % 10);
    return text;
}
