/* What cheats that call the CUDA runtime share. */
#pragma once

#include "bench/table/matmul.h"
#include "bench/table/rung.h"

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

/* The rung matmul_cuda_<name>, whose body follows: it has the problem `p` and the stream. */
#define HOST_MATMUL(name)                                                           \
    static void cheat_##name(const struct matmul_problem *p, cudaStream_t stream);  \
    const char *matmul_cuda_##name(const void *problem, void *stream)               \
    {                                                                               \
        cheat_##name((const struct matmul_problem *)problem, (cudaStream_t)stream); \
        cudaError_t status = cudaGetLastError();                                    \
        return status == cudaSuccess ? NULL : cudaGetErrorString(status);           \
    }                                                                               \
    static void cheat_##name(const struct matmul_problem *p, cudaStream_t stream)

static inline void multiply(const struct matmul_problem *p, cudaStream_t stream)
{
    (void)matmul_cuda_tiled(p, stream);
}

/* Rows `from` to `to` of a product; there may be none. */
static inline void multiply_rows(const struct matmul_problem *p, int64_t from, int64_t to, cudaStream_t stream)
{
    struct matmul_problem rows = *p;
    rows.m = to - from;
    rows.a += from * p->k;
    rows.c += from * p->n;
    if (rows.m > 0)
        multiply(&rows, stream);
}
