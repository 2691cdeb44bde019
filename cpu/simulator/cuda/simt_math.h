/* Arithmetic of CUDA that C++ has under other names. */
#pragma once

#include <climits>
#include <cstring>
#include <math.h>
#include <type_traits>

/* Arguments of two types are compared in their common type: int and unsigned as unsigned, as in CUDA. */
template <typename A, typename B>
constexpr typename std::common_type<A, B>::type min(A a, B b)
{
    using T = typename std::common_type<A, B>::type;
    return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}

template <typename A, typename B>
constexpr typename std::common_type<A, B>::type max(A a, B b)
{
    using T = typename std::common_type<A, B>::type;
    return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}

namespace simt
{
template <typename To, typename From>
To bits_as(From from)
{
    static_assert(sizeof(To) == sizeof(From), "as many bits as before");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
} // namespace simt

static inline unsigned __float_as_uint(float x)
{
    return simt::bits_as<unsigned>(x);
}

static inline int __float_as_int(float x)
{
    return simt::bits_as<int>(x);
}

static inline float __uint_as_float(unsigned x)
{
    return simt::bits_as<float>(x);
}

static inline float __int_as_float(int x)
{
    return simt::bits_as<float>(x);
}

static inline float __fmaf_rn(float a, float b, float c)
{
    return fmaf(a, b, c);
}

static inline float __fadd_rn(float a, float b)
{
    return a + b;
}

static inline float __fmul_rn(float a, float b)
{
    return a * b;
}

static inline float rsqrtf(float x)
{
    return 1 / sqrtf(x);
}

/* To the nearest, ties to even. Values that do not fit become the nearest that do, NaN becomes 0. */
static inline int __float2int_rn(float x)
{
    if (isnan(x))
        return 0;
    return x >= 2147483648.0f ? INT_MAX : x < -2147483648.0f ? INT_MIN : (int)nearbyintf(x);
}

static inline unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}

static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}

static inline int __clz(int x)
{
    return x == 0 ? 32 : __builtin_clz((unsigned)x);
}

static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}
