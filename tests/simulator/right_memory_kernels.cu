/* Memory: atomics, vectors, loads and stores with a hint, asynchronous copies; and arithmetic under CUDA's names. */
#include "right_kernels.h"

#include "kernels/launch.h"

/* 300 threads in 3 blocks. Each number that they make together is the same in whichever order they come. */
static __global__ void begin_atomics(uint32_t *out)
{
    for (unsigned i = threadIdx.x; i < 332; i += blockDim.x)
        out[i] = i == 6 || i == 8 ? 0xFFFFFFFF : i == 24 || i == 25 ? 50 : 0;
}

static __global__ void atomics(const uint32_t *in, uint32_t *out)
{
    __shared__ unsigned counts[4];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    uint32_t mine = in[i];
    if (t < 4)
        counts[t] = 0;
    __syncthreads();
    atomicAdd(&counts[mine % 4], 1u);
    unsigned ticket = atomicAdd(&out[0], 1u);
    atomicAdd(&out[32 + ticket], 1u); /* nobody gets the same */
    atomicAdd((int *)&out[1], -(int)(mine % 100));
    atomicAdd((unsigned long long *)&out[2], (unsigned long long)mine << 20);
    atomicAdd((float *)(void *)&out[4], (float)(mine % 64)); /* exact */
    atomicMax(&out[5], mine);
    atomicMin(&out[6], mine);
    atomicMax((int *)&out[7], (int)mine);
    atomicAnd(&out[8], mine | 0xFFFF0000);
    atomicOr(&out[9], mine & 0x1111);
    atomicXor(&out[10], mine);
    atomicInc(&out[11], 10);
    atomicDec(&out[12], 12);
    atomicInc(&out[24], 10); /* from 50, which is too much */
    atomicDec(&out[25], 12);
    atomicSub(&out[13], mine);
    atomicMin((int *)&out[14], (int)mine);
    atomicAdd(&out[15], atomicExch(&out[16], mine)); /* what has been taken out; the rest is still in */
    unsigned seen = out[17], old;
    do { /* adds without adding */
        old = seen;
        seen = atomicCAS(&out[17], old, old + (mine | 1));
    } while (seen != old);
    unsigned long long wide = 0;
    for (unsigned long long before = 1; before != wide;) {
        before = wide;
        wide = atomicCAS((unsigned long long *)&out[18], before, before + mine);
    }
    __syncthreads();
    if (t < 4)
        atomicAdd(&out[20 + t], counts[t]);
}

static __global__ void end_atomics(uint32_t *out)
{
    out[15] += out[16];
    out[16] = 0;
}

const char *right_atomics(const uint32_t *in, uint32_t *out, void *stream)
{
    LAUNCH(begin_atomics, 1, 64, 0, (cudaStream_t)stream, out);
    LAUNCH(atomics, 3, 100, 0, (cudaStream_t)stream, in, out);
    LAUNCH(end_atomics, 1, 1, 0, (cudaStream_t)stream, out);
    return launch_error(__func__);
}

template <typename T>
static __device__ uint32_t misaligned_by(const T *address)
{
    return (uint32_t)((uintptr_t)address % alignof(T));
}

static __global__ void alignment(const uint32_t *in, uint32_t *out)
{
    __shared__ uint8_t bytes[3];
    __shared__ double doubles[5];
    __shared__ float4 vectors[3];
    DYNAMIC_SHARED(float4, dynamic);
    unsigned t = threadIdx.x;
    bytes[t] = (uint8_t)in[t];
    __syncthreads();
    out[t] = bytes[2 - t];
    out[3 + t] = misaligned_by(&doubles[t]);
    out[6 + t] = misaligned_by(&vectors[t]);
    out[9 + t] = misaligned_by(&dynamic[t]);
}

/* Whatever the number of bytes. */
const char *right_alignment(const uint32_t *in, uint32_t *out, void *stream)
{
    static const unsigned rests[] = {0, 1, 4, 8, 12};
    for (int i = 0; i < 5; i++)
        LAUNCH(alignment, 1, 3, 3 * sizeof(float4) + rests[i], (cudaStream_t)stream, in + i, out + 12 * i);
    return launch_error(__func__);
}

template <typename T>
static __device__ uint32_t layout()
{
    return (uint32_t)(sizeof(T) << 8 | alignof(T));
}

static __global__ void vectors(const uint32_t *in, uint32_t *out)
{
    unsigned t = threadIdx.x;
    float4 f = ((const float4 *)in)[t];
    ((float4 *)out)[t] = make_float4(f.w, f.z, f.y, f.x);
    uchar4 bytes = ((const uchar4 *)in)[t];
    ((uchar4 *)out)[128 + t] = make_uchar4(bytes.z, bytes.w, bytes.x, bytes.y);
    uint2 pair = ((const uint2 *)in)[t];
    uint3 three = make_uint3(pair.x, pair.y, 5);
    out[160 + t] = three.x - three.y + three.z;
    const uint32_t layouts[] = {layout<char1>(),   layout<char2>(),     layout<uchar3>(),     layout<uchar4>(),
                                layout<short2>(),  layout<ushort4>(),   layout<int2>(),       layout<int3>(),
                                layout<uint4>(),   layout<float2>(),    layout<float3>(),     layout<float4>(),
                                layout<double2>(), layout<longlong2>(), layout<ulonglong2>(), layout<uint3>(),
                                layout<double1>(), layout<short3>(),    layout<longlong1>(),  layout<dim3>()};
    out[192 + t] = t < sizeof layouts / sizeof layouts[0] ? layouts[t] : 0;
}
RIGHT(vectors, 1, 32, 0)

static __global__ void hints(const uint32_t *in, uint32_t *out)
{
    unsigned t = threadIdx.x;
    __stcs(&out[t], __ldg(&in[t]) + __ldcg(&in[t + 1]));
    __stcg(&out[32 + t], __ldca(&in[t]) ^ __ldcs(&in[t + 2]));
    __stwb(&out[64 + t], __ldlu(&in[t]));
    __stwt(&out[96 + t], __ldcv(&in[t]));
    float4 four = __ldg((const float4 *)in + t);
    __stcs((float4 *)(out + 128) + t, make_float4(four.y, four.x, four.w, four.z));
    uint2 two = __ldcs((const uint2 *)in + t);
    __stcs((uint2 *)(out + 256) + t, make_uint2(two.y, two.x));
}
RIGHT(hints, 1, 32, 0)

static __global__ void arithmetic(const uint32_t *in, uint32_t *out)
{
    unsigned t = threadIdx.x;
    uint32_t mine = t == 0 ? 0 : in[t] >> t % 32;
    float a = __uint_as_float(0x3F800000 | in[t] >> 9), b = __int_as_float(0x40000000 | (int)(in[t + 64] >> 9));
    out[t] = (uint32_t)__popc(mine);
    out[64 + t] = (uint32_t)__clz((int)mine);
    out[128 + t] = (uint32_t)__ffs((int)mine);
    out[192 + t] = __float_as_uint(__fmaf_rn(a, b, -a));
    out[256 + t] = (uint32_t)__float_as_int(fmaf(a, a, b));
    out[320 + t] = min(mine, in[t + 1]) + 3 * max(mine, in[t + 1]);
    out[384 + t] = __float_as_uint(fminf(a, b) - fmaxf(a, 1.5f));
}
RIGHT(arithmetic, 1, 64, 0)

/* Each width of copy; others read what a thread copied. */
static __global__ void copies(const uint32_t *in, uint32_t *out)
{
    __shared__ uint32_t four[64];
    __shared__ uint2 eight[64];
    __shared__ uint4 sixteen[64];
    unsigned t = threadIdx.x;
    copy_async(&four[t], &in[t]);
    copy_async(&eight[t], (const uint2 *)in + t);
    copy_async(&sixteen[t], (const uint4 *)in + t);
    copy_async_commit();
    copy_async_wait(0);
    __syncthreads();
    unsigned other = 63 - t;
    out[t] = four[other];
    ((uint2 *)(out + 64))[t] = eight[other];
    ((uint4 *)(out + 192))[t] = sixteen[other];
    uint4 sum = sixteen[t];
    out[448 + t] = sum.x + sum.y + sum.z + sum.w;
    __syncthreads();
    copy_async(&four[t], &in[64 + t]); /* the same place again, now that all have read */
    copy_async(&eight[t], (const uint2 *)in + 64 + t);
    copy_async_commit();
    copy_async_wait(0);
    __syncthreads();
    out[512 + t] = four[other];
    ((uint2 *)(out + 576))[t] = eight[other];
}
RIGHT(copies, 1, 64, 0)

/* What CUDA has besides: constants, functions that are not inlined and take shared arrays, loops to unroll, the smaller
 * of two types, memory set on the stream, more shared memory than 48 KiB. */
static __constant__ uint32_t odd[4] = {1, 3, 5, 7};

template <typename Tile>
static __device__ __noinline__ uint32_t sum_of_row(Tile tile, int row)
{
    uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
        sum += tile[row][i] * odd[i];
    return sum;
}

static __global__ void __launch_bounds__(64) language(const uint32_t *__restrict__ in, uint32_t *__restrict__ out)
{
    __shared__ uint32_t tile[16][5];
    DYNAMIC_SHARED(uint32_t, far);
    int t = (int)threadIdx.x;
    tile[t / 4][t % 4] = in[t];
    far[200 * t] = in[64 + t];
    __syncthreads();
    uint32_t row = min(t, 15u);
    out[t] += sum_of_row(tile, (int)row) + __umulhi(in[t], 0x80000000u);
    out[64 + t] = far[200 * (63 - t)] + (uint32_t)__float2int_rn(__fadd_rn(__fmul_rn((float)t, 0.5f), rsqrtf(4)));
}

const char *right_language(const uint32_t *in, uint32_t *out, void *stream)
{
    constexpr int BYTES = 200 * 64 * sizeof *in;
    if (cudaFuncSetAttribute(language, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES) != cudaSuccess ||
        cudaMemsetAsync(out, 1, 64 * sizeof *out, (cudaStream_t)stream) != cudaSuccess)
        return launch_error(__func__);
    LAUNCH(language, 1, 64, BYTES, (cudaStream_t)stream, in, out);
    return launch_error(__func__);
}

/* A kernel that takes its time, and one that may begin before it has ended. */
static __global__ void hurried(const uint32_t *in, uint32_t *out)
{
    allow_early_launch();
    uint32_t word = in[threadIdx.x];
    for (int i = 0; i < 500; i++)
        word = in[word % RIGHT_INPUT] + 1;
    out[threadIdx.x] = word;
}

static __global__ void early(uint32_t *out)
{
    wait_for_last_launch();
    out[64 + threadIdx.x] = out[63 - threadIdx.x];
}

const char *right_early(const uint32_t *in, uint32_t *out, void *stream)
{
    LAUNCH(hurried, 1, 64, 0, (cudaStream_t)stream, in, out);
    LAUNCH_EARLY(early, 1, 64, 0, (cudaStream_t)stream, out);
    return launch_error(__func__);
}
