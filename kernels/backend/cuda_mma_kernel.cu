/* The kernels of the ceilings of tensor cores: products of small matrices alone. Not rungs. */
#include "cuda_kernels.h"
#include "kernels/mma.h"

/* Each warp has CUDA_MMA_CHAINS sums that do not depend on each other, so the tensor cores need not wait for one. */
template <bool FP16>
static __global__ void __launch_bounds__(CUDA_MMA_THREADS) mma_kernel(uint32_t steps, uint32_t *sink)
{
    float sums[CUDA_MMA_CHAINS][4] = {};
    uint32_t a[CUDA_MMA_CHAINS][4], b[2], bits = threadIdx.x;
    for (int i = 0; i < CUDA_MMA_CHAINS; i++)
        for (int j = 0; j < 4; j++)
            a[i][j] = cuda_ceiling_factor(bits = cuda_next_bits(bits), FP16);
#pragma unroll 8
    for (uint32_t step = 0; step < steps; step++) {
        for (int j = 0; j < 2; j++)
            b[j] = cuda_ceiling_factor(bits = cuda_next_bits(bits), FP16);
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

cudaError_t cuda_queue_mma(bool fp16, int blocks, uint32_t steps, struct cuda_scratch *scratch, cudaStream_t stream)
{
    if (fp16)
        mma_kernel<true><<<blocks, CUDA_MMA_THREADS, 0, stream>>>(steps, &scratch->sink);
    else
        mma_kernel<false><<<blocks, CUDA_MMA_THREADS, 0, stream>>>(steps, &scratch->sink);
    return cudaGetLastError();
}
