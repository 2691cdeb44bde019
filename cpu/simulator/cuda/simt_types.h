/* The built-in vector types of CUDA with their alignments (CUDA C++ Programming Guide, "Built-in Vector Types"). */
#pragma once

#include "cpu/simulator/sim_launch.h"
#include "simt_plain.h"

#define SIMT_STRUCT(name, T, ...) \
    struct name {                 \
        T __VA_ARGS__;            \
    };
#define SIMT_VECTOR(T, name, align2, align4)                          \
    SIMT_STRUCT(name##1, T, x)                                        \
    SIMT_STRUCT(alignas(align2) name##2, T, x, y)                     \
    SIMT_VECTOR_OF_3(T, name)                                         \
    SIMT_STRUCT(alignas(align4) name##4, T, x, y, z, w)               \
    SIMT_RETURNS(name##1, make_##name##1, (T x), {x})                 \
    SIMT_RETURNS(name##2, make_##name##2, (T x, T y), {x, y})         \
    SIMT_RETURNS(name##3, make_##name##3, (T x, T y, T z), {x, y, z}) \
    SIMT_RETURNS(name##4, make_##name##4, (T x, T y, T z, T w), {x, y, z, w})

#define SIMT_VECTOR_OF_3(T, name) SIMT_STRUCT(name##3, T, x, y, z)
SIMT_VECTOR(signed char, char, 2, 4)
SIMT_VECTOR(unsigned char, uchar, 2, 4)
SIMT_VECTOR(short, short, 4, 8)
SIMT_VECTOR(unsigned short, ushort, 4, 8)
SIMT_VECTOR(int, int, 8, 16)
SIMT_VECTOR(long, long, 16, 16)
SIMT_VECTOR(unsigned long, ulong, 16, 16)
SIMT_VECTOR(long long, longlong, 16, 16)
SIMT_VECTOR(unsigned long long, ulonglong, 16, 16)
SIMT_VECTOR(float, float, 8, 16)
SIMT_VECTOR(double, double, 16, 16)
#undef SIMT_VECTOR_OF_3
#define SIMT_VECTOR_OF_3(T, name) /* uint3 is in sim_launch.h, for C too */
SIMT_VECTOR(unsigned, uint, 8, 16)
#undef SIMT_VECTOR_OF_3

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    constexpr operator uint3() const
    {
        return {x, y, z};
    }
};
