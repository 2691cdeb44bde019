#include "special_input.h"

#include <float.h>
#include <math.h>

/* Where an element is, with random bits of its own. */
struct place {
    int64_t row, column;
    uint64_t bits;
};

static struct place place_at(const struct special_input *in, int64_t row, int64_t column)
{
    return (struct place){row, column, made_bits(in->seed, (uint64_t)(row * in->columns + column))};
}

static uint64_t bits_of_row(const struct special_input *in, const struct place *at)
{
    return made_bits(~in->seed, (uint64_t)at->row);
}

static uint64_t bits_of_term(const struct special_input *in, const struct place *at)
{
    return made_bits(in->seed_of_terms, (uint64_t)at->column);
}

/* From -largest to largest. */
static int integer_of(uint64_t bits, int largest)
{
    return (int)(bits % (uint64_t)(2 * largest + 1)) - largest;
}

static double signed_zero(uint64_t bits)
{
    return bits >> 63 ? -0.0 : 0;
}

static double some_integer(const struct special_input *in, const struct place *at)
{
    return integer_of(at->bits, in->largest);
}

/* Of a product, the first factor has rows and columns of zeros, its first of both among them, and scattered zeros. This
 * finds rungs that take a zero or two for a whole row of them, or a column of zeros for one that is always zero, as the
 * edges of images are. Other columns are subnormal numbers, and the rows that they are multiplied with zeros: whether
 * subnormal numbers are flushed to zero, as fast libraries do and may, changes no sum. Columns of the second factor are
 * zeros, or zeros but for one element. */
static double zero(const struct special_input *in, const struct place *at)
{
    if (!in->is_factor)
        return at->bits % 8 == 0 ? integer_of(at->bits / 8, in->largest) : signed_zero(at->bits);
    const uint64_t of_row = bits_of_row(in, at), of_term = bits_of_term(in, at);
    const bool is_subnormal = of_term / 4 % 8 == 0;
    if (in->is_second) {
        const bool is_kept = of_row % 8 != 0 && of_row / 8 % (uint64_t)in->columns == (uint64_t)at->column;
        return is_subnormal || (of_row % 4 == 0 && !is_kept) ? 0 : some_integer(in, at);
    }
    if (at->row == 0 || of_row % 4 == 0 || at->column == 0 || of_term % 4 == 0 || at->bits >> 61 < 2)
        return signed_zero(at->bits << 3);
    return is_subnormal ? ldexp(1 + (double)(at->row % 3), -140) : some_integer(in, at);
}

/* The exponent of row or term `i`. Half of them have that of the first of so many that may be alike, of the others half
 * that of the first of a quarter, and so on: so there are parts of one scale, and parts that no scale suits. */
static int exponent_of(uint64_t seed, int64_t i, int64_t alike, int largest)
{
    while (alike > 1 && made_bits(~seed, (uint64_t)(i / alike * 1024 + alike)) % 2 == 0)
        alike = (alike + 3) / 4;
    return integer_of(made_bits(seed, (uint64_t)(i - i % alike)), largest);
}

/* Factors are A = R P S and B = S^-1 Q T with diagonal matrices R, S and T of widely spread powers of two, and P and Q
 * of close ones. The products that an element sums are close, so all sums are exact; but factors lie between 2^-102 and
 * 2^102, and products between 2^-84 and 2^84. This finds formats with fewer exponents than FP32 or with one scale for
 * many numbers, scales of other parts, and methods that add elements of different rows or columns, as Strassen's does.
 */
static double power_of_two(const struct special_input *in, const struct place *at)
{
    const int sign = at->bits >> 63 ? -1 : 1, of_row = 40, of_term = 60, near = 2;
    if (!in->is_factor)
        return ldexp(sign, integer_of(at->bits, in->largest_exponent));
    const uint64_t size = (uint64_t)in->columns; /* another one has its parts elsewhere */
    const int row = exponent_of(in->seed ^ size << 32, at->row, 128, of_row);
    const int term = exponent_of(in->seed_of_terms ^ size << 32, at->column, 64, of_term);
    return ldexp(sign, row + (in->is_second ? -term : term) + integer_of(at->bits, near));
}

static double scattered(const struct special_input *in, const struct place *at)
{
    static const double specials[] = {NAN,      -NAN,     INFINITY,  -INFINITY, FLT_MAX,
                                      -FLT_MAX, 0x1p-149, -0x1p-149, -0x1p-126};
    const uint64_t count = sizeof specials / sizeof specials[0];
    if (in->is_factor) {
        const uint64_t of_row = bits_of_row(in, at);
        return of_row % (uint64_t)in->columns == (uint64_t)at->column ? (int32_t)(of_row >> 32) * 0x1p-31 : 0;
    }
    if (in->takes_any && at->bits % 16 == 1)
        return specials[at->bits / 16 % count];
    return at->bits % 16 == 0 ? (int32_t)(at->bits >> 32) * 0x1p-31 : signed_zero(at->bits);
}

/* Half of the rows equal the first one; the others differ from it in one element. */
static bool is_changed(const struct special_input *in, const struct place *at)
{
    const uint64_t of_row = bits_of_row(in, at);
    return at->row > 0 && of_row & 1 && (of_row >> 1) % (uint64_t)in->columns == (uint64_t)at->column;
}

static double equal_rows(const struct special_input *in, const struct place *at)
{
    const struct place in_first = place_at(in, 0, at->column);
    const double first = some_integer(in, &in_first);
    return !is_changed(in, at) ? first : first > 0 ? -in->largest : in->largest;
}

static double (*const elements[INPUT_KINDS])(const struct special_input *in, const struct place *at) = {
    [INPUT_ZEROS] = zero,
    [INPUT_POWERS_OF_TWO] = power_of_two,
    [INPUT_EQUAL_ROWS] = equal_rows,
    [INPUT_INTEGERS] = some_integer,
    [INPUT_SPARSE] = scattered,
};

static double byte(const struct special_input *in, const struct place *at)
{
    switch (in->kind) {
    case INPUT_ONES: return 255; /* white */
    case INPUT_POWERS_OF_TWO: return 1 << at->bits % 8;
    case INPUT_EQUAL_ROWS: return (double)((place_at(in, 0, at->column).bits & 0xFF) ^ (is_changed(in, at) ? 0x80 : 0));
    case INPUT_ZEROS:
    case INPUT_SPARSE: return at->bits >> 61 ? 0 : (double)(at->bits & 0xFF);
    default: return (double)(at->bits & 0xFF);
    }
}

double special_element(const struct special_input *in, int64_t row, int64_t column)
{
    const bool is_byte = element_bytes(in->type) == 1;
    if (in->kind == INPUT_ONES && (in->is_summed || !is_byte))
        return 1;
    const struct place at = place_at(in, row, column);
    if (!is_byte)
        return elements[in->kind](in, &at);
    return in->type == ELEMENT_INT8 ? byte(in, &at) - 128 : byte(in, &at);
}
