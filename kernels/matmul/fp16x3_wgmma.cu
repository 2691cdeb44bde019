/* matmul cuda_fp16x3_wgmma: FP32 from three products in FP16, by Hopper's own instruction.
 *
 * Technique: the arithmetic of cuda_fp16x3 (fp16_parts.h) in the tile of cuda_tf32_wgmma (wgmma_tile.h). Factors are
 * split once, when they are packed, with a scale for each piece of 128 rows and 64 steps along k. The products of a
 * step are summed in the tensor cores, the large ones apart from the small; then two multiply-adds in FP32, which
 * round, add them to the sums of the steps before and take the scales back.
 *
 *      high a, high b  ->  large  \
 *      low a,  high b  ->           +  sums += (small / 2^11 + large) * scales
 *      high a, low b   ->  small  /
 *
 * What it fixes in cuda_fp16x3: there each warp splits what it multiplies, and A is split again for every tile beside.
 *
 * What bounds it: the tensor cores, at three products for one, and the pass over A and B that packs them.
 *
 * What it does not take: a piece that fp16_parts.h does not hold. Where A or B has such a piece, the block copies the
 * step's part of A and B as they are to where the pieces were, and uses FP32 multiply-adds: slower, and as exact as the
 * rungs before. Of random numbers from -1 to 1, 2^-28 are so small: one 4096 x 4096 matrix in sixteen has one.
 * Small problems (wgmma_tile.h) run cuda_fp16x3, and the row says so. docs/precision.md has the reasons and the errors.
 *
 * Source of the technique: H. Ootomo and R. Yokota, "Recovering single precision accuracy from Tensor Cores while
 * surpassing the FP32 theoretical peak performance", 2022. A scale per piece is ours.
 *
 * Measured: matmul/square-4096/cuda_fp16x3_wgmma/cold 635 us (results/h200/squares.csv); cuda_fp16x3 takes 2.78 ms,
 * cublas 2.679 ms. */
#include "fp16_pieces.h"
#include "wgmma_tile.h"

struct wgmma_fp16x3 : fp16_pieces {
    struct sums {
        float all[SUMS] = {}, large[SUMS], small[SUMS];

        __device__ __forceinline__ void multiply(uint64_t a, uint64_t b, bool first)
        {
            wgmma_multiply<FP16>(small, a + PART, b, !first);
            wgmma_multiply<FP16>(small, a, b + PART, true);
            wgmma_multiply<FP16>(large, a, b, !first);
        }
        static __device__ __forceinline__ bool holds(uint32_t note_a, uint32_t note_b)
        {
            return note_a != NOT_HELD && note_b != NOT_HELD;
        }
        __device__ __forceinline__ void add(uint32_t note_a, uint32_t note_b)
        {
            float back = fp16_back(note_a, note_b);
            wgmma_take(large);
            wgmma_take(small);
#pragma unroll
            for (int i = 0; i < SUMS; i++)
                all[i] = fmaf(fmaf(small[i], LOW_DOWN, large[i]), back, all[i]);
        }
    };
};

/* As pack_piece(). */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS)
    matmul_pack_fp16x3_kernel(int64_t m, int64_t n, int64_t k, int64_t steps, int64_t pieces_of_a, const float *a,
                              const float *b, packed to_a, packed to_b)
{
    pack_piece<wgmma_fp16x3, WIDE>(m, n, k, steps, pieces_of_a, a, b, to_a, to_b);
}

/* As multiply_tile(). */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS, 1)
    matmul_fp16x3_wgmma_kernel(int64_t m, int64_t n, int64_t k, int64_t steps, const float *a, const float *b,
                               packed from_a, packed from_b, float *c)
{
    multiply_tile<wgmma_fp16x3, WIDE>(m, n, k, steps, a, b, from_a, from_b, c);
}

const char *matmul_cuda_fp16x3_wgmma(const void *problem, void *stream)
{
    const wgmma_kernels<decltype(matmul_pack_fp16x3_kernel<true>), decltype(matmul_fp16x3_wgmma_kernel<true>)> kernels =
        {matmul_pack_fp16x3_kernel<true>, matmul_pack_fp16x3_kernel<false>, matmul_fp16x3_wgmma_kernel<true>,
         matmul_fp16x3_wgmma_kernel<false>};
    return launch_packed<wgmma_fp16x3>(__func__, kernels, matmul_cuda_fp16x3, (const struct matmul_problem *)problem,
                                       stream);
}
