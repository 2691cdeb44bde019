/* Which rungs a GPU can run. Needs no CUDA. */
#pragma once

/* Why rungs with these traits cannot run; NULL if they can. `capability` is the compute capability of the GPU,
 * `compiled_for` that of the compiled kernels, both times 10: 90. The text is valid until the next call. */
const char *cuda_capability_lacks(unsigned traits, int capability, int compiled_for);
