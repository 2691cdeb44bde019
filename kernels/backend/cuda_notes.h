/* What readers of its rows have to know about a GPU, and which rungs it can run. Needs no CUDA. */
#pragma once

#include "cuda_nvml.h"

#include <stdbool.h>

/* Adds notes. `nvml_error` comes from cuda_nvml_open(), `others` from cuda_nvml_others(). Further notes come from the
 * environment of this process. */
void cuda_add_notes(struct device_info *info, const char *nvml_error, const struct cuda_nvml_facts *facts,
                    int mps_processes, int others);

/* Why rungs with these traits cannot run; NULL if they can. `capability` is the compute capability of the GPU,
 * `compiled_for` that of the compiled kernels, both times 10: 90. `has_wgmma`: these have Hopper's own instructions,
 * and the GPU runs them. The text is valid until the next call. */
const char *cuda_capability_lacks(unsigned traits, int capability, int compiled_for, bool has_wgmma);
