/* matmul cuda_tf32_wgmma: tensor cores by Hopper's own instruction.
 *
 * Technique: the products of cuda_tf32, whose mma instruction belongs to a warp, which must first load factors into its
 * registers. wgmma belongs to four warps, takes 64 x 128 elements of C at once, and reads its factors from shared
 * memory by itself. So all that the warps do is to wait for a stage and to start the products. wgmma_tile.h has the
 * tile, and the kernel before it that puts the factors into the one order that wgmma takes.
 *
 * What it fixes in cuda_tf32: the issue slots. Loads, conversions and one mma per 1,024 multiply-adds filled them; one
 * wgmma does 65,536.
 *
 * What bounds it: the tensor cores, and the pass over A and B that packs them.
 *
 * What it costs: precision, as cuda_tf32. Sums stay in the tensor cores throughout, which truncate: with TF32 that is
 * no loss. Small problems (wgmma_tile.h) run cuda_tf32, and the row says so.
 *
 * Measured: matmul/square-4096/cuda_tf32_wgmma/cold 461.5 us (results/h200/squares.csv); cuda_tf32 takes 1.368 ms. */
#include "kernels/mma.h"
#include "wgmma_tile.h"

struct wgmma_tf32 {
    static constexpr bool FP16 = false;
    static constexpr int PARTS = 1;

    static __device__ __forceinline__ uint32_t pack(const float (&x)[TURNS][4], uint4 (&parts)[TURNS][PARTS])
    {
#pragma unroll
        for (int i = 0; i < TURNS; i++)
            parts[i][0] =
                make_uint4(tf32_round(x[i][0]), tf32_round(x[i][1]), tf32_round(x[i][2]), tf32_round(x[i][3]));
        return 0;
    }

    struct sums {
        float all[SUMS] = {};

        __device__ __forceinline__ void multiply(uint64_t a, uint64_t b, bool)
        {
            wgmma_multiply<FP16>(all, a, b, true);
        }
        static __device__ __forceinline__ bool holds(uint32_t, uint32_t)
        {
            return true;
        }
        __device__ __forceinline__ void add(uint32_t, uint32_t)
        {
            wgmma_take(all);
        }
    };
};

/* As pack_piece(). */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS)
    matmul_pack_tf32_kernel(int64_t m, int64_t n, int64_t k, int64_t steps, int64_t pieces_of_a, const float *a,
                            const float *b, packed to_a, packed to_b)
{
    pack_piece<wgmma_tf32, WIDE>(m, n, k, steps, pieces_of_a, a, b, to_a, to_b);
}

/* As multiply_tile(). */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS, 1)
    matmul_tf32_wgmma_kernel(int64_t m, int64_t n, int64_t k, int64_t steps, const float *a, const float *b,
                             packed from_a, packed from_b, float *c)
{
    multiply_tile<wgmma_tf32, WIDE>(m, n, k, steps, a, b, from_a, from_b, c);
}

const char *matmul_cuda_tf32_wgmma(const void *problem, void *stream)
{
    const wgmma_kernels<decltype(matmul_pack_tf32_kernel<true>), decltype(matmul_tf32_wgmma_kernel<true>)> kernels = {
        matmul_pack_tf32_kernel<true>, matmul_pack_tf32_kernel<false>, matmul_tf32_wgmma_kernel<true>,
        matmul_tf32_wgmma_kernel<false>};
    return launch_packed<wgmma_tf32>(__func__, kernels, matmul_cuda_tf32, (const struct matmul_problem *)problem,
                                     stream);
}
