/* Notes about a GPU that readers of its rows have to know. Needs no CUDA. */
#pragma once

#include "cuda_nvml.h"

/* Adds notes. `nvml_error` comes from cuda_nvml_open(), `others` from cuda_nvml_others(). Further notes come from the
 * environment of this process. */
void cuda_add_notes(struct device_info *info, const char *nvml_error, const struct cuda_nvml_facts *facts,
                    int mps_processes, int others);
