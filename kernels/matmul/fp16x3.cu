/* matmul cuda_fp16x3: FP32 from three products in FP16.
 *
 * Technique: as cuda_tf32x3, but the parts are FP16, of which an instruction multiplies twice as many: fp16_parts.h.
 * A warp looks for the range of its factors of A in the stage, and of B, and scales them. When the sums of the stage
 * are added to the others in FP32, the multiply-add that does it takes the scales back.
 *
 * What it fixes in cuda_tf32x3: half of the instructions that multiply. Those that split factors stay, and others scale
 * them, so it gains little.
 *
 * What it does not take: a warp's part of a stage that fp16_parts.h does not hold. It is multiplied by FP32
 * multiply-adds. docs/precision.md has the reasons and the errors.
 *
 * What bounds it: issue slots, as in cuda_tf32x3; the tensor cores need less than half a millisecond for three products
 * of 137 Gflop at 920 TFLOP/s.
 *
 * Measured, results/h200-x1/squares.csv.gz:
 *   matmul/square-4096/cuda_fp16x3/cold 2.787 ms
 *   matmul/square-4096/cuda_tf32x3/cold 2.957 ms */
#include "fp16_parts.h"
#include "tensor_tile.h"

struct in_fp16_parts {
    static constexpr int WIDE_BLOCKS = 2, NARROW_BLOCKS = 5;
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

const char *matmul_cuda_fp16x3(const void *problem, void *stream)
{
    return launch_tiles<in_fp16_parts>(__func__, (const struct matmul_problem *)problem, stream);
}
