#include "cuda_capability.h"

#include "bench/table/rung.h"

#include <stddef.h>
#include <stdio.h>

/* Compute capability times 10. */
static int needed_by(unsigned traits)
{
    if (traits & (RUNG_HOPPER | RUNG_WGMMA))
        return 90;
    return traits & (RUNG_TF32 | RUNG_TF32X3 | RUNG_FP16X3) ? 80 : 0;
}

const char *cuda_capability_lacks(unsigned traits, int capability, int compiled_for, bool has_wgmma)
{
    static char text[128];
    int needed = needed_by(traits);
    if ((traits & RUNG_WGMMA) && capability > 90)
        return "needs the wgmma instructions, which only compute capability 9.0 has";
    if ((traits & RUNG_WGMMA) && capability == 90 && !has_wgmma)
        return "needs the wgmma instructions, and this build is not for 9.0a (see CMAKE_CUDA_ARCHITECTURES)";
    if (capability >= needed && compiled_for >= needed)
        return NULL;
    if (capability < needed)
        snprintf(text, sizeof text, "needs compute capability %d.%d, and this GPU has %d.%d", needed / 10, needed % 10,
                 capability / 10, capability % 10);
    else
        snprintf(text, sizeof text,
                 "needs compute capability %d.%d, and this build is for %d.%d (see CMAKE_CUDA_ARCHITECTURES)",
                 needed / 10, needed % 10, compiled_for / 10, compiled_for % 10);
    return text;
}
