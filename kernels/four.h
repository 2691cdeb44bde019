/* Four neighbours in a row of a matrix at a time. WIDE: rows begin at multiples of 16 bytes and are whole float4s, so
 * that one access moves all four; else each moves by itself. */
#pragma once

#include <cuda_runtime.h>

/* The four from from[0] on, of which `there` are in the matrix; zeros for the others. */
template <bool WIDE>
static __device__ __forceinline__ float4 load_four(const float *from, int there)
{
    if (WIDE)
        return there > 0 ? *(const float4 *)from : make_float4(0, 0, 0, 0);
    return make_float4(there > 0 ? from[0] : 0.0f, there > 1 ? from[1] : 0.0f, there > 2 ? from[2] : 0.0f,
                       there > 3 ? from[3] : 0.0f);
}

/* Stores the first `there` of the four; the others lie outside the matrix. nvcc makes four stores of a plain
 * *(float4 *)to = four, so the store is asked for by name. */
template <bool WIDE>
static __device__ __forceinline__ void store_four(float *to, float4 four, int there)
{
    if (WIDE) {
        if (there > 0)
            __stcg((float4 *)to, four);
        return;
    }
    if (there > 0)
        to[0] = four.x;
    if (there > 1)
        to[1] = four.y;
    if (there > 2)
        to[2] = four.z;
    if (there > 3)
        to[3] = four.w;
}

/* Adds the first `there` of the four to what is there, each in an atomic operation; on sm_90 with CUDA 12.1 or later,
 * four that are aligned in one. */
static __device__ __forceinline__ void add_four(float *to, float4 four, int there)
{
#if __CUDA_ARCH__ >= 900 && CUDART_VERSION >= 12010
    if (there == 4 && (size_t)to % sizeof(float4) == 0) {
        atomicAdd((float4 *)to, four);
        return;
    }
#endif
    if (there > 0)
        atomicAdd(to, four.x);
    if (there > 1)
        atomicAdd(to + 1, four.y);
    if (there > 2)
        atomicAdd(to + 2, four.z);
    if (there > 3)
        atomicAdd(to + 3, four.w);
}

/* The four as elements of an array, for loops that run over them, and back. */
static __device__ __forceinline__ void unpack(float4 four, float *to)
{
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}

static __device__ __forceinline__ float4 pack(const float *from)
{
    return make_float4(from[0], from[1], from[2], from[3]);
}
