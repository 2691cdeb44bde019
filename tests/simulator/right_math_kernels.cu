/* Intrinsics whose results are exact, what warps find out together, and the runtime as programs use it. */
#include "right_kernels.h"

#include "kernels/launch.h"

/* One word of all results. */
struct mix {
    unsigned long long sum;

    __device__ mix &operator<<(unsigned long long bits)
    {
        sum = (sum ^ bits) * 0x100000001B3ull;
        return *this;
    }
    __device__ mix &operator<<(float x)
    {
        return *this << (unsigned long long)(x == x ? __float_as_uint(x) : 0x7FFFFFFF);
    }
    __device__ mix &operator<<(double x)
    {
        return *this << (x == x ? (unsigned long long)__double_as_longlong(x) : 0x7FFFFFFFFFFFFFFFull);
    }
    __device__ mix &operator<<(unsigned bits)
    {
        return *this << (unsigned long long)bits;
    }
    __device__ mix &operator<<(int bits)
    {
        return *this << (unsigned)bits;
    }
    __device__ mix &operator<<(long long bits)
    {
        return *this << (unsigned long long)bits;
    }
    __device__ uint32_t word() const
    {
        return (uint32_t)(sum >> 32);
    }
};

static __global__ void integers(const uint32_t *in, uint32_t *out)
{
    unsigned a = in[threadIdx.x], b = in[threadIdx.x + 64] >> (threadIdx.x & 31), c = in[threadIdx.x + 128];
    int x = (int)a, y = (int)b, z = (int)c;
    unsigned long long p = (unsigned long long)a << 32 | c, q = (unsigned long long)c << 32 | b;
    mix all = {1};
    all << __brev(a) << __brevll(p) << __popcll(p) << __clzll((long long)q) << __ffsll((long long)q);
    all << __fns(a, b & 31, z % 5) << __byte_perm(a, b, c) << __funnelshift_l(a, b, c) << __funnelshift_r(a, b, c);
    all << __funnelshift_lc(a, b, c & 63) << __funnelshift_rc(a, b, c & 63) << __mulhi(x, y) << __umulhi(a, b);
    all << __mul64hi((long long)p, (long long)q) << __umul64hi(p, q) << __mul24(x, y) << __umul24(a, b);
    all << __sad(x, y, c) << __usad(a, b, c) << __hadd(x, y) << __rhadd(x, y) << __uhadd(a, b) << __urhadd(a, b);
    all << __dp4a(x, y, z) << __dp4a(a, b, c) << __dp2a_lo(x, y, z) << __dp2a_lo(a, b, c) << __dp2a_hi(x, y, z);
    all << __dp2a_hi(a, b, c) << max(x, b) << umin(a, b) << min((long long)p, (long long)q) << ullmax(p, q);
    out[threadIdx.x] = all.word();
}
RIGHT(integers, 1, 64, 0)

/* Of any bits: of NaN, infinity and numbers that do not fit, too. */
static __global__ void floats(const uint32_t *in, uint32_t *out)
{
    mix all = {1};
    for (unsigned i = threadIdx.x; i < 1024; i += 64) {
        unsigned a = in[i], b = in[i + 1024], c = in[i + 2048];
        float x = i % 4 == 0 ? 0.5f * (float)(int)(a % 64) - 16 : __uint_as_float(a), y = __uint_as_float(b);
        float z = __uint_as_float(c);
        double d = i % 3 == 0 ? x : __hiloint2double((int)a, (int)b), e = __hiloint2double((int)c, (int)a);
        long long wide = __double_as_longlong(d);
#define ROUNDINGS(name, ...) \
    all << name##_rn(__VA_ARGS__) << name##_rz(__VA_ARGS__) << name##_ru(__VA_ARGS__) << name##_rd(__VA_ARGS__)
        ROUNDINGS(__float2int, x), ROUNDINGS(__float2uint, x), ROUNDINGS(__float2ll, x), ROUNDINGS(__float2ull, x);
        ROUNDINGS(__double2int, d), ROUNDINGS(__double2uint, d), ROUNDINGS(__double2ll, d);
        ROUNDINGS(__double2ull, d), ROUNDINGS(__double2float, d), ROUNDINGS(__int2float, (int)a);
        ROUNDINGS(__uint2float, a), ROUNDINGS(__ll2float, wide), ROUNDINGS(__ull2double, (unsigned long long)wide);
        ROUNDINGS(__fadd, x, y), ROUNDINGS(__fsub, x, y), ROUNDINGS(__fmul, x, y), ROUNDINGS(__fdiv, x, y);
        ROUNDINGS(__frcp, x), ROUNDINGS(__fsqrt, x), ROUNDINGS(__fmaf, x, y, z), ROUNDINGS(__dadd, d, e);
        ROUNDINGS(__dmul, d, e), ROUNDINGS(__ddiv, d, e), ROUNDINGS(__dsqrt, d), ROUNDINGS(__fma, d, e, 1.3);
        all << __saturatef(x) << __frsqrt_rn(x) << __double2hiint(d) << __double2loint(d);
        all << max(x, __uint_as_float(0x7FFFFFFF)) << min(__uint_as_float(0xFFC00000), x) << __fdividef(1, 1e38f);
    }
    out[threadIdx.x] = all.word();
}
RIGHT(floats, 1, 64, 0)

/* Lanes find their like; an atomic for all that are in a branch; small types. */
static __global__ void warps(const uint32_t *in, uint32_t *out)
{
    __shared__ unsigned count[1];
    unsigned t = threadIdx.x, mine = in[t], all = 0xFFFFFFFF;
    int same = 0;
    if (t == 0)
        count[0] = 0;
    __syncthreads();
    out[t] = __match_any_sync(all, mine % 5) ^ __match_all_sync(all, mine, &same) ^ (unsigned)same;
    out[t] ^= __match_all_sync(all, 1.5f, &same) ^ (unsigned)same ^ (unsigned)__shfl_sync(all, (short)mine, 3);
    if (mine % 3 == 0) {
        unsigned active = __activemask(), first = (unsigned)__ffs((int)active) - 1, old = 0;
        if (t % 32 == first)
            old = atomicAdd_block(&count[0], (unsigned)__popc(active));
        __syncwarp(active);
        (void)__shfl_sync(active, old, (int)first);
    }
    __syncthreads();
    out[64 + t] = count[0];
    mix sums = {1};
    sums << __reduce_add_sync(all, mine) << __reduce_add_sync(all, (int)mine) << __reduce_min_sync(all, mine);
    sums << __reduce_min_sync(all, (int)mine) << __reduce_max_sync(all, mine) << __reduce_max_sync(all, (int)mine);
    sums << __reduce_and_sync(all, mine | 7) << __reduce_or_sync(all, mine & 7) << __reduce_xor_sync(all, mine);
    out[128 + t] = sums.word();
}
RIGHT(warps, 1, 64, 0)

/* Memory that is copied in all directions by functions of the runtime, and a kernel that is launched by pointers. */
static __constant__ uint32_t factors[4];
static __device__ uint32_t sums[64];

static __global__ void by_pointers(const uint32_t *in, size_t pitch, uint32_t *out)
{
    sums[threadIdx.x] = in[threadIdx.x / 16 * pitch / sizeof *in + threadIdx.x % 16] * factors[threadIdx.x % 4];
    out[threadIdx.x] = sums[threadIdx.x];
}

const char *right_runtime(const uint32_t *in, uint32_t *out, void *stream)
{
    static const uint32_t host[4] = {2, 3, 5, 7};
    cudaStream_t s = (cudaStream_t)stream;
    uint32_t *rows;
    size_t pitch, row = 16 * sizeof *in;
    if (cudaMallocPitch(&rows, &pitch, row, 4) != cudaSuccess)
        return launch_error(__func__);
    (void)cudaMemcpyToSymbolAsync(factors, host, sizeof host, 0, cudaMemcpyHostToDevice, s);
    (void)cudaMemcpy2DAsync(rows, pitch, in, row, row, 4, cudaMemcpyDeviceToDevice, s);
    void *arguments[] = {&rows, &pitch, &out};
    cudaError_t status = cudaLaunchKernel((const void *)by_pointers, dim3(1), dim3(64), arguments, 0, s);
    (void)cudaMemcpyFromSymbolAsync(out, sums, 8 * sizeof *out, 56 * sizeof *out, cudaMemcpyDeviceToDevice, s);
    (void)cudaStreamSynchronize(s);
    (void)cudaFree(rows);
    return status == cudaSuccess ? launch_error(__func__) : cudaGetErrorString(status);
}
