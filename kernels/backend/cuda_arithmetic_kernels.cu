/* The kernels of the ceilings of arithmetic, and nothing else in them: multiply-adds, and products of small matrices on
 * tensor cores, by a warp alone or, on Hopper, by four together, which are served faster. Not rungs. */
#include "cuda_parts.h"
#include "kernels/mma.h"
#include "kernels/wgmma.h"

/* Each point turns a little per step: x += e y, then y -= e x. It stays on an ellipse, so the numbers neither settle
 * nor overflow, and the bits change all the time, as in a rung. Constant numbers take less power, and a GPU at its
 * power limit would run faster on them than on real work.
 *
 * The four points of a thread do not depend on each other. A step of a point is two multiply-adds, one after the other.
 */
static __global__ void __launch_bounds__(CUDA_FMA_THREADS) fma_kernel(uint32_t steps, uint32_t *sink)
{
    float e = 0.37f + 1e-4f * (float)threadIdx.x; /* not a constant: real kernels have their factors in registers */
    constexpr int POINTS = CUDA_FMA_STEP / 2;
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

/* Bits that change all the time: products of constant numbers take less power, and a GPU at its power limit would run
 * faster on them than on real work. */
static __device__ inline uint32_t next_bits(uint32_t bits)
{
    return bits * 1664525u + 1013904223u;
}

/* From random bits a factor between 1 and 2 in size, of either sign: one in TF32 or two in FP16. */
static __device__ inline uint32_t random_factor(uint32_t bits, bool fp16)
{
    return fp16 ? (bits & 0x83FF83FFu) | 0x3C003C00u : (bits & 0x807FE000u) | 0x3F800000u;
}
/* Each warp has CUDA_MMA_CHAINS sums that do not depend on each other, so the tensor cores need not wait for one. */
template <bool FP16>
static __global__ void __launch_bounds__(CUDA_MMA_THREADS) mma_kernel(uint32_t steps, uint32_t *sink)
{
    float sums[CUDA_MMA_CHAINS][4] = {};
    uint32_t a[CUDA_MMA_CHAINS][4], b[2], bits = threadIdx.x;
    for (int i = 0; i < CUDA_MMA_CHAINS; i++)
        for (int j = 0; j < 4; j++)
            a[i][j] = random_factor(bits = next_bits(bits), FP16);
#pragma unroll 8
    for (uint32_t step = 0; step < steps; step++) {
        for (int j = 0; j < 2; j++)
            b[j] = random_factor(bits = next_bits(bits), FP16);
#pragma unroll
        for (int i = 0; i < CUDA_MMA_CHAINS; i++) {
            if (FP16)
                mma_fp16(sums[i], a[i], b[0], b[1]);
            else
                mma_tf32(sums[i], a[i], b[0], b[1]);
        }
    }
    float sum = 0;
    for (int i = 0; i < CUDA_MMA_CHAINS; i++)
        for (int j = 0; j < 4; j++)
            sum += sums[i][j];
    if (sum > 1e30f) /* never true, but the compiler cannot know that */
        *sink = __float_as_uint(sum);
}

constexpr int COLUMNS = 256, SUMS = COLUMNS / 2;

static __device__ int has_wgmma = HAS_WGMMA;

template <bool FP16>
static __global__ void __launch_bounds__(CUDA_WGMMA_THREADS) wgmma_kernel(uint32_t steps, uint32_t *sink)
{
    constexpr int A_WORDS = WGMMA_ROWS * WGMMA_ROW_BYTES / 4, B_WORDS = COLUMNS * WGMMA_ROW_BYTES / 4;
    __shared__ __align__(1024) uint32_t factors[A_WORDS + B_WORDS];
    uint32_t bits = threadIdx.x;
    for (int i = (int)threadIdx.x; i < A_WORDS + B_WORDS; i += CUDA_WGMMA_THREADS)
        factors[i] = random_factor(bits = next_bits(bits), FP16);
    wgmma_see_shared();
    __syncthreads();
    float sums[SUMS] = {};
    uint64_t a = wgmma_descriptor(factors), b = wgmma_descriptor(factors + A_WORDS);
    for (uint32_t step = 0; step < steps; step++) {
        wgmma_fence();
#pragma unroll
        for (int i = 0; i < CUDA_WGMMA_STEP; i++)
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

const char *cuda_queue_fma(int blocks, uint32_t steps)
{
    fma_kernel<<<blocks, CUDA_FMA_THREADS, 0, cuda.stream>>>(steps, &cuda.scratch->sink);
    return cuda_launched("does arithmetic");
}

const char *cuda_queue_mma(bool fp16, int blocks, uint32_t steps)
{
    auto kernel = fp16 ? mma_kernel<true> : mma_kernel<false>;
    kernel<<<blocks, CUDA_MMA_THREADS, 0, cuda.stream>>>(steps, &cuda.scratch->sink);
    return cuda_launched("uses tensor cores");
}

const char *cuda_queue_wgmma(bool fp16, int blocks, uint32_t steps)
{
    auto kernel = fp16 ? wgmma_kernel<true> : wgmma_kernel<false>;
    kernel<<<blocks, CUDA_WGMMA_THREADS, 0, cuda.stream>>>(steps, &cuda.scratch->sink);
    return cuda_launched("uses tensor cores");
}

cudaError_t cuda_wgmma_usable(bool *usable)
{
    int has = 0;
    cudaError_t status = cudaMemcpyFromSymbol(&has, has_wgmma, sizeof has);
    *usable = has != 0;
    return status;
}
