/* Numbers of 16 bits, by way of double: their sums, products and quotients have so few digits that rounding twice,
 * first to double, is as good as once. Only a fused product and sum needs care. */
#pragma once

#include "simt_float.h"
#include "simt_memory.h"
#include "simt_types.h"

#include <cmath>
#include <cstdint>

namespace simt
{
struct small_format {
    int fraction, least, most; /* bits, and the exponents of numbers that are not subnormal */
    unsigned infinity;
};
constexpr small_format fp16 = {10, -14, 15, 0x7C00}, bf16 = {7, -126, 127, 0x7F80};

enum class rounding { rn, rz, rd, ru };

/* 2^exponent, for -1022 to 1023. */
SIMT_VALUE(double, power_of_two, (int exponent), bits_as<double>((uint64_t)(exponent + 1023) << 52))

/* Behind its last place a number is rounded as a whole number is, also where that carries into the exponent. NaN is
 * 0x7FFF, as the CUDA Math API has it for both formats. */
SIMT_PLAIN inline uint16_t small_bits(const small_format &format, double x, rounding how = rounding::rn)
{
    const bool negative = std::signbit(x), away = how == rounding::rd ? negative : how == rounding::ru && !negative;
    const unsigned sign = negative ? 0x8000 : 0;
    if (std::isnan(x))
        return 0x7FFF;
    int exponent = (int)(bits_as<uint64_t>(x) >> 52 & 0x7FF) - 1023;
    exponent = exponent < format.least ? format.least : exponent;
    if (exponent > format.most)
        return (uint16_t)(sign | (format.infinity - (std::isinf(x) || away || how == rounding::rn ? 0 : 1)));
    const double places = std::fabs(x) * power_of_two(format.fraction - exponent);
    const unsigned whole = (unsigned)places;
    const double rest = places - whole;
    const bool up = how == rounding::rn ? rest > 0.5 || (rest == 0.5 && whole % 2 == 1) : away && rest > 0;
    return (uint16_t)(sign | (((unsigned)(exponent - format.least) << format.fraction) + whole + (up ? 1 : 0)));
}

SIMT_PLAIN inline float small_value(const small_format &format, unsigned bits)
{
    if (format.fraction == bf16.fraction)
        return bits_as<float>(bits << 16);
    const unsigned exponent = bits >> 10 & 0x1F, fraction = bits & 0x3FF;
    if (exponent == 0x1F && fraction != 0)
        return bits_as<float>(0x7FFFFFFFu); /* as an H100 has it */
    const double size = exponent == 0x1F ? (double)INFINITY
                        : exponent == 0  ? fraction * 0x1p-24
                                         : (1024 + fraction) * power_of_two((int)exponent - 25);
    return (float)((bits & 0x8000) != 0 ? -size : size);
}

/* a b + c, whose last bit is set where digits are lost, so that it can be rounded again (S. Boldo, G. Melquiond,
 * "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd"). a b is exact. */
SIMT_PLAIN inline double fma_to_odd(double a, double b, double c)
{
    const double product = a * b, sum = product + c, part = sum - product;
    const double lost = (product - (sum - part)) + (c - part);
    uint64_t bits = bits_as<uint64_t>(sum);
    if (!std::isfinite(sum) || lost == 0 || bits % 2 == 1)
        return sum;
    bits = (lost > 0) == (sum > 0) ? bits + 1 : bits - 1;
    return bits_as<double>(bits);
}

/* Of two numbers, one of which may be NaN; -0 is below 0. */
SIMT_PLAIN inline float small_max(float a, float b)
{
    return std::isnan(a) ? b : std::isnan(b) ? a : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}

SIMT_VALUE(float, small_min, (float a, float b), -small_max(-a, -b))

/* NaN becomes 0 (CUDA Math API, "saturation"). */
SIMT_VALUE(double, clamped, (double x), x > 0 ? (x < 1 ? x : 1) : 0)
SIMT_VALUE(double, not_negative, (double x), x < 0 ? 0 : x)
} // namespace simt
