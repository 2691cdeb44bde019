/* The types of elements that arrays have. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum element_type {
    ELEMENT_FLOAT,
    ELEMENT_BYTE, /* unsigned */
    ELEMENT_INT8,
    ELEMENT_INT32,
    ELEMENT_DOUBLE,
    ELEMENT_HALF,     /* IEEE binary16 */
    ELEMENT_BFLOAT16, /* the upper half of a float */
    ELEMENT_TYPES,
};

struct element_format {
    const char *c_type; /* of the arguments of solution(); 16-bit floats have a type of their own in CUDA */
    const char *cuda_type, *cuda_header; /* NULL: none is needed */
    size_t bytes;
    int digits;      /* of a float, in binary; 0: an integer */
    int least, most; /* exponents, as frexp() has them: of the smallest number with all digits, and of the largest */
};

static const struct element_format element_formats[ELEMENT_TYPES] = {
    [ELEMENT_FLOAT] = {"float", "float", NULL, 4, 24, -125, 128},
    [ELEMENT_BYTE] = {"uint8_t", "uint8_t", NULL, 1, 0, 0, 0},
    [ELEMENT_INT8] = {"int8_t", "int8_t", NULL, 1, 0, 0, 0},
    [ELEMENT_INT32] = {"int32_t", "int32_t", NULL, 4, 0, 0, 0},
    [ELEMENT_DOUBLE] = {"double", "double", NULL, 8, 53, -1021, 1024},
    [ELEMENT_HALF] = {"_Float16", "__half", "cuda_fp16.h", 2, 11, -13, 16},
    [ELEMENT_BFLOAT16] = {"uint16_t", "__nv_bfloat16", "cuda_bf16.h", 2, 8, -125, 128},
};

static inline size_t element_bytes(enum element_type type)
{
    return element_formats[type].bytes;
}

static inline bool element_is_integer(enum element_type type)
{
    return element_formats[type].digits == 0;
}

/* Rounded to the type, ties to even, as IEEE 754 has it. */
static inline double element_round(enum element_type type, double value)
{
    const struct element_format *format = &element_formats[type];
    int exponent;
    if (!isfinite(value) || value == 0)
        return value;
    if (format->digits == 0)
        return rint(value);
    (void)frexp(value, &exponent);
    const int unit = (exponent > format->least ? exponent : format->least) - format->digits;
    const double rounded = ldexp(rint(ldexp(value, -unit)), unit);
    return fabs(rounded) >= ldexp(1, format->most) ? copysign(INFINITY, value) : rounded;
}

/* What rounding to the type adds to the bound of a number that has one. */
static inline double element_rounding(enum element_type type, double value, double bound)
{
    const struct element_format *format = &element_formats[type];
    const double most = fabs(value) + bound;
    return format->digits == 0 ? 0 : ldexp(most, -format->digits) + ldexp(1, format->least - format->digits - 1);
}

/* From here on a number is rounded to infinity, or from a little less. */
static inline double element_overflow(enum element_type type)
{
    return ldexp(1, element_formats[type].most);
}

/* 16-bit floats: a sign, an exponent and digits without the first, which are the upper bits of a float's where BFLOAT16
 * has them. */
static inline double element_of_16(enum element_type type, uint16_t bits)
{
    const int digits = element_formats[type].digits - 1, exponents = 15 - digits;
    const int exponent = bits >> digits & ((1 << exponents) - 1), fraction = bits & ((1 << digits) - 1);
    const int least = element_formats[type].least - 1;
    const double sign = bits >> 15 ? -1 : 1;
    if (exponent == (1 << exponents) - 1)
        return fraction == 0 ? sign * INFINITY : (double)NAN;
    return sign * ldexp(exponent == 0 ? fraction : fraction + (1 << digits),
                        least - digits + (exponent > 1 ? exponent - 1 : 0));
}

static inline uint16_t element_to_16(enum element_type type, double value)
{
    const int digits = element_formats[type].digits - 1, exponents = 15 - digits;
    const double rounded = fabs(element_round(type, value));
    const int sign = signbit(value) ? 0x8000 : 0, endless = ((1 << exponents) - 1) << digits;
    int exponent, least = element_formats[type].least;
    if (!isfinite(rounded))
        return (uint16_t)(sign | endless | (isnan(value) ? 1 : 0));
    (void)frexp(rounded, &exponent);
    const int above = rounded > 0 && exponent > least ? exponent - least : 0; /* 0 of subnormal numbers, too */
    return (uint16_t)(sign | ((int)ldexp(rounded, digits + 1 - least - above) + (above << digits)));
}

static inline double element_value(enum element_type type, const void *memory, int64_t element)
{
    switch (type) {
    case ELEMENT_BYTE: return (double)((const uint8_t *)memory)[element];
    case ELEMENT_INT8: return (double)((const int8_t *)memory)[element];
    case ELEMENT_INT32: return (double)((const int32_t *)memory)[element];
    case ELEMENT_DOUBLE: return ((const double *)memory)[element];
    case ELEMENT_HALF:
    case ELEMENT_BFLOAT16: return element_of_16(type, ((const uint16_t *)memory)[element]);
    default: return (double)((const float *)memory)[element];
    }
}

static inline void element_set(enum element_type type, void *memory, int64_t element, double value)
{
    switch (type) {
    case ELEMENT_BYTE: ((uint8_t *)memory)[element] = (uint8_t)value; break;
    case ELEMENT_INT8: ((int8_t *)memory)[element] = (int8_t)value; break;
    case ELEMENT_INT32: ((int32_t *)memory)[element] = (int32_t)value; break;
    case ELEMENT_DOUBLE: ((double *)memory)[element] = value; break;
    case ELEMENT_HALF:
    case ELEMENT_BFLOAT16: ((uint16_t *)memory)[element] = element_to_16(type, value); break;
    default: ((float *)memory)[element] = (float)value;
    }
}

/* An answer's value. A 16-bit infinity is where numbers overflow: next to there, honest answers may be either. */
static inline double element_result(enum element_type type, const void *memory, int64_t element)
{
    const double value = element_value(type, memory, element);
    const bool is_short = type == ELEMENT_HALF || type == ELEMENT_BFLOAT16;
    return is_short && isinf(value) ? copysign(element_overflow(type), value) : value;
}
