/* Which rungs a GPU can run. Needs no CUDA. */
#pragma once

#include <stdbool.h>

/* Why rungs with these traits cannot run; NULL if they can. `capability` is the compute capability of the GPU,
 * `compiled_for` that of the compiled kernels, both times 10: 90. `has_wgmma`: these have Hopper's own instructions,
 * and the GPU runs them. The text is valid until the next call. */
const char *cuda_capability_lacks(unsigned traits, int capability, int compiled_for, bool has_wgmma);
