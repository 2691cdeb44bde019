/* Intrinsics of the CUDA Math API on float and double: bits, arithmetic and conversions with a rounding of their own,
 * fast functions. */
#pragma once

#include "simt_math.h"
#include "simt_plain.h"

#include <cstdint>
#include <cstring>
#include <fenv.h>
#include <limits>
#include <math.h>

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

#define SIMT_BITS(name, To, From) SIMT_RETURNS(To, name, (From x), simt::bits_as<To, From>(x))
SIMT_BITS(__float_as_uint, unsigned, float)
SIMT_BITS(__float_as_int, int, float)
SIMT_BITS(__uint_as_float, float, unsigned)
SIMT_BITS(__int_as_float, float, int)
SIMT_BITS(__double_as_longlong, long long, double)
SIMT_BITS(__longlong_as_double, double, long long)

SIMT_RETURNS(int, __double2hiint, (double x), (int)(__double_as_longlong(x) >> 32))
SIMT_RETURNS(int, __double2loint, (double x), (int)__double_as_longlong(x))
SIMT_RETURNS(double, __hiloint2double, (int high, int low),
             __longlong_as_double((long long)((uint64_t)(unsigned)high << 32 | (unsigned)low)))

namespace simt
{
/* So that the compiler does not move what is done with it. */
template <typename T>
SIMT_PLAIN T hidden(T x)
{
    volatile T there = x;
    return there;
}

template <typename T, int MODE, typename F, typename... A>
SIMT_PLAIN T rounded(F operation, A... operands)
{
    const int before = fegetround();
    fesetround(MODE);
    const T result = hidden(operation(hidden(operands)...));
    fesetround(before);
    return result;
}
} // namespace simt

/* An operation in all four roundings: name_rn(), name_rz(), name_ru(), name_rd(). */
#define SIMT_ROUNDED(name, To, parameters, arguments, value)                                                  \
    SIMT_VALUE(To, name##_rn, parameters, static_cast<To>(value))                                             \
    SIMT_RETURNS(To, name##_rz, parameters, simt::rounded<To, FE_TOWARDZERO>(name##_rn, SIMT_OPEN arguments)) \
    SIMT_RETURNS(To, name##_ru, parameters, simt::rounded<To, FE_UPWARD>(name##_rn, SIMT_OPEN arguments))     \
    SIMT_RETURNS(To, name##_rd, parameters, simt::rounded<To, FE_DOWNWARD>(name##_rn, SIMT_OPEN arguments))
#define SIMT_ROUNDED_ARITHMETIC(T, letter, fma_name, fma_function, root) \
    SIMT_ROUNDED(__##letter##add, T, (T x, T y), (x, y), x + y)          \
    SIMT_ROUNDED(__##letter##sub, T, (T x, T y), (x, y), x - y)          \
    SIMT_ROUNDED(__##letter##mul, T, (T x, T y), (x, y), x *y)           \
    SIMT_ROUNDED(__##letter##div, T, (T x, T y), (x, y), x / y)          \
    SIMT_ROUNDED(__##letter##rcp, T, (T x), (x), 1 / x)                  \
    SIMT_ROUNDED(__##letter##sqrt, T, (T x), (x), root(x))               \
    SIMT_ROUNDED(fma_name, T, (T x, T y, T z), (x, y, z), fma_function(x, y, z))
SIMT_ROUNDED_ARITHMETIC(float, f, __fmaf, fmaf, sqrtf)
SIMT_ROUNDED_ARITHMETIC(double, d, __fma, fma, sqrt)
SIMT_ROUNDED(__fmaf_ieee, float, (float x, float y, float z), (x, y, z), fmaf(x, y, z))
SIMT_ROUNDED(__int2float, float, (int x), (x), x)
SIMT_ROUNDED(__uint2float, float, (unsigned x), (x), x)
SIMT_ROUNDED(__ll2float, float, (long long x), (x), x)
SIMT_ROUNDED(__ull2float, float, (unsigned long long x), (x), x)
SIMT_ROUNDED(__ll2double, double, (long long x), (x), x)
SIMT_ROUNDED(__ull2double, double, (unsigned long long x), (x), x)
SIMT_ROUNDED(__double2float, float, (double x), (x), x)

SIMT_RETURNS(double, __int2double_rn, (int x), x)
SIMT_RETURNS(double, __uint2double_rn, (unsigned x), x)
SIMT_RETURNS(float, __frsqrt_rn, (float x), static_cast<float>(1 / sqrt((double)x)))

namespace simt
{
/* Of a whole number. What does not fit becomes the nearest that does (PTX ISA, "cvt"). */
template <typename To, typename From>
To whole(From x)
{
    using limits = std::numeric_limits<To>;
    constexpr To not_a_number = static_cast<To>(uint64_t{1} << (8 * sizeof(To) - 1));
    if (isnan(x))
        return sizeof(To) == 8 || sizeof(From) == 8 ? not_a_number : To{0};
    if (x >= ldexp(From{1}, limits::digits))
        return limits::max();
    return x < static_cast<From>(limits::min()) ? limits::min() : static_cast<To>(x);
}
} // namespace simt

#define SIMT_WHOLE(name, To, From)                                             \
    SIMT_RETURNS(To, name##_rn, (From x), simt::whole<To, From>(nearbyint(x))) \
    SIMT_RETURNS(To, name##_rz, (From x), simt::whole<To, From>(trunc(x)))     \
    SIMT_RETURNS(To, name##_ru, (From x), simt::whole<To, From>(ceil(x)))      \
    SIMT_RETURNS(To, name##_rd, (From x), simt::whole<To, From>(floor(x)))
#define SIMT_WHOLES(name, From)             \
    SIMT_WHOLE(name##2int, int, From)       \
    SIMT_WHOLE(name##2uint, unsigned, From) \
    SIMT_WHOLE(name##2ll, long long, From)  \
    SIMT_WHOLE(name##2ull, unsigned long long, From)
SIMT_WHOLES(__float, float)
SIMT_WHOLES(__double, double)

/* CUDA C++ Programming Guide, "Intrinsic Functions": of what they are made. Their errors grow as there, but for the
 * last bits. */
SIMT_RETURNS(float, __fdividef, (float x, float y), fabsf(y) > 0x1p126f && !isinf(y) ? x * copysignf(0, y) : x / y)
SIMT_RETURNS(float, __saturatef, (float x), x > 0 ? fminf(x, 1) : 0)
SIMT_RETURNS(float, __expf, (float x), exp2f(x * 1.44269504f))
SIMT_RETURNS(float, __exp10f, (float x), exp2f(x * 3.32192809f))
SIMT_RETURNS(float, __log2f, (float x), log2f(x))
SIMT_RETURNS(float, __logf, (float x), log2f(x) * 0.693147181f)
SIMT_RETURNS(float, __log10f, (float x), log2f(x) * 0.301029996f)
SIMT_RETURNS(float, __powf, (float x, float y), exp2f(log2f(x) * y))

namespace simt
{
/* In half turns, as coarse as sin.approx takes it on an H100: far from 0 little is left, and __sinf(1e-7f) is 0. */
SIMT_RETURNS(double, half_turns, (float x), nearbyint(x * 0.159154943f * 0x1p24) * 0x1p-23)
} // namespace simt

SIMT_RETURNS(float, __sinf, (float x), static_cast<float>(simt::sinpi(simt::half_turns(x))))
SIMT_RETURNS(float, __cosf, (float x), static_cast<float>(simt::cospi(simt::half_turns(x))))

inline void __sincosf(float x, float *sine, float *cosine)
{
    *sine = __sinf(x);
    *cosine = __cosf(x);
}

SIMT_RETURNS(float, __tanf, (float x), __fdividef(__sinf(x), __cosf(x)))
SIMT_RETURNS(float, __tanhf, (float x), tanhf(x))
