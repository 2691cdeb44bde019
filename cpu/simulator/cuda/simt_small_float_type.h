/* Included once for each of the two types of 16 bits, with SIMT_T and SIMT_T2 its type and its pair, SIMT_NAME and
 * SIMT_NAME2 what functions call them, SIMT_FORMAT its format. Names and results: CUDA Math API, "Half Precision
 * Intrinsics" and "Bfloat16 Precision Intrinsics". Functions that may be given memory are part of the kernel. */
#define SIMT_JOIN4_(a, b, c, d) a##b##c##d
#define SIMT_JOIN4(a, b, c, d) SIMT_JOIN4_(a, b, c, d)
#define SIMT_FUNCTION static inline SIMT_PLAIN

struct SIMT_T {
    unsigned short __x; /* its bits */

    SIMT_T() = default;
    template <typename T, typename = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    SIMT_INLINE SIMT_T(T value) : __x(simt::small_bits(simt::SIMT_FORMAT, static_cast<double>(value)))
    {
    }
    SIMT_INLINE operator float() const
    {
        return simt::small_value(simt::SIMT_FORMAT, __x);
    }
};

struct alignas(4) SIMT_T2 {
    SIMT_T x, y;

    SIMT_T2() = default;
    SIMT_INLINE SIMT_T2(SIMT_T x_, SIMT_T y_) : x(x_), y(y_)
    {
    }
};

namespace simt
{
SIMT_VALUE(float, value_of, (SIMT_T a), small_value(SIMT_FORMAT, a.__x))

SIMT_FUNCTION SIMT_T as(SIMT_T, unsigned bits)
{
    SIMT_T a;
    a.__x = (unsigned short)bits;
    return a;
}

SIMT_VALUE(SIMT_T, rounded, (SIMT_T, double x, rounding how = rounding::rn),
           as(SIMT_T(), small_bits(SIMT_FORMAT, x, how)))
} // namespace simt
#define SIMT_SMALL(x) simt::rounded(SIMT_T(), x)

/* Conversions. */
#define SIMT_TO(how)                                                       \
    SIMT_VALUE(SIMT_T, SIMT_JOIN4(__float2, SIMT_NAME, _, how), (float x), \
               simt::rounded(SIMT_T(), static_cast<double>(x), simt::rounding::how))
SIMT_TO(rn)
SIMT_TO(rz)
SIMT_TO(rd)
SIMT_TO(ru)

#define SIMT_SMALL_WHOLE(T, name, how, whole_part)                        \
    SIMT_VALUE(T, SIMT_JOIN4(__, SIMT_NAME, 2##name##_, how), (SIMT_T a), \
               simt::whole<T, float>(std::whole_part(simt::value_of(a)))) \
    SIMT_VALUE(SIMT_T, SIMT_JOIN4(__##name##2, SIMT_NAME, _, how), (T x), \
               simt::rounded(SIMT_T(), static_cast<double>(x), simt::rounding::how))
#define SIMT_SMALL_WHOLES(T, name)           \
    SIMT_SMALL_WHOLE(T, name, rn, nearbyint) \
    SIMT_SMALL_WHOLE(T, name, rz, trunc)     \
    SIMT_SMALL_WHOLE(T, name, rd, floor)     \
    SIMT_SMALL_WHOLE(T, name, ru, ceil)
SIMT_SMALL_WHOLES(int, int)
SIMT_SMALL_WHOLES(unsigned, uint)
SIMT_SMALL_WHOLES(short, short)
SIMT_SMALL_WHOLES(unsigned short, ushort)
SIMT_SMALL_WHOLES(long long, ll)
SIMT_SMALL_WHOLES(unsigned long long, ull)

#define SIMT_DEFINE(T, before, name, after, arguments, ...) \
    SIMT_VALUE(T, SIMT_JOIN4(before, name, after, ), arguments, __VA_ARGS__)
SIMT_DEFINE(SIMT_T, __float2, SIMT_NAME, , (float x), SIMT_SMALL(static_cast<double>(x)))
SIMT_DEFINE(SIMT_T, __double2, SIMT_NAME, , (double x), SIMT_SMALL(x))
SIMT_DEFINE(float, __, SIMT_NAME, 2float, (SIMT_T a), simt::value_of(a))
SIMT_DEFINE(short, __, SIMT_NAME, _as_short, (SIMT_T a), (short)a.__x)
SIMT_DEFINE(unsigned short, __, SIMT_NAME, _as_ushort, (SIMT_T a), a.__x)
SIMT_DEFINE(SIMT_T, __short_as_, SIMT_NAME, , (short x), simt::as(SIMT_T(), (unsigned short)x))
SIMT_DEFINE(SIMT_T, __ushort_as_, SIMT_NAME, , (unsigned short x), simt::as(SIMT_T(), x))
SIMT_DEFINE(SIMT_T2, __, SIMT_NAME, SIMT_2, (SIMT_T a), SIMT_T2(a, a))
SIMT_DEFINE(SIMT_T2, make_, SIMT_NAME2, , (SIMT_T a, SIMT_T b), SIMT_T2(a, b))
SIMT_DEFINE(SIMT_T2, __halves2, SIMT_NAME2, , (SIMT_T a, SIMT_T b), SIMT_T2(a, b))
SIMT_DEFINE(SIMT_T2, __float2, SIMT_NAME2, _rn, (float x),
            SIMT_T2(SIMT_SMALL(static_cast<double>(x)), SIMT_SMALL(static_cast<double>(x))))
SIMT_DEFINE(SIMT_T2, __floats2, SIMT_NAME2, _rn, (float x, float y),
            SIMT_T2(SIMT_SMALL(static_cast<double>(x)), SIMT_SMALL(static_cast<double>(y))))
SIMT_DEFINE(SIMT_T2, __float22, SIMT_NAME2, _rn, (float2 v),
            SIMT_T2(SIMT_SMALL(static_cast<double>(v.x)), SIMT_SMALL(static_cast<double>(v.y))))
SIMT_DEFINE(float2, __, SIMT_NAME2, 2float2, (SIMT_T2 a), {simt::value_of(a.x), simt::value_of(a.y)})
SIMT_DEFINE(SIMT_T, __low2, SIMT_NAME, , (SIMT_T2 a), a.x)
SIMT_DEFINE(SIMT_T, __high2, SIMT_NAME, , (SIMT_T2 a), a.y)
SIMT_DEFINE(float, __low2float, , , (SIMT_T2 a), simt::value_of(a.x))
SIMT_DEFINE(float, __high2float, , , (SIMT_T2 a), simt::value_of(a.y))
SIMT_DEFINE(SIMT_T2, __low2, SIMT_NAME2, , (SIMT_T2 a), SIMT_T2(a.x, a.x))
SIMT_DEFINE(SIMT_T2, __high2, SIMT_NAME2, , (SIMT_T2 a), SIMT_T2(a.y, a.y))
SIMT_DEFINE(SIMT_T2, __lows2, SIMT_NAME2, , (SIMT_T2 a, SIMT_T2 b), SIMT_T2(a.x, b.x))
SIMT_DEFINE(SIMT_T2, __highs2, SIMT_NAME2, , (SIMT_T2 a, SIMT_T2 b), SIMT_T2(a.y, b.y))
SIMT_DEFINE(SIMT_T2, __lowhigh2highlow, , , (SIMT_T2 a), SIMT_T2(a.y, a.x))

/* Arithmetic: `result` of the values a, b and c, as doubles; of pairs element by element. */
#define SIMT_OF_1(name, name2, result)                            \
    SIMT_FUNCTION SIMT_T name(SIMT_T a_)                          \
    {                                                             \
        const double a = static_cast<double>(simt::value_of(a_)); \
        return SIMT_SMALL(result);                                \
    }                                                             \
    SIMT_VALUE(SIMT_T2, name2, (SIMT_T2 a), SIMT_T2(name(a.x), name(a.y)))
#define SIMT_OF_2(name, name2, result)                                                                         \
    SIMT_FUNCTION SIMT_T name(SIMT_T a_, SIMT_T b_)                                                            \
    {                                                                                                          \
        const double a = static_cast<double>(simt::value_of(a_)), b = static_cast<double>(simt::value_of(b_)); \
        return SIMT_SMALL(result);                                                                             \
    }                                                                                                          \
    SIMT_VALUE(SIMT_T2, name2, (SIMT_T2 a, SIMT_T2 b), SIMT_T2(name(a.x, b.x), name(a.y, b.y)))
#define SIMT_FMA(name, name2, change)                                                                          \
    SIMT_FUNCTION SIMT_T name(SIMT_T a_, SIMT_T b_, SIMT_T c_)                                                 \
    {                                                                                                          \
        const double a = static_cast<double>(simt::value_of(a_)), b = static_cast<double>(simt::value_of(b_)); \
        return SIMT_SMALL(change(simt::fma_to_odd(a, b, static_cast<double>(simt::value_of(c_)))));            \
    }                                                                                                          \
    SIMT_VALUE(SIMT_T2, name2, (SIMT_T2 a, SIMT_T2 b, SIMT_T2 c), SIMT_T2(name(a.x, b.x, c.x), name(a.y, b.y, c.y)))
#define SIMT_ARITHMETIC(name, name2, result) \
    SIMT_OF_2(name, name2, result)           \
    SIMT_OF_2(name##_rn, name2##_rn, result) \
    SIMT_OF_2(name##_sat, name2##_sat, simt::clamped(result))
SIMT_ARITHMETIC(__hadd, __hadd2, a + b)
SIMT_ARITHMETIC(__hsub, __hsub2, a - b)
SIMT_ARITHMETIC(__hmul, __hmul2, a *b)
SIMT_OF_2(__hdiv, __h2div, a / b)
SIMT_FMA(__hfma, __hfma2, )
SIMT_FMA(__hfma_sat, __hfma2_sat, simt::clamped)
SIMT_FMA(__hfma_relu, __hfma2_relu, simt::not_negative)
#define SIMT_FLOATS(f) static_cast<double>(f(static_cast<float>(a), static_cast<float>(b)))
SIMT_OF_2(__hmax, __hmax2, SIMT_FLOATS(simt::small_max))
SIMT_OF_2(__hmin, __hmin2, SIMT_FLOATS(simt::small_min))
SIMT_OF_2(__hmax_nan, __hmax2_nan,
          std::isnan(a + b) && (std::isnan(a) || std::isnan(b)) ? a + b : SIMT_FLOATS(simt::small_max))
SIMT_OF_2(__hmin_nan, __hmin2_nan,
          std::isnan(a + b) && (std::isnan(a) || std::isnan(b)) ? a + b : SIMT_FLOATS(simt::small_min))
SIMT_OF_1(__hneg, __hneg2, -a)
SIMT_OF_1(__habs, __habs2, std::fabs(a))
SIMT_OF_1(hceil, h2ceil, std::ceil(a))
SIMT_OF_1(hfloor, h2floor, std::floor(a))
SIMT_OF_1(htrunc, h2trunc, std::trunc(a))
SIMT_OF_1(hrint, h2rint, std::nearbyint(a))
SIMT_OF_1(hsqrt, h2sqrt, std::sqrt(a))
SIMT_OF_1(hrsqrt, h2rsqrt, 1 / std::sqrt(a))
SIMT_OF_1(hrcp, h2rcp, 1 / a)
SIMT_OF_1(hexp, h2exp, std::exp(a))
SIMT_OF_1(hexp2, h2exp2, std::exp2(a))
SIMT_OF_1(hexp10, h2exp10, std::pow(10.0, a))
SIMT_OF_1(hlog, h2log, std::log(a))
SIMT_OF_1(hlog2, h2log2, std::log2(a))
SIMT_OF_1(hlog10, h2log10, std::log10(a))
SIMT_OF_1(hsin, h2sin, std::sin(a))
SIMT_OF_1(hcos, h2cos, std::cos(a))
SIMT_OF_1(htanh, h2tanh, std::tanh(a))

/* Comparisons; the last letter u: true where one is NaN. Of pairs: 1 or 0 for each, all bits for each, or whether both.
 */
#define SIMT_COMPARE(name, result)                                                            \
    SIMT_FUNCTION bool __h##name(SIMT_T a_, SIMT_T b_)                                        \
    {                                                                                         \
        const float a = simt::value_of(a_), b = simt::value_of(b_);                           \
        return result;                                                                        \
    }                                                                                         \
    SIMT_VALUE(SIMT_T2, __h##name##2, (SIMT_T2 a, SIMT_T2 b),                                 \
               SIMT_T2(SIMT_SMALL(__h##name(a.x, b.x)), SIMT_SMALL(__h##name(a.y, b.y))))     \
    SIMT_VALUE(unsigned, __h##name##2_mask, (SIMT_T2 a, SIMT_T2 b),                           \
               (__h##name(a.x, b.x) ? 0xFFFFu : 0) | (__h##name(a.y, b.y) ? 0xFFFF0000u : 0)) \
    SIMT_VALUE(bool, __hb##name##2, (SIMT_T2 a, SIMT_T2 b), __h##name(a.x, b.x) && __h##name(a.y, b.y))
SIMT_COMPARE(eq, a == b)
SIMT_COMPARE(ne, a<b || a> b)
SIMT_COMPARE(lt, a < b)
SIMT_COMPARE(le, a <= b)
SIMT_COMPARE(gt, a > b)
SIMT_COMPARE(ge, a >= b)
SIMT_COMPARE(equ, !(a < b || a > b))
SIMT_COMPARE(neu, !(a == b))
SIMT_COMPARE(ltu, !(a >= b))
SIMT_COMPARE(leu, !(a > b))
SIMT_COMPARE(gtu, !(a <= b))
SIMT_COMPARE(geu, !(a < b))

SIMT_VALUE(bool, __hisnan, (SIMT_T a), std::isnan(simt::value_of(a)))

/* 1: infinite, -1: minus that. */
SIMT_VALUE(int, __hisinf, (SIMT_T a), std::isinf(simt::value_of(a)) ? (std::signbit(simt::value_of(a)) ? -1 : 1) : 0)

/* Operators: those of the functions. `!=` is true where one is NaN. */
#define SIMT_OPERATOR(T, sign, name)                     \
    SIMT_VALUE(T, operator sign, (T a, T b), name(a, b)) \
    static SIMT_INLINE T &operator sign##=(T &a, T b)    \
    {                                                    \
        return a = name(a, b);                           \
    }
#define SIMT_OPERATORS(T, two, div)                 \
    SIMT_OPERATOR(T, +, __hadd##two)                \
    SIMT_OPERATOR(T, -, __hsub##two)                \
    SIMT_OPERATOR(T, *, __hmul##two)                \
    SIMT_OPERATOR(T, /, div)                        \
    SIMT_VALUE(T, operator-, (T a), __hneg##two(a)) \
    SIMT_VALUE(T, operator+, (T a), a)
SIMT_OPERATORS(SIMT_T, , __hdiv)
SIMT_OPERATORS(SIMT_T2, 2, __h2div)

#define SIMT_COMPARISON(sign, name)                                        \
    SIMT_VALUE(bool, operator sign, (SIMT_T a, SIMT_T b), __h##name(a, b)) \
    SIMT_VALUE(bool, operator sign, (SIMT_T2 a, SIMT_T2 b), __hb##name##2(a, b))
SIMT_COMPARISON(==, eq)
SIMT_COMPARISON(!=, neu)
SIMT_COMPARISON(<, lt)
SIMT_COMPARISON(<=, le)
SIMT_COMPARISON(>, gt)
SIMT_COMPARISON(>=, ge)

#define SIMT_STEP(sign)                                           \
    static SIMT_INLINE SIMT_T &operator sign##sign(SIMT_T &a)     \
    {                                                             \
        return a = a sign SIMT_SMALL(1);                          \
    }                                                             \
    static SIMT_INLINE SIMT_T operator sign##sign(SIMT_T &a, int) \
    {                                                             \
        SIMT_T old = a;                                           \
        a = old sign SIMT_SMALL(1);                               \
        return old;                                               \
    }
SIMT_STEP(+)
SIMT_STEP(-)

/* The shuffles of 2 bytes; a pair has 4. */
#define SIMT_SHUFFLE(name, T)                                                                        \
    static inline SIMT_T name(unsigned mask, SIMT_T value, T how, int width = SIM_WARP, SIMT_CALLER) \
    {                                                                                                \
        return simt::as(SIMT_T(), name(mask, (unsigned)value.__x, how, width, file, line));          \
    }
SIMT_SHUFFLE(__shfl_sync, int)
SIMT_SHUFFLE(__shfl_up_sync, unsigned)
SIMT_SHUFFLE(__shfl_down_sync, unsigned)
SIMT_SHUFFLE(__shfl_xor_sync, int)

#undef SIMT_T
#undef SIMT_T2
#undef SIMT_NAME
#undef SIMT_NAME2
#undef SIMT_2
#undef SIMT_FORMAT
