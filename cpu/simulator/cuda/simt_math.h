/* Functions of the CUDA Math API that C++ lacks (chapters "Single Precision" and "Double Precision Mathematical
 * Functions"). Those of C++ are glibc's. A result here is as precise as CUDA's, or more.
 *
 * Newer glibcs declare some of the same functions: inline and noexcept, these define what was declared there. */
#pragma once

#include "simt_plain.h"

#include <limits>
#include <math.h>
#include <stdlib.h>

/* "Min and max of (NaN, number) is the number": fminf(), fmaxf(). No templates, so that std::min is no rival of theirs
 * where `using namespace std` stands. */
#define SIMT_MIN_MAX(T, A, B)                                                                                        \
    SIMT_CONSTANT(T, min, (A a, B b), static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a)) \
    SIMT_CONSTANT(T, max, (A a, B b), static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a))
#define SIMT_MIN_MAX_OF(S)                           \
    SIMT_MIN_MAX(S, S, S)                            \
    SIMT_MIN_MAX(unsigned S, unsigned S, unsigned S) \
    SIMT_MIN_MAX(unsigned S, S, unsigned S)          \
    SIMT_MIN_MAX(unsigned S, unsigned S, S)
SIMT_MIN_MAX_OF(int)
SIMT_MIN_MAX_OF(long)
SIMT_MIN_MAX_OF(long long)

#define SIMT_MIN_MAX_REAL(T, A, B, smaller, larger) \
    SIMT_RETURNS(T, min, (A a, B b), smaller(a, b)) \
    SIMT_RETURNS(T, max, (A a, B b), larger(a, b))
SIMT_MIN_MAX_REAL(float, float, float, fminf, fmaxf)
SIMT_MIN_MAX_REAL(double, double, double, fmin, fmax)
SIMT_MIN_MAX_REAL(double, float, double, fmin, fmax)
SIMT_MIN_MAX_REAL(double, double, float, fmin, fmax)

#define SIMT_MIN_MAX_NAMED(prefix, T)                    \
    SIMT_CONSTANT(T, prefix##min, (T a, T b), min(a, b)) \
    SIMT_CONSTANT(T, prefix##max, (T a, T b), max(a, b))
SIMT_MIN_MAX_NAMED(u, unsigned)
SIMT_MIN_MAX_NAMED(ll, long long)
SIMT_MIN_MAX_NAMED(ull, unsigned long long)

namespace simt
{
constexpr double pi = 3.14159265358979323846, sqrt_half = 0.70710678118654752440;

/* -1/2 to 1/2. */
SIMT_RETURNS(double, sin_of_half_turns, (double x), sin(pi *x))

inline double sinpi(double x)
{
    const double r = remainder(x, 2);
    const double sine = sin_of_half_turns(fabs(r) > 0.5 ? copysign(1 - fabs(r), r) : r);
    return sine == 0 ? copysign(0, x) : sine;
}

SIMT_RETURNS(double, cospi, (double x), sin_of_half_turns(0.5 - fabs(remainder(x, 2))))

SIMT_RETURNS(double, normcdf, (double x), erfc(-x *sqrt_half) / 2)
} // namespace simt

/* name(double), namef(float), and name(float), which is the same. */
#define SIMT_MATH(name, parameters, float_parameters, value)                           \
    SIMT_RETURNS(double, name, parameters noexcept, value)                             \
    SIMT_RETURNS(float, name##f, float_parameters noexcept, static_cast<float>(value)) \
    SIMT_RETURNS(float, name, float_parameters noexcept, static_cast<float>(value))
#define SIMT_MATH_1(name, value) SIMT_MATH(name, (double x), (float x), value)
SIMT_MATH_1(rsqrt, 1 / sqrt((double)x))
SIMT_MATH_1(rcbrt, 1 / cbrt((double)x))
SIMT_MATH_1(sinpi, simt::sinpi(x))
SIMT_MATH_1(cospi, simt::cospi(x))
SIMT_MATH_1(normcdf, simt::normcdf(x))
SIMT_MATH(rhypot, (double x, double y), (float x, float y), 1 / hypot((double)x, (double)y))
#define SIMT_HYPOT_3 hypot(hypot((double)x, (double)y), (double)z)
SIMT_MATH(norm3d, (double x, double y, double z), (float x, float y, float z), SIMT_HYPOT_3)
SIMT_MATH(rnorm3d, (double x, double y, double z), (float x, float y, float z), 1 / SIMT_HYPOT_3)
#define SIMT_HYPOT_4 hypot(SIMT_HYPOT_3, (double)w)
SIMT_MATH(norm4d, (double x, double y, double z, double w), (float x, float y, float z, float w), SIMT_HYPOT_4)
SIMT_MATH(rnorm4d, (double x, double y, double z, double w), (float x, float y, float z, float w), 1 / SIMT_HYPOT_4)

SIMT_RETURNS(float, exp10, (float x) noexcept, exp10f(x))

inline void sincos(float x, float *sine, float *cosine) noexcept
{
    *sine = sinf(x);
    *cosine = cosf(x);
}

inline void sincospif(float x, float *sine, float *cosine) noexcept
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}

SIMT_RETURNS(void, sincospi, (float x, float *sine, float *cosine) noexcept, sincospif(x, sine, cosine))

inline void sincospi(double x, double *sine, double *cosine) noexcept
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}

SIMT_RETURNS(float, fdividef, (float x, float y) noexcept, x / y)
