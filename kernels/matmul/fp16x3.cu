/* matmul cuda_fp16x3: FP32 from three products in FP16.
 *
 * Technique: as cuda_tf32x3, but the parts are FP16, of which an instruction multiplies twice as many. FP16 has the
 * same 11 significant bits as TF32. What it lacks is range: from 2^-14 to 2^16, and fewer bits down to 2^-24. Two
 * measures:
 *
 * - A scale. A warp looks for its largest factor of A in the stage, and of B, and multiplies all of them by the power
 *   of two that takes this one to 2^14 or above. Powers of two change no bit. When the sums of the stage are added to
 *   the others in FP32, the multiply-add that does it takes the scales back.
 * - The low part is stored 2^11 times as large. So it is as large as the high part was, and its products, which are
 *   summed by themselves, count 2^-11.
 *
 * What it fixes in cuda_tf32x3: half of the instructions.
 *
 * What it does not take: a warp's part of a stage whose factors other than zero, of A or of B, lie more than 27
 * exponents apart, or reach 2^48, or are below 2^-75; infinity and NaN among them. These are multiplied by FP32
 * multiply-adds. docs/precision.md has the reasons and the errors.
 *
 * Source of the technique: H. Ootomo and R. Yokota, "Recovering single precision accuracy from Tensor Cores while
 * surpassing the FP32 theoretical peak performance", 2022. A scale per stage is ours. */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "tensor_tile.h"
#include "tf32.h"

/* Exponents as the bits of floats have them. */
constexpr uint32_t BIAS = 127, LARGEST = BIAS + 14, LEAST = BIAS - 13; /* of scaled factors */
constexpr uint32_t NARROW = BIAS - 48, WIDE_END = BIAS + 48;           /* of the largest factor */

struct in_fp16_parts {
    /* The registers are in the order of mma.h, two elements in each. */
    struct left {
        uint32_t high[4], low[4];
    };
    struct right {
        uint32_t high[2], low[2];
    };
    float scale_a, scale_b, back; /* powers of two; back = 1 / (scale_a scale_b) */

    static __device__ __forceinline__ float power(uint32_t exponent)
    {
        return __uint_as_float(exponent << 23);
    }
    /* The exponent of a part's largest factor, or of what the largest is taken for if it is very small. */
    static __device__ __forceinline__ uint32_t exponent_of(const range &range)
    {
        return max(range.most >> 23, NARROW);
    }
    /* After scaling, all factors are at least 2^LEAST. */
    static __device__ __forceinline__ bool is_narrow(const range &range)
    {
        uint32_t exponent = exponent_of(range);
        return exponent < WIDE_END && (range.below_least >> 23) + LARGEST >= exponent + LEAST;
    }

    __device__ __forceinline__ bool takes(const factors &x)
    {
        range a = range_of_a(x), b = range_of_b(x);
        scale_a = power(BIAS + LARGEST - exponent_of(a));
        scale_b = power(BIAS + LARGEST - exponent_of(b));
        back = power(BIAS + exponent_of(a) - LARGEST) * power(BIAS + exponent_of(b) - LARGEST);
        return is_narrow(a) && is_narrow(b);
    }
    static __device__ __forceinline__ void split(float x0, float x1, uint32_t &high, uint32_t &low)
    {
        const float up = 2048; /* 2^11 */
        tf32_pair pair0 = tf32_split(x0), pair1 = tf32_split(x1);
        high = fp16_pair(__uint_as_float(pair0.high), __uint_as_float(pair1.high));
        low = fp16_pair(__uint_as_float(pair0.low) * up, __uint_as_float(pair1.low) * up);
    }
    __device__ __forceinline__ left make_left(const float (&x)[2][4]) const
    {
        left a;
#pragma unroll
        for (int i = 0; i < 4; i++)
            split(x[i % 2][i / 2 * 2] * scale_a, x[i % 2][i / 2 * 2 + 1] * scale_a, a.high[i], a.low[i]);
        return a;
    }
    __device__ __forceinline__ right make_right(const float (&x)[4]) const
    {
        right b;
#pragma unroll
        for (int i = 0; i < 2; i++)
            split(x[2 * i] * scale_b, x[2 * i + 1] * scale_b, b.high[i], b.low[i]);
        return b;
    }
    __device__ __forceinline__ void multiply(float (&d)[4], const left &a, const right &b) const
    {
        const float down = 1.0f / 2048;
        float large[4] = {}, small[4] = {};
        mma_fp16(small, a.low, b.high[0], b.high[1]);
        mma_fp16(small, a.high, b.low[0], b.low[1]);
        mma_fp16(large, a.high, b.high[0], b.high[1]);
#pragma unroll
        for (int i = 0; i < 4; i++)
            d[i] = fmaf(fmaf(small[i], down, large[i]), back, d[i]);
    }
};

constexpr int BLOCKS = 2; /* that a multiprocessor's registers are to hold at once */

/* As multiply_tile(). */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    matmul_fp16x3_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    multiply_tile<in_fp16_parts, WIDE>(m, n, k, tiles_n, a, b, c);
}

const char *matmul_cuda_fp16x3(const void *problem, void *stream)
{
    return launch_tiles(__func__, matmul_fp16x3_kernel<true>, matmul_fp16x3_kernel<false>,
                        (const struct matmul_problem *)problem, stream);
}
