/* Which problems rungs take that hand over others: they ask themselves, and so do the rungs that choose among them. */
#pragma once

#include "bench/table/matmul.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SKINNY_WIDEST = 16,
    SKINNY_TENSOR_WIDEST = 16,
    SKINNY_TENSOR_STEP = 16,
    SKINNY_TENSOR_K_MAX = 784,
    SKINNY_TENSOR_SHARED_BYTES = 164928,
    SKINNY_WGMMA_WIDEST = 128,
    SKINNY_WGMMA_LEAST_K = 16,
    SKINNY_WGMMA_K_MAX = 1 << 20,
    FP16X3_WGMMA_LEAST = 32, /* of m, n and k: with less, most of a piece is padding */
    ROWS_K_MOST = 96,
    ROWS_N_MOST = 64,
};
static const int64_t SKINNY_WGMMA_MOST = INT64_C(1)
                                         << 36; /* rows, or columns: those of a block are counted by 32 bits */

static inline bool skinny_takes(const struct matmul_problem *p)
{
    return p->n <= SKINNY_WIDEST;
}

/* On a GPU whose blocks may have so many bytes of shared memory. */
static inline bool skinny_tensor_takes(const struct matmul_problem *p, int shared_bytes)
{
    return p->n <= SKINNY_TENSOR_WIDEST && p->k >= SKINNY_TENSOR_STEP && p->k <= SKINNY_TENSOR_K_MAX && p->k % 4 == 0 &&
           (uintptr_t)p->a % 16 == 0 && shared_bytes >= SKINNY_TENSOR_SHARED_BYTES;
}

static inline bool skinny_wgmma_takes(const struct matmul_problem *p)
{
    const int64_t few = p->m < p->n ? p->m : p->n, many = p->m < p->n ? p->n : p->m;
    return few <= SKINNY_WGMMA_WIDEST && p->k >= SKINNY_WGMMA_LEAST_K && p->k <= SKINNY_WGMMA_K_MAX &&
           many <= SKINNY_WGMMA_MOST;
}

static inline bool fp16x3_wgmma_takes(const struct matmul_problem *p)
{
    return p->m >= FP16X3_WGMMA_LEAST && p->n >= FP16X3_WGMMA_LEAST && p->k >= FP16X3_WGMMA_LEAST;
}

static inline bool rows_takes(const struct matmul_problem *p)
{
    return p->k <= ROWS_K_MOST && p->n <= ROWS_N_MOST;
}
