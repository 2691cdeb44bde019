/* matmul cuda_fp16x3: FP32 from three products in FP16.
 *
 * Technique: as cuda_tf32x3, but the parts are FP16, of which an instruction multiplies twice as many: fp16_parts.h. A
 * warp looks for the range of its factors of A in the stage, and of B, and scales them. When the sums of the stage are
 * added to the others in FP32, the multiply-add that does it takes the scales back.
 *
 * What it fixes in cuda_tf32x3: half of the instructions.
 *
 * What it does not take: a warp's part of a stage that fp16_parts.h does not hold. It is multiplied by FP32
 * multiply-adds. docs/precision.md has the reasons and the errors.
 *
 * Source of the technique: H. Ootomo and R. Yokota, "Recovering single precision accuracy from Tensor Cores while
 * surpassing the FP32 theoretical peak performance", 2022. A scale per stage is ours.
 *
 * Measured: matmul/square-4096/cuda_fp16x3/cold 2.78 ms (results/h200/squares.csv); cuda_tf32x3 takes 2.955 ms. */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "fp16_parts.h"
#include "tensor_tile.h"

struct in_fp16_parts {
    /* The registers are in the order of mma.h, two elements in each. */
    struct left {
        uint32_t high[4], low[4];
    };
    struct right {
        uint32_t high[2], low[2];
    };
    float scale_a, scale_b, back; /* powers of two; back = 1 / (scale_a scale_b) */

    template <typename Tile>
    __device__ __forceinline__ bool takes(const factors<Tile> &x)
    {
        range a = range_of_a<Tile>(x), b = range_of_b<Tile>(x);
        scale_a = fp16_scale(fp16_exponent(a));
        scale_b = fp16_scale(fp16_exponent(b));
        back = fp16_back(fp16_exponent(a), fp16_exponent(b));
        return fp16_holds(a) && fp16_holds(b);
    }
    __device__ __forceinline__ left make_left(const float (&x)[2][4]) const
    {
        left a;
#pragma unroll
        for (int i = 0; i < 4; i++)
            fp16_split(x[i % 2][i / 2 * 2] * scale_a, x[i % 2][i / 2 * 2 + 1] * scale_a, a.high[i], a.low[i]);
        return a;
    }
    __device__ __forceinline__ right make_right(const float (&x)[4]) const
    {
        right b;
#pragma unroll
        for (int i = 0; i < 2; i++)
            fp16_split(x[2 * i] * scale_b, x[2 * i + 1] * scale_b, b.high[i], b.low[i]);
        return b;
    }
    __device__ __forceinline__ void multiply(float (&d)[4], const left &a, const right &b) const
    {
        float large[4] = {}, small[4] = {};
        mma_fp16(small, a.low, b.high[0], b.high[1]);
        mma_fp16(small, a.high, b.low[0], b.low[1]);
        mma_fp16(large, a.high, b.high[0], b.high[1]);
#pragma unroll
        for (int i = 0; i < 4; i++)
            d[i] = fmaf(fmaf(small[i], LOW_DOWN, large[i]), back, d[i]);
    }
};

/* So many blocks a multiprocessor's registers are to hold at once. */
template <typename Tile>
constexpr int BLOCKS = std::is_same<Tile, narrow_tile>::value ? 5 : 2;

/* As multiply_tile(). */
template <typename Tile, bool WIDE_A, bool WIDE_B>
static __global__ void __launch_bounds__(THREADS, BLOCKS<Tile>)
    matmul_fp16x3_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    multiply_tile<Tile, in_fp16_parts, WIDE_A, WIDE_B>(m, n, k, tiles_n, a, b, c);
}

const char *matmul_cuda_fp16x3(const void *problem, void *stream)
{
    const tensor_kernels<decltype(matmul_fp16x3_kernel<wide_tile, true, true>)> kernels = {
        matmul_fp16x3_kernel<wide_tile, true, true>, matmul_fp16x3_kernel<wide_tile, false, false>,
        matmul_fp16x3_kernel<narrow_tile, true, false>, matmul_fp16x3_kernel<narrow_tile, false, false>};
    return launch_tiles(__func__, kernels, (const struct matmul_problem *)problem, stream);
}
