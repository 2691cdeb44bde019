/* CUDA's arithmetic that C++ has under other names. */
#ifndef RUNGBENCH_SIMT_MATH_H
#define RUNGBENCH_SIMT_MATH_H

#include <cstring>
#include <math.h>

template <typename T>
constexpr T min(T a, T b)
{
    return b < a ? b : a;
}

template <typename T>
constexpr T max(T a, T b)
{
    return a < b ? b : a;
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

#endif
