/* matmul cuda_tf32x3: FP32 from three products in TF32.
 *
 * Technique: each factor is split in two numbers of TF32, x = high + low (factor_parts.h), which have 22 of its 24
 * bits. Of the four products of parts three are added up: low high + high low + high high. The fourth is as small as
 * what the split loses. Tensor cores cut off where FP32 rounds, and in a long sum that adds up. So they sum only the 16
 * products of a stage, the small ones first, beginning with zero; then an ordinary addition, which rounds, adds that to
 * the sum.
 *
 *      a = high + low     13 bits later                   sums = sums + [ low high + high low + high high ]
 *      |..........|..........|                                   ^ FP32, rounded    tensor core, cut off
 *
 * What it fixes in cuda_tf32: the precision. It is that of FP32 again, for three times the instructions.
 *
 * What it does not take: a warp's part of a stage with factors other than zero outside 2^-56 to 2^56, infinity and NaN
 * among them. There low parts or products might leave the range of FP32, and these products are done by FP32
 * multiply-adds. docs/precision.md has the reasons and the errors.
 *
 * What bounds it: issue slots, as in cuda_tf32. Splitting takes more instructions than multiplying, and is done again
 * in each warp that needs the factor; the tensor cores need 0.8 ms for three products of 137 Gflop at 490 TFLOP/s.
 *
 * Measured, results/h200-x1/squares.csv.gz:
 *   matmul/square-4096/cuda_tf32x3/cold 2.957 ms
 *   matmul/square-4096/cuda_async/cold 2.902 ms */
#include "tensor_tile.h"

struct in_tf32_parts {
    static constexpr int WIDE_BLOCKS = 2, NARROW_BLOCKS = 4;
    /* Two instructions along k; the four registers are in the order of mma.h. */
    struct left {
        uint32_t high[2][4], low[2][4];
    };
    struct right {
        uint32_t high[2][2], low[2][2];
    };

    template <typename Tile>
    static __device__ __forceinline__ bool takes(const factors<Tile> &x)
    {
        const uint32_t least = 71u << 23, most = 183u << 23; /* 2^-56 and 2^56 */
        range a = range_of_a<Tile>(x), b = range_of_b<Tile>(x);
        return max(a.most, b.most) <= most && min(a.below_least, b.below_least) >= least - 1;
    }
    /* To 11 bits, as the tensor core will cut off the rest. */
    static __device__ __forceinline__ uint32_t rounded(uint32_t low)
    {
        return low + 0x1000;
    }
    static __device__ __forceinline__ left make_left(const float (&x)[2][4])
    {
        left a;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            tf32_pair pair = tf32_split(x[i % 2][i / 2]);
            a.high[i / 4][i % 4] = pair.high;
            a.low[i / 4][i % 4] = rounded(pair.low);
        }
        return a;
    }
    static __device__ __forceinline__ right make_right(const float (&x)[4])
    {
        right b;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            tf32_pair pair = tf32_split(x[i]);
            b.high[i / 2][i % 2] = pair.high;
            b.low[i / 2][i % 2] = rounded(pair.low);
        }
        return b;
    }
    static __device__ __forceinline__ void multiply(float (&d)[4], const left &a, const right &b)
    {
        float products[4] = {};
#pragma unroll
        for (int i = 0; i < 2; i++) {
            mma_tf32(products, a.low[i], b.high[i][0], b.high[i][1]);
            mma_tf32(products, a.high[i], b.low[i][0], b.low[i][1]);
        }
#pragma unroll
        for (int i = 0; i < 2; i++)
            mma_tf32(products, a.high[i], b.high[i][0], b.high[i][1]);
#pragma unroll
        for (int i = 0; i < 4; i++)
            d[i] += products[i];
    }
};

const char *matmul_cuda_tf32x3(const void *problem, void *stream)
{
    return launch_tiles<in_tf32_parts>(__func__, (const struct matmul_problem *)problem, stream);
}
