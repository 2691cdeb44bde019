/* matmul cuda_tf32: tensor cores, which multiply TF32.
 *
 * Technique: a tensor core multiplies two small matrices in one instruction that all lanes of a warp issue together: 16
 * x 8 by 8 x 8 elements, 1,024 multiply-adds, where a multiply-add instruction of a warp does 32. The factors are TF32:
 * FP32 without its last 13 bits. They are rounded here; the instruction by itself would cut them off. The tile, the
 * warps and the copies are in tensor_tile.h, much as in cuda_async.
 *
 * What it fixes in cuda_async: its limit, the rate of multiply-adds.
 *
 * What it costs: precision. Factors have 11 significant bits instead of 24. That is another answer, not a faster way to
 * the same one: the row's precision is tf32, and it is never best. cuda_tf32x3 gets the bits back.
 *
 * Infinity and NaN come through; numbers from 2^128 - 2^116 on become infinity.
 *
 * Source of the technique: PTX ISA, "mma"; CUDA C++ Programming Guide, "Alternate Floating Point".
 *
 * What bounds it: issue slots, before the tensor cores. In the loop 64 of 750 instructions multiply; the others load
 * factors from shared memory, round them and copy. So square-4096 takes at least 0.8 ms to issue, where the tensor
 * cores need 0.3 ms, 137 Gflop at 490 TFLOP/s.
 *
 * Measured, results/h200-x1/squares.csv.gz:
 *   matmul/square-4096/cuda_tf32/cold 1.373 ms
 *   matmul/square-4096/cublas_tf32/cold 0.3391 ms */
#include "tensor_tile.h"

struct in_tf32 {
    static constexpr int WIDE_BLOCKS = 3, NARROW_BLOCKS = 6;
    /* Two instructions along k; the four registers are in the order of mma.h. */
    struct left {
        uint32_t x[2][4];
    };
    struct right {
        uint32_t x[2][2];
    };

    template <typename Tile>
    static __device__ __forceinline__ bool takes(const factors<Tile> &)
    {
        return true;
    }
    static __device__ __forceinline__ left make_left(const float (&x)[2][4])
    {
        left a;
#pragma unroll
        for (int i = 0; i < 8; i++)
            a.x[i / 4][i % 4] = tf32_round(x[i % 2][i / 2]);
        return a;
    }
    static __device__ __forceinline__ right make_right(const float (&x)[4])
    {
        return {{{tf32_round(x[0]), tf32_round(x[1])}, {tf32_round(x[2]), tf32_round(x[3])}}};
    }
    static __device__ __forceinline__ void multiply(float (&d)[4], const left &a, const right &b)
    {
        mma_tf32(d, a.x[0], b.x[0][0], b.x[0][1]);
        mma_tf32(d, a.x[1], b.x[1][0], b.x[1][1]);
    }
};

const char *matmul_cuda_tf32(const void *problem, void *stream)
{
    return launch_tiles<in_tf32>(__func__, (const struct matmul_problem *)problem, stream);
}
