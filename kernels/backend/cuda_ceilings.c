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

enum { ARITHMETIC_VARIANTS = 3 };

static const int blocks_per_multiprocessor[ARITHMETIC_VARIANTS] = {8, 4, 2};

/* Copies one half to the other, in whole vectors. Variant 0 is CUDA's own copy. */
static const char *copy_half(int variant, void *memory, double amount)
{
    size_t half = (size_t)amount / 32 * 16;
    void *to = (char *)memory + half;
    if (variant == 0)
        return cuda_check(cudaMemcpyAsync(to, memory, half, cudaMemcpyDeviceToDevice, cuda.stream),
                          "copy of %zu bytes on the GPU", half);
    return cuda_queue_copy(&sweeps[variant - 1], to, memory, half);
}

/* A multiply-add is 2 operations. One step of the whole grid has at most 4.3e6 operations on 132 multiprocessors, so
 * rounding up to whole steps adds less than 0.05 % to 1e10 operations. */
static const char *multiply_add(int variant, double amount)
{
    int blocks = blocks_per_multiprocessor[variant] * cuda.multiprocessors;
    double steps = ceil(amount / (2.0 * CUDA_FMA_STEP * CUDA_FMA_THREADS * blocks));
    assert(steps >= 0 && steps <= UINT32_MAX);
    return cuda_queue_fma(blocks, (uint32_t)steps);
}

/* A product of two small matrices, 16 x 8 by 8 x 8 in TF32, has 2,048 operations, in FP16 twice as many; one of four
 * warps together 128 times as many. One step of the whole grid has at most 2.3e9 operations on 132 multiprocessors: a
 * small part of the 1e12 or so of a millisecond. */
static const char *multiply_small(bool fp16, int variant, double amount)
{
    const bool alone = variant < ARITHMETIC_VARIANTS;
    const double product = fp16 ? 4096 : 2048;
    const double step = alone ? product * CUDA_MMA_CHAINS * (CUDA_MMA_THREADS / 32.0) : product * 128 * CUDA_WGMMA_STEP;
    int blocks = blocks_per_multiprocessor[variant % ARITHMETIC_VARIANTS] * cuda.multiprocessors;
    double steps = ceil(amount / (step * blocks));
    assert(steps >= 0 && steps <= UINT32_MAX);
    return (alone ? cuda_queue_mma : cuda_queue_wgmma)(fp16, blocks, (uint32_t)steps);
}

/* From compute capability 9.0 on, tensor cores have faster instructions than those of warps alone. Where this build
 * has none of these, the ceiling is unknown: cuBLAS would exceed what we can measure. */
static int tensor_variants(void)
{
    enum { AMPERE = 80, HOPPER = 90 };
    if (cuda.capability < AMPERE || cuda.compiled_for < AMPERE)
        return 0;
    if (cuda.capability < HOPPER)
        return ARITHMETIC_VARIANTS;
    return cuda.has_wgmma ? 2 * ARITHMETIC_VARIANTS : 0;
}

int cuda_ceiling_variants(enum ceiling_kind kind)
{
    static const int variants[CEILING_KINDS] = {
        [CEILING_READ] = SWEEPS,
        [CEILING_COPY] = 1 + SWEEPS,
        [CEILING_FMA] = ARITHMETIC_VARIANTS,
    };
    return kind == CEILING_TF32 || kind == CEILING_FP16 ? tensor_variants() : variants[kind];
}

const char *cuda_ceiling(enum ceiling_kind kind, int variant, void *memory, double amount)
{
    assert(variant >= 0 && variant < cuda_ceiling_variants(kind));
    switch (kind) {
    case CEILING_READ: return cuda_queue_read(&sweeps[variant], memory, (size_t)amount);
    case CEILING_COPY: return copy_half(variant, memory, amount);
    case CEILING_TF32: return multiply_small(false, variant, amount);
    case CEILING_FP16: return multiply_small(true, variant, amount);
    default: return multiply_add(variant, amount);
    }
}
