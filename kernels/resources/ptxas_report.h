/* What ptxas, the assembler of the CUDA toolkit, reports about kernels (nvcc -Xptxas -v). */
#pragma once

#include "bench/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A kernel on an architecture. Stack and spills include those of functions that were not inlined, which ptxas reports
 * after the kernel. */
struct ptxas_kernel {
    char *symbol;  /* mangled */
    char arch[16]; /* sm_90a */
    int registers; /* per thread */
    int barriers;  /* per block */
    size_t static_shared_bytes;
    size_t stack_bytes, spill_store_bytes, spill_load_bytes; /* per thread */
};

struct ptxas_report {
    char compiler[32]; /* 13.0.88 */
    struct ptxas_kernel *kernels;
    size_t count;
};

/* Reads the output of `nvcc --version` and of nvcc -Xptxas -v; skips other lines. `name` is the name of the file in
 * error texts. False, with nothing to free: no version, no kernel, or an incomplete kernel. */
bool ptxas_report_read(FILE *file, const char *name, struct ptxas_report *report, struct error *error);

void ptxas_report_free(struct ptxas_report *report);
