/* The kernels of the ceilings of Hopper's tensor cores: products of four warps together, which are served faster than
 * those of warps by themselves (cuda_mma_kernel.cu). Not rungs. */
#include "cuda_kernels.h"
#include "kernels/wgmma.h"

constexpr int COLUMNS = 256, SUMS = COLUMNS / 2;

static __device__ int has_wgmma = HAS_WGMMA;

template <bool FP16>
static __global__ void __launch_bounds__(CUDA_WGMMA_THREADS) wgmma_kernel(uint32_t steps, uint32_t *sink)
{
    constexpr int A_WORDS = WGMMA_ROWS * WGMMA_ROW_BYTES / 4, B_WORDS = COLUMNS * WGMMA_ROW_BYTES / 4;
    __shared__ __align__(1024) uint32_t factors[A_WORDS + B_WORDS];
    uint32_t bits = threadIdx.x;
    for (int i = (int)threadIdx.x; i < A_WORDS + B_WORDS; i += CUDA_WGMMA_THREADS)
        factors[i] = cuda_ceiling_factor(bits = cuda_next_bits(bits), FP16);
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

cudaError_t cuda_wgmma_usable(bool *usable)
{
    int has = 0;
    cudaError_t status = cudaMemcpyFromSymbol(&has, has_wgmma, sizeof has);
    *usable = has != 0;
    return status;
}

cudaError_t cuda_queue_wgmma(bool fp16, int blocks, uint32_t steps, struct cuda_scratch *scratch, cudaStream_t stream)
{
    if (fp16)
        wgmma_kernel<true><<<blocks, CUDA_WGMMA_THREADS, 0, stream>>>(steps, &scratch->sink);
    else
        wgmma_kernel<false><<<blocks, CUDA_WGMMA_THREADS, 0, stream>>>(steps, &scratch->sink);
    return cudaGetLastError();
}
