#include "sim_ptx_code.h"

#include "cpu/simulator/cuda/simt_float.h"
#include "cpu/simulator/cuda/simt_integer.h"
#include "cpu/simulator/cuda/simt_small_float.h"
#include "sim_mma.h"

#include <algorithm>
#include <cfloat>

namespace ptx
{
namespace
{
bool is_float(type type)
{
    return strchr("fht", type.kind) != nullptr;
}

const simt::small_format &format_of(type type)
{
    return type.kind == 'h' ? simt::bf16 : simt::fp16;
}

uint64_t cut(type type, uint64_t bits)
{
    return type.bits < 64 ? bits & ((UINT64_C(1) << type.bits) - 1) : bits;
}

int64_t least(type type)
{
    return type.kind == 's' ? INT64_MIN >> (64 - type.bits) : 0;
}

uint64_t most(type type)
{
    return UINT64_MAX >> (64 - type.bits + (type.kind == 's' ? 1 : 0));
}

/* To a whole number there is an i behind it. */
simt::rounding rounding_of(const instruction &i)
{
    return has(i, "rz") || has(i, "rzi")   ? simt::rounding::rz
           : has(i, "rm") || has(i, "rmi") ? simt::rounding::rd
           : has(i, "rp") || has(i, "rpi") ? simt::rounding::ru
                                           : simt::rounding::rn;
}

/* Of a double, or of a whole number of 64 bits: a long double holds both. */
uint64_t float_bits(long double x, simt::rounding how)
{
    float nearest = (float)x;
    const bool is_above = nearest > x, is_below = nearest < x;
    if ((is_above && (how == simt::rounding::rd || (how == simt::rounding::rz && x > 0))) ||
        (is_below && (how == simt::rounding::ru || (how == simt::rounding::rz && x < 0))))
        nearest = nextafterf(nearest, is_above ? -HUGE_VALF : HUGE_VALF);
    return std::isnan(x) ? 0x7FFFFFFF : simt::bits_as<uint32_t>(nearest);
}

uint64_t rounded_bits(type type, double x, simt::rounding how)
{
    return type.kind == 't'  ? sim_tf32_round((float)x)
           : type.bits == 64 ? simt::bits_as<uint64_t>(x)
           : type.bits == 32 ? float_bits(x, how)
                             : simt::small_bits(format_of(type), x, how);
}

double fused(type type, double a, double b, double c)
{
    return type.bits == 64   ? fma(a, b, c)
           : type.bits == 32 ? (double)fmaf((float)a, (float)b, (float)c)
                             : simt::fma_to_odd(a, b, c);
}

double larger(const instruction &i, double a, double b)
{
    if (std::isnan(a) || std::isnan(b))
        return has(i, "NaN") || std::isnan(b) ? a + (has(i, "NaN") ? b : 0) : b;
    return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}

uint64_t product(const instruction &i, type type, uint64_t a, uint64_t b)
{
    const simt_uint128 whole =
        type.kind == 's' ? (simt_uint128)((simt_int128)(int64_t)a * (int64_t)b) : (simt_uint128)a * b;
    return has(i, "hi") ? (uint64_t)(whole >> type.bits) : (uint64_t)whole;
}

bool is_less(type type, uint64_t a, uint64_t b)
{
    return type.kind == 's' ? (int64_t)a < (int64_t)b : a < b;
}

uint64_t quotient(type type, uint64_t a, uint64_t b)
{
    const bool is_negation = type.kind == 's' && b == UINT64_MAX;
    return b == 0 ? UINT64_MAX : is_negation ? 0 - a : type.kind == 's' ? (uint64_t)((int64_t)a / (int64_t)b) : a / b;
}

uint64_t shifted_right(type type, uint64_t a, uint64_t by)
{
    const bool is_signed = type.kind == 's';
    if (is_signed)
        return (uint64_t)((int64_t)a >> std::min<uint64_t>(by, 63));
    return by < 64 ? a >> by : 0;
}

double flushed(const instruction &i, type type, double x)
{
    return type.bits == 32 && has(i, "ftz") && fabs(x) < (double)FLT_MIN ? copysign(0, x) : x;
}

/* As "sat", "relu" and "ftz" have it. */
double finished(const instruction &i, type type, double x)
{
    x = has(i, "sat") ? simt::clamped(x) : has(i, "relu") ? simt::not_negative(x) : x;
    return flushed(i, type, x);
}
} // namespace

/* Whole numbers come with 64 bits, by their signs. Sums and products of two floats as doubles lose nothing by being
 * rounded twice. */
#define WHOLE(value)                                                                   \
    [](const instruction &i, type t, uint64_t a, uint64_t b, uint64_t c) -> uint64_t { \
        (void)i, (void)t, (void)b, (void)c;                                            \
        return value;                                                                  \
    }
#define REAL(value)                                                            \
    [](const instruction &i, type t, double a, double b, double c) -> double { \
        (void)i, (void)t, (void)b, (void)c;                                    \
        return value;                                                          \
    }
const row arithmetic[ARITHMETIC] = {
    {"abs", "ftz", run_compute, WHOLE((int64_t)a < 0 ? 0 - a : a), REAL(fabs(a))},
    {"add", "rn ftz sat", run_compute, WHOLE(a + b), REAL(a + b)},
    {"and", "", run_compute, WHOLE(a &b)},
    {"brev", "", run_compute, WHOLE(__brevll(a) >> (64 - t.bits))},
    {"clz", "", run_compute, WHOLE(a == 0 ? t.bits : (unsigned)__builtin_clzll(a) + t.bits - 64)},
    {"cos", "approx ftz", run_compute, nullptr, REAL(cos(a))},
    {"div", "rn approx full ftz", run_compute, WHOLE(quotient(t, a, b)), REAL(a / b)},
    {"ex2", "approx ftz", run_compute, nullptr, REAL(exp2(a))},
    {"fma", "rn ftz sat relu", run_compute, nullptr, REAL(fused(t, a, b, c))},
    {"lg2", "approx ftz", run_compute, nullptr, REAL(log2(a))},
    {"mad", "lo hi wide rn ftz sat", run_compute, WHOLE(product(i, t, a, b) + c), REAL(fused(t, a, b, c))},
    {"max", "ftz NaN relu", run_compute, WHOLE(is_less(t, a, b) ? b : a), REAL(larger(i, a, b))},
    {"min", "ftz NaN relu", run_compute, WHOLE(is_less(t, a, b) ? a : b), REAL(-larger(i, -a, -b))},
    {"mul", "lo hi wide rn rz rm rp ftz sat", run_compute, WHOLE(product(i, t, a, b)), REAL(a *b)},
    {"neg", "ftz", run_compute, WHOLE(0 - a), REAL(-a)},
    {"not", "", run_compute, WHOLE(~a)},
    {"or", "", run_compute, WHOLE(a | b)},
    {"popc", "", run_compute, WHOLE((unsigned)__builtin_popcountll(a))},
    {"rcp", "rn approx ftz", run_compute, nullptr, REAL(1 / a)},
    {"rem", "", run_compute, WHOLE(b == 0 ? a : a - b * quotient(t, a, b))},
    {"rsqrt", "approx ftz", run_compute, nullptr, REAL(1 / sqrt(a))},
    {"shl", "", run_compute, WHOLE(b < 64 ? a << b : 0)},
    {"shr", "", run_compute, WHOLE(shifted_right(t, a, b))},
    {"sin", "approx ftz", run_compute, nullptr, REAL(sin(a))},
    {"sqrt", "rn approx ftz", run_compute, nullptr, REAL(sqrt(a))},
    {"sub", "rn ftz sat", run_compute, WHOLE(a - b), REAL(a - b)},
    {"tanh", "approx", run_compute, nullptr, REAL(tanh(a))},
    {"xor", "", run_compute, WHOLE(a ^ b)},
};

double real(type type, uint64_t bits)
{
    return type.bits == 64   ? simt::bits_as<double>(bits)
           : type.bits == 32 ? (double)simt::bits_as<float>((uint32_t)bits)
                             : (double)simt::small_value(format_of(type), (uint32_t)bits & 0xFFFF);
}

uint64_t bits_of(type type, double x)
{
    return is_float(type) ? rounded_bits(type, x, simt::rounding::rn) : simt::bits_as<uint64_t>(x);
}

uint64_t extended(type type, uint64_t bits)
{
    const unsigned above = 64 - type.bits;
    return type.kind == 's' ? (uint64_t)((int64_t)(bits << above) >> above) : cut(type, bits);
}

namespace
{
uint64_t compute(const row &how, const instruction &i, type type, const uint64_t v[3])
{
    if (type.lanes == 2) {
        const uint64_t upper[] = {v[0] >> 16, v[1] >> 16, v[2] >> 16};
        type.lanes = 1;
        return compute(how, i, type, upper) << 16 | compute(how, i, type, v);
    }
    if (is_float(type) && how.real) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = flushed(i, type, real(type, v[k]));
        return rounded_bits(type, finished(i, type, how.real(i, type, x[0], x[1], x[2])), rounding_of(i));
    }
    const bool is_wide = has(i, "wide");
    const ptx::type result = {type.kind, is_wide ? 2 * type.bits : type.bits, 1};
    return cut(result, how.whole(i, type, extended(type, v[0]), extended(type, v[1]), extended(result, v[2])));
}

uint64_t from_whole(const instruction &i, type to, type from, uint64_t x)
{
    const bool is_negative = from.kind == 's' && (int64_t)x < 0;
    if (is_float(to) && to.bits == 32)
        return float_bits(is_negative ? (long double)(int64_t)x : (long double)x, rounding_of(i));
    if (is_float(to))
        return rounded_bits(to, is_negative ? (double)(int64_t)x : (double)x, rounding_of(i));
    if (has(i, "sat") && (is_negative ? (int64_t)x < least(to) : x > most(to)))
        x = is_negative ? (uint64_t)least(to) : most(to);
    return cut(to, x);
}

uint64_t to_whole(type to, double x, simt::rounding how)
{
    if (to.bits < 64 && std::isnan(x))
        return 0;
    x = how == simt::rounding::rn   ? std::nearbyint(x)
        : how == simt::rounding::rz ? std::trunc(x)
        : how == simt::rounding::rd ? std::floor(x)
                                    : std::ceil(x);
    if (to.kind != 's')
        return std::min(simt::whole<uint64_t, double>(x), most(to));
    return cut(to, (uint64_t)std::clamp(simt::whole<int64_t, double>(x), least(to), (int64_t)most(to)));
}

uint64_t convert(const instruction &i, type to, type from, uint64_t bits)
{
    static const char *const whole[] = {"rni", "rzi", "rmi", "rpi"};
    static double (*const rounded[])(double) = {nearbyint, trunc, floor, ceil};
    if (!is_float(from))
        return from_whole(i, to, from, extended(from, bits));
    double x = flushed(i, from, real(from, bits));
    if (!is_float(to))
        return to_whole(to, x, rounding_of(i));
    for (int k = 0; k < 4; k++)
        x = has(i, whole[k]) ? rounded[k](x) : x;
    return rounded_bits(to, finished(i, to, x), rounding_of(i));
}

/* With an u behind it, it is true of NaN. lo, ls, hi and hs compare without a sign. */
bool compare(const instruction &i, type type, uint64_t a, uint64_t b)
{
    static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    static const char *const unordered[] = {"equ", "neu", "ltu", "leu", "gtu", "geu"};
    static const char *const unsigned_names[] = {"", "", "lo", "ls", "hi", "hs"};
    const double x = is_float(type) ? real(type, a) : 0, y = is_float(type) ? real(type, b) : 0;
    const bool is_nan = std::isnan(x) || std::isnan(y);
    a = extended(type, a);
    b = extended(type, b);
    const bool less = is_float(type) ? x < y : is_less(type, a, b), equal = is_float(type) ? x == y : a == b;
    const bool is[] = {equal, !equal, less, less || equal, !less && !equal, !less};
    for (int which = 0; which < 6; which++) {
        if (has(i, unordered[which]))
            return is_nan || is[which];
        if (has(i, names[which]) || has(i, unsigned_names[which]))
            return !is_nan && is[which];
    }
    return has(i, "nan") == is_nan;
}
} // namespace

void run_compute(machine &m, const instruction &i)
{
    uint64_t values[3] = {0, 0, 0};
    const bool is_shift = i.what->name[0] == 's' && i.what->name[1] == 'h';
    for (unsigned k = 1; k < i.group_count && k <= 3; k++)
        values[k - 1] = get(m, i, k, type_of(i));
    if (is_shift)
        values[1] = std::min<uint64_t>((uint32_t)get(m, i, 2, b32), 255);
    set(m, i, 0, b64, compute(*i.what, i, type_of(i), values));
}

uint64_t joined(const machine &m, const instruction &i, uint64_t a, uint64_t b)
{
    const uint64_t values[] = {a, b, 0};
    const row *how = nullptr;
    for (unsigned w = 0; w < i.word_count && !how; w++)
        how = find_row(i.words[w]);
    if (!how || !how->whole)
        refuse(m, i);
    return compute(*how, i, type_of(i), values);
}

/* Of vectors on either side the elements lie one above the other. */
void run_move(machine &m, const instruction &i)
{
    const type whole = type_of(i);
    const size_t from = width(m, i, 1), to = width(m, i, 0);
    const unsigned part_bits = whole.bits / (unsigned)(from > to ? from : to);
    const type part = from == to ? whole : type{'b', part_bits, 1};
    uint64_t bits = 0;
    for (size_t k = 0; k < from; k++)
        bits |= extended({'b', from > 1 ? part_bits : whole.bits, 1}, get(m, i, 1, part, k)) << k * part_bits % 64;
    for (size_t k = 0; k < to; k++)
        set(m, i, 0, to > 1 ? part : whole, bits >> k * part_bits % 64, k);
}

void run_convert(machine &m, const instruction &i)
{
    type to = i.types[0];
    const type from = type_of(i);
    if (i.type_count != 2 || (to.kind == 't' && !has(i, "rna")))
        refuse(m, i);
    uint64_t bits;
    if (to.lanes == 2) { /* the first one becomes the upper half */
        to.lanes = 1;
        bits = convert(i, to, from, get(m, i, 1, from)) << 16 | convert(i, to, from, get(m, i, 2, from));
        to = b32;
    } else
        bits = convert(i, to, from, get(m, i, 1, from));
    set(m, i, 0, to, bits);
}

void run_set_predicate(machine &m, const instruction &i)
{
    const type type = type_of(i);
    bool is = compare(i, type, get(m, i, 1, type), get(m, i, 2, type));
    bool is_not = !is;
    if (i.group_count > 3) {
        const bool other = get(m, i, 3, predicate) != 0;
        is = has(i, "and") ? is && other : has(i, "or") ? is || other : is != other;
        is_not = has(i, "and") ? is_not && other : has(i, "or") ? is_not || other : is_not != other;
    }
    set(m, i, 0, predicate, is);
    if (width(m, i, 0) > 1)
        set(m, i, 0, predicate, is_not, 1);
}

void run_lop3(machine &m, const instruction &i)
{
    const uint64_t a = get(m, i, 1, b32), b = get(m, i, 2, b32), c = get(m, i, 3, b32), table = get(m, i, 4, b32);
    uint64_t bits = 0;
    for (unsigned k = 0; k < 8; k++)
        if ((table >> k & 1) != 0)
            bits |= ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c);
    set(m, i, 0, b32, bits);
}

/* The fourth bit of a selector takes the sign of the byte. */
void run_permute(machine &m, const instruction &i)
{
    const uint64_t bytes = get(m, i, 1, b32) | get(m, i, 2, b32) << 32, selector = get(m, i, 3, b32);
    uint64_t bits = 0;
    for (unsigned k = 0; k < 4; k++) {
        const uint64_t select = selector >> 4 * k, byte = bytes >> 8 * (select & 7) & 0xFF;
        bits |= ((select & 8) == 0 ? byte : (byte & 0x80) != 0 ? 0xFFu : 0u) << 8 * k;
    }
    set(m, i, 0, b32, bits);
}

void run_funnel_shift(machine &m, const instruction &i)
{
    const uint64_t both = get(m, i, 1, b32) | get(m, i, 2, b32) << 32;
    uint64_t by = get(m, i, 3, b32);
    by = has(i, "wrap") ? by & 31 : by > 32 ? 32 : by;
    set(m, i, 0, b32, has(i, "l") ? both << by >> 32 : both >> by);
}

void run_extract(machine &m, const instruction &i)
{
    const type type = type_of(i);
    const uint64_t from = extended(type, get(m, i, 1, type));
    const uint64_t at = get(m, i, 2, b32) & 0xFF, length = get(m, i, 3, b32) & 0xFF;
    const uint64_t moved = at >= 64 ? 0 : type.kind == 's' ? (uint64_t)((int64_t)from >> at) : from >> at;
    set(m, i, 0, type, length == 0 ? 0 : length >= 64 ? moved : extended({type.kind, (unsigned)length, 1}, moved));
}

void run_insert(machine &m, const instruction &i)
{
    const type type = type_of(i);
    const uint64_t at = get(m, i, 3, b32) & 0xFF, length = get(m, i, 4, b32) & 0xFF;
    const uint64_t ones = length >= 64 ? UINT64_MAX : (UINT64_C(1) << length) - 1, mask = at >= 64 ? 0 : ones << at;
    const uint64_t moved = at >= 64 ? 0 : get(m, i, 1, type) << at;
    set(m, i, 0, type, (moved & mask) | (get(m, i, 2, type) & ~mask));
}
} // namespace ptx
