/* What the assembler of the CUDA toolkit says of kernels (nvcc -Xptxas -v). */
#ifndef RUNGBENCH_PTXAS_REPORT_H
#define RUNGBENCH_PTXAS_REPORT_H

#include "bench/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A kernel on an architecture. Stack and spills are its own and those of the functions that it calls uninlined, which
 * ptxas reports behind it. */
struct ptxas_kernel {
    char *symbol;  /* mangled */
    char arch[16]; /* sm_90a */
    int registers; /* a thread */
    int barriers;  /* a block */
    size_t static_shared_bytes;
    size_t stack_bytes, spill_store_bytes, spill_load_bytes; /* a thread */
};

struct ptxas_report {
    char compiler[32]; /* 13.0.88 */
    struct ptxas_kernel *kernels;
    size_t count;
};

/* Reads what `nvcc --version` and then nvcc -Xptxas -v said; other lines are passed over. `name` is what errors call
 * the file. False, with nothing to free, if there is no version, no kernel, or a kernel of which something is missing.
 */
bool ptxas_report_read(FILE *file, const char *name, struct ptxas_report *report, struct error *error);

void ptxas_report_free(struct ptxas_report *report);

#endif
