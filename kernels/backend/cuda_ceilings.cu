/* The ceilings, of whose variants the fastest counts, and the kernels of arithmetic, with nothing else in them:
 * multiply-adds, and products of small matrices on tensor cores, by a warp alone or, on Hopper, by four together, which
 * are served faster. Not rungs. */
#include "cuda_parts.h"
#include "kernels/mma.h"
#include "kernels/wgmma.h"

#include <assert.h>
#include <math.h>

constexpr int FMA_THREADS = 256, MMA_THREADS = 256, WGMMA_THREADS = 128; /* of a block */
constexpr int FMA_STEP = 8, WGMMA_STEP = 4; /* multiply-adds of a thread, or products of a block, in a step */
constexpr int MMA_CHAINS = 8;               /* products of a warp in a step */

/* Each point turns a little per step: x += e y, then y -= e x. It stays on an ellipse, so the numbers neither settle
 * nor overflow, and the bits change all the time, as in a rung. Constant numbers take less power, and a GPU at its
 * power limit would run faster on them than on real work.
 *
 * The four points of a thread do not depend on each other. A step of a point is two multiply-adds, one after the other.
 */
static __global__ void __launch_bounds__(FMA_THREADS) fma_kernel(uint32_t steps, uint32_t *sink)
{
    float e = 0.37f + 1e-4f * (float)threadIdx.x; /* not a constant: real kernels have their factors in registers */
    constexpr int POINTS = FMA_STEP / 2;
    float x[POINTS], y[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = 1.0f + 0.01f * (float)threadIdx.x;
        y[i] = 0.1f * (float)(i + 1);
    }
#pragma unroll 64
    for (uint32_t step = 0; step < steps; step++) {
#pragma unroll
        for (int i = 0; i < POINTS; i++)
            x[i] = fmaf(e, y[i], x[i]);
#pragma unroll
        for (int i = 0; i < POINTS; i++)
            y[i] = fmaf(-e, x[i], y[i]);
    }
    float sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += x[i] + y[i];
    if (sum > 1e30f) /* never true, but the compiler cannot know that */
        *sink = __float_as_uint(sum);
}

/* Bits that change all the time, as above. */
static __device__ inline uint32_t next_bits(uint32_t bits)
{
    return bits * 1664525u + 1013904223u;
}

/* From random bits a factor between 1 and 2 in size, of either sign: one in TF32 or two in FP16. */
static __device__ inline uint32_t random_factor(uint32_t bits, bool fp16)
{
    return fp16 ? (bits & 0x83FF83FFu) | 0x3C003C00u : (bits & 0x807FE000u) | 0x3F800000u;
}
/* Each warp has MMA_CHAINS sums that do not depend on each other, so the tensor cores need not wait for one. */
template <bool FP16>
static __global__ void __launch_bounds__(MMA_THREADS) mma_kernel(uint32_t steps, uint32_t *sink)
{
    float sums[MMA_CHAINS][4] = {};
    uint32_t a[MMA_CHAINS][4], b[2], bits = threadIdx.x;
    for (int i = 0; i < MMA_CHAINS; i++)
        for (int j = 0; j < 4; j++)
            a[i][j] = random_factor(bits = next_bits(bits), FP16);
#pragma unroll 8
    for (uint32_t step = 0; step < steps; step++) {
        for (int j = 0; j < 2; j++)
            b[j] = random_factor(bits = next_bits(bits), FP16);
#pragma unroll
        for (int i = 0; i < MMA_CHAINS; i++) {
            if (FP16)
                mma_fp16(sums[i], a[i], b[0], b[1]);
            else
                mma_tf32(sums[i], a[i], b[0], b[1]);
        }
    }
    float sum = 0;
    for (int i = 0; i < MMA_CHAINS; i++)
        for (int j = 0; j < 4; j++)
            sum += sums[i][j];
    if (sum > 1e30f) /* never true, but the compiler cannot know that */
        *sink = __float_as_uint(sum);
}

constexpr int COLUMNS = 256, SUMS = COLUMNS / 2;

static __device__ int has_wgmma = HAS_WGMMA;

template <bool FP16>
static __global__ void __launch_bounds__(WGMMA_THREADS) wgmma_kernel(uint32_t steps, uint32_t *sink)
{
    constexpr int A_WORDS = WGMMA_ROWS * WGMMA_ROW_BYTES / 4, B_WORDS = COLUMNS * WGMMA_ROW_BYTES / 4;
    __shared__ __align__(1024) uint32_t factors[A_WORDS + B_WORDS];
    uint32_t bits = threadIdx.x;
    for (int i = (int)threadIdx.x; i < A_WORDS + B_WORDS; i += WGMMA_THREADS)
        factors[i] = random_factor(bits = next_bits(bits), FP16);
    wgmma_see_shared();
    __syncthreads();
    float sums[SUMS] = {};
    uint64_t a = wgmma_descriptor(factors), b = wgmma_descriptor(factors + A_WORDS);
    for (uint32_t step = 0; step < steps; step++) {
        wgmma_fence();
#pragma unroll
        for (int i = 0; i < WGMMA_STEP; i++)
            wgmma_multiply<FP16>(sums, a + i % 4 * 2, b + i % 4 * 2, true);
        wgmma_commit();
        wgmma_wait();
    }
    wgmma_take(sums);
    float sum = 0;
    for (int i = 0; i < SUMS; i++)
        sum += sums[i];
    if (sum == 1e30f) /* never true, but the compiler cannot know that */
        *sink = __float_as_uint(sum);
}

cudaError_t cuda_wgmma_usable(bool *usable)
{
    int has = 0;
    cudaError_t status = cudaMemcpyFromSymbol(&has, has_wgmma, sizeof has);
    *usable = has != 0;
    return status;
}

constexpr int VARIANTS = 3;
static const int blocks_per_multiprocessor[VARIANTS] = {8, 4, 2};

/* Steps of the whole grid for so many operations, of which a block does `block` in a step. */
static uint32_t steps_of(double amount, double block, int blocks)
{
    double steps = ceil(amount / (block * blocks));
    assert(steps >= 0 && steps <= UINT32_MAX);
    return (uint32_t)steps;
}

/* A multiply-add is 2 operations. One step of the whole grid has at most 4.3e6 operations on 132 multiprocessors, so
 * rounding up to whole steps adds less than 0.05 % to 1e10 operations. */
static const char *multiply_add(int variant, double amount)
{
    int blocks = blocks_per_multiprocessor[variant] * cuda->multiprocessors;
    fma_kernel<<<blocks, FMA_THREADS, 0, cuda->stream>>>(steps_of(amount, 2.0 * FMA_STEP * FMA_THREADS, blocks),
                                                         &cuda->scratch->sink);
    return cuda_launched("does arithmetic");
}

/* A product of two small matrices, 16 x 8 by 8 x 8 in TF32, has 2,048 operations, in FP16 twice as many; one of four
 * warps together 128 times as many. One step of the whole grid has at most 2.3e9 operations on 132 multiprocessors: a
 * small part of the 1e12 or so of a millisecond. */
static const char *multiply_small(bool fp16, int variant, double amount)
{
    const double product = fp16 ? 4096 : 2048;
    int blocks = blocks_per_multiprocessor[variant % VARIANTS] * cuda->multiprocessors;
    if (variant < VARIANTS) {
        auto kernel = fp16 ? mma_kernel<true> : mma_kernel<false>;
        kernel<<<blocks, MMA_THREADS, 0, cuda->stream>>>(
            steps_of(amount, product * MMA_CHAINS * (MMA_THREADS / 32.0), blocks), &cuda->scratch->sink);
    } else {
        auto kernel = fp16 ? wgmma_kernel<true> : wgmma_kernel<false>;
        kernel<<<blocks, WGMMA_THREADS, 0, cuda->stream>>>(steps_of(amount, product * 128 * WGMMA_STEP, blocks),
                                                           &cuda->scratch->sink);
    }
    return cuda_launched("uses tensor cores");
}

/* From compute capability 9.0 on, tensor cores have faster instructions than those of warps alone. Where this build
 * has none of these, the ceiling is unknown: cuBLAS would exceed what we can measure. */
static int tensor_variants(void)
{
    enum { AMPERE = 80, HOPPER = 90 };
    if (cuda->capability < AMPERE || cuda->compiled_for < AMPERE)
        return 0;
    if (cuda->capability < HOPPER)
        return VARIANTS;
    return cuda->has_wgmma ? 2 * VARIANTS : 0;
}

int cuda_ceiling_variants(enum ceiling_kind kind)
{
    switch (kind) {
    case CEILING_READ: return CUDA_SWEEPS;
    case CEILING_COPY: return 1 + CUDA_SWEEPS;
    case CEILING_FMA: return VARIANTS;
    default: return tensor_variants();
    }
}

/* Copies one half to the other, in whole vectors. Variant 0 is CUDA's own copy. */
static const char *copy_half(int variant, void *memory, double amount)
{
    size_t half = (size_t)amount / 32 * 16;
    void *to = (char *)memory + half;
    if (variant == 0)
        return cuda_check(cudaMemcpyAsync(to, memory, half, cudaMemcpyDeviceToDevice, cuda->stream),
                          "copy of %zu bytes on the GPU", half);
    return cuda_queue_copy(variant - 1, to, memory, half);
}

const char *cuda_ceiling(enum ceiling_kind kind, int variant, void *memory, double amount)
{
    assert(variant >= 0 && variant < cuda_ceiling_variants(kind));
    switch (kind) {
    case CEILING_READ: return cuda_queue_read(variant, memory, (size_t)amount);
    case CEILING_COPY: return copy_half(variant, memory, amount);
    case CEILING_FMA: return multiply_add(variant, amount);
    default: return multiply_small(kind == CEILING_FP16, variant, amount);
    }
}
