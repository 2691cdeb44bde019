/* The variants of each ceiling, of which the fastest counts. No variant is the fastest for all sizes. Little memory has
 * to be spread over all multiprocessors at once, and most of the time goes into waiting for one load. With much memory,
 * enough loads must be in flight all the time, and no block may be left over at the end. */
#include "cuda_parts.h"

#include <assert.h>
#include <math.h>

enum { SWEEPS = 8 };

static const struct cuda_sweep sweeps[SWEEPS] = {
    /* One tile per block: when a block ends, the hardware starts the next. */
    {.threads = 128, .vectors = 1},
    {.threads = 256, .vectors = 1},
    {.threads = 128, .vectors = 2},
    {.threads = 256, .vectors = 2},
    {.threads = 256, .vectors = 4},
    {.threads = 512, .vectors = 4},
    /* Blocks that run to the end. */
    {.threads = 256, .vectors = 4, .blocks_per_multiprocessor = 8},
    {.threads = 256, .vectors = 4, .blocks_per_multiprocessor = 16},
};

enum { FMA_VARIANTS = 3 };

static const int fma_blocks_per_multiprocessor[FMA_VARIANTS] = {8, 4, 2};

static const char *read_all(int variant, const void *memory, double amount)
{
    return cuda_check(
        cuda_queue_read(&sweeps[variant], memory, (size_t)amount, cuda.multiprocessors, cuda.scratch, cuda.stream),
        "launch of the kernel that reads memory");
}

/* Copies one half to the other, in whole vectors. Variant 0 is CUDA's own copy. */
static const char *copy_half(int variant, void *memory, double amount)
{
    size_t half = (size_t)amount / 32 * 16;
    void *to = (char *)memory + half;
    if (variant == 0)
        return cuda_check(cudaMemcpyAsync(to, memory, half, cudaMemcpyDeviceToDevice, cuda.stream),
                          "copy of %zu bytes on the GPU", half);
    return cuda_check(cuda_queue_copy(&sweeps[variant - 1], to, memory, half, cuda.multiprocessors, cuda.stream),
                      "launch of the kernel that copies memory");
}

/* A multiply-add is 2 operations. One step of the whole grid has at most 4.3e6 operations on 132 multiprocessors, so
 * rounding up to whole steps adds less than 0.05 % to 1e10 operations. */
static const char *multiply_add(int variant, double amount)
{
    int blocks = fma_blocks_per_multiprocessor[variant] * cuda.multiprocessors;
    double steps = ceil(amount / (2.0 * CUDA_FMA_STEP * CUDA_FMA_THREADS * blocks));
    assert(steps >= 0 && steps <= UINT32_MAX);
    return cuda_check(cuda_queue_fma(blocks, (uint32_t)steps, cuda.scratch, cuda.stream),
                      "launch of the kernel that does arithmetic");
}

int cuda_ceiling_variants(enum ceiling_kind kind)
{
    static const int variants[CEILING_KINDS] = {
        [CEILING_READ] = SWEEPS,
        [CEILING_COPY] = 1 + SWEEPS,
        [CEILING_FMA] = FMA_VARIANTS,
    };
    return variants[kind];
}

const char *cuda_ceiling(enum ceiling_kind kind, int variant, void *memory, double amount)
{
    assert(variant >= 0 && variant < cuda_ceiling_variants(kind));
    switch (kind) {
    case CEILING_READ: return read_all(variant, memory, amount);
    case CEILING_COPY: return copy_half(variant, memory, amount);
    default: return multiply_add(variant, amount);
    }
}

const char *cuda_seed(void *memory, size_t bytes)
{
    return cuda_check(cuda_queue_seed(memory, bytes, cuda.multiprocessors, cuda.stream),
                      "launch of the kernel that fills memory");
}
