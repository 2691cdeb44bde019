/* What the rows of a GPU have to be read with. Needs no CUDA. */
#ifndef RUNGBENCH_CUDA_NOTES_H
#define RUNGBENCH_CUDA_NOTES_H

#include "cuda_nvml.h"

/* Adds notes. `nvml_error`: what cuda_nvml_open() returned; `others`: what cuda_nvml_others() did. The rest is read
 * from this process's environment. */
void cuda_add_notes(struct device_info *info, const char *nvml_error, const struct cuda_nvml_facts *facts,
                    int mps_processes, int others);

#endif
