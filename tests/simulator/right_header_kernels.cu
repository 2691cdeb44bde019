/* What comes with headers of its own: numbers of 16 bits, cooperative groups, tensor cores. */
#include "right_kernels.h"

#include "kernels/launch.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

namespace groups = cooperative_groups;

static __device__ uint32_t bits_of(__half a)
{
    return __half_as_ushort(a);
}

static __device__ uint32_t bits_of(__nv_bfloat16 a)
{
    return __bfloat16_as_ushort(a);
}

/* Any two numbers, and their neighbours: infinities, NaN and subnormal ones are among them. */
template <typename T>
static __device__ void arithmetic_of(T a, T b, T c, uint32_t *to)
{
    to[0] = bits_of(__hadd(a, b)) | bits_of(__hsub(a, b)) << 16;
    to[1] = bits_of(__hmul(a, b)) | bits_of(__hfma(a, b, c)) << 16;
    to[2] = bits_of(__hmax(a, b)) | bits_of(__hmin(a, b)) << 16;
    to[3] = bits_of(__hmax_nan(a, b)) | bits_of(__hadd_sat(a, b)) << 16;
    to[4] = (uint32_t)__heq(a, b) | (uint32_t)__hlt(a, b) << 1 | (uint32_t)__hneu(a, b) << 2 |
            (uint32_t)__hgeu(b, c) << 3 | (uint32_t)__hisnan(a) << 4 | (uint32_t)(__hisinf(b) & 3) << 5 |
            (uint32_t)(a != b) << 7 | (uint32_t)(a <= c) << 8;
}

static __global__ void halves(const uint32_t *in, uint32_t *out)
{
    const unsigned t = threadIdx.x;
    const uint32_t one = in[t], other = t % 4 == 0 ? (in[t + 256] & 0x83FF83FF) | 0x38003800 : in[t + 256];
    const __half a = __ushort_as_half((unsigned short)one), b = __ushort_as_half((unsigned short)(other >> 16));
    const __half c = __ushort_as_half((unsigned short)(one >> 16));
    arithmetic_of(a, b, c, out + t * 10);
    const float x = fmaf(1e-3f, __half2float(b), __half2float(a));
    out[t * 10 + 5] = bits_of(__float2half_rn(x)) | bits_of(__float2half_rz(x)) << 16;
    out[t * 10 + 6] = bits_of(__float2half_ru(x)) | bits_of(__float2half_rd(x)) << 16;
    out[t * 10 + 7] = (uint32_t)__half2int_rn(c);
    const __half2 pair = __hfma2(__halves2half2(a, b), __half2half2(c), __floats2half2_rn(0.3f, x));
    out[t * 10 + 8] = bits_of(__low2half(pair)) | bits_of(__high2half(pair)) << 16;
    out[t * 10 + 9] = __float_as_uint(__half2float(c));
}
RIGHT(halves, 1, 256, 0)

static __global__ void bfloats(const uint32_t *in, uint32_t *out)
{
    const unsigned t = threadIdx.x;
    const uint32_t one = in[t], other = t % 4 == 0 ? ((one ^ in[t + 256]) & 0x807F807F) ^ one : in[t + 256];
    const __nv_bfloat16 a = __ushort_as_bfloat16((unsigned short)one);
    const __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)other);
    const __nv_bfloat16 c = __ushort_as_bfloat16((unsigned short)(one >> 16));
    arithmetic_of(a, b, c, out + t * 7);
    out[t * 7 + 5] =
        bits_of(__float2bfloat16(__uint_as_float(other))) | bits_of(__float2bfloat16_rz(__uint_as_float(one))) << 16;
    out[t * 7 + 6] = __float_as_uint(__bfloat162float(c));
}
RIGHT(bfloats, 1, 256, 0)

static __global__ void cooperative(const uint32_t *in, uint32_t *out)
{
    const groups::thread_block block = groups::this_thread_block();
    const groups::thread_block_tile<32> warp = groups::tiled_partition<32>(block);
    const groups::thread_block_tile<8> eight = groups::tiled_partition<8>(warp);
    const unsigned t = block.thread_rank();
    uint32_t *to = out + t * 8;
    to[0] = groups::reduce(warp, in[t], groups::bit_xor<uint32_t>());
    to[1] = groups::reduce(eight, in[t], groups::less<uint32_t>());
    to[2] =
        eight.shfl_xor(in[t], 3) ^ warp.shfl_up(in[t], 5) ^ eight.shfl_down(in[t], 2) ^ warp.shfl(in[t], 31 - t % 32);
    to[3] = eight.ballot((int)(in[t] & 1)) | (uint32_t)(eight.any((int)(in[t] & 2)) != 0) << 8;
    to[4] = eight.meta_group_rank() | eight.meta_group_size() << 8 | warp.meta_group_rank() << 16;
    to[5] = eight.thread_rank() | warp.size() << 8 | block.size() << 16;
    to[6] = t % 32 < 16 ? groups::reduce(groups::tiled_partition<16>(block), in[t], groups::plus<uint32_t>())
                        : groups::reduce(groups::tiled_partition<4>(block), in[t], groups::greater<uint32_t>());
    to[7] = eight.match_any(in[t] % 3);
}
RIGHT(cooperative, 1, 64, 0)

/* Of whole numbers, so that no digit is lost. */
static __global__ void fragments(const uint32_t *in, uint32_t *out)
{
    using namespace nvcuda;
    __shared__ __align__(32) __half a[32 * 16], b[16 * 8];
    __shared__ __align__(32) float c[32 * 8];
    for (unsigned i = threadIdx.x; i < 32 * 16; i += 32) {
        a[i] = __float2half((float)(in[i] % 17) - 8);
        if (i < 16 * 8)
            b[i] = __float2half((float)(in[i + 512] % 9) - 4);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 32, 8, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 32, 8, 16, __half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 32, 8, 16, float> sums;
    wmma::fill_fragment(sums, 3.0f);
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    wmma::mma_sync(sums, left, right, sums);
    for (int i = 0; i < (int)sums.num_elements; i++)
        sums.x[i] *= 2;
    wmma::store_matrix_sync(c, sums, 32, wmma::mem_col_major);
    __syncwarp();
    for (unsigned i = threadIdx.x; i < 32 * 8; i += 32)
        out[i] = (uint32_t)(int)c[i];
}
RIGHT(fragments, 1, 32, 0)

/* CUB's primitives of warps and blocks, on whole numbers. */
static __global__ void primitives(const uint32_t *in, uint32_t *out)
{
    using load = cub::BlockLoad<uint32_t, 64, 2, cub::BLOCK_LOAD_STRIPED>;
    using store = cub::BlockStore<uint32_t, 64, 2>;
    using reduce = cub::BlockReduce<uint32_t, 64>;
    using scan = cub::BlockScan<uint32_t, 64>;
    using warp_reduce = cub::WarpReduce<uint32_t, 16>;
    using warp_scan = cub::WarpScan<uint32_t>;
    __shared__ typename load::TempStorage loads;
    __shared__ typename store::TempStorage stores;
    __shared__ typename reduce::TempStorage reduces;
    __shared__ typename scan::TempStorage scans;
    __shared__ typename warp_reduce::TempStorage warp_reduces[4];
    __shared__ typename warp_scan::TempStorage warp_scans[2];
    const unsigned t = threadIdx.x;
    uint32_t two[2], sums[2];
    load(loads).Load(in, two, 100, 7u);
    scan(scans).InclusiveSum(two, sums);
    store(stores).Store(out, sums);
    const uint32_t total = reduce(reduces).Sum(in[t], 50), most = warp_reduce(warp_reduces[t / 16]).Sum(in[t] % 1000);
    uint32_t before, least;
    warp_scan(warp_scans[t / 32]).ExclusiveSum(in[t] % 100, before);
    __syncwarp();
    warp_scan(warp_scans[t / 32]).InclusiveScan(in[t], least, groups::less<uint32_t>());
    out[128 + t] = before;
    out[192 + t] = least;
    if (t % 16 == 0)
        out[256 + t / 16] = most;
    if (t == 0)
        out[260] = total;
}
RIGHT(primitives, 1, 64, 0)
