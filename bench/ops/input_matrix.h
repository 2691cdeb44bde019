/* Inputs seen as matrices, and what several operations take for the elements of a kind of input. */
#pragma once

#include "bench/table/made.h"

struct input_matrix {
    float *to;
    int64_t rows, columns;
    int64_t row, column; /* from one to the next, in elements */
    uint64_t seed;
    int largest;    /* integer */
    bool is_second; /* factor of a product, whose columns are these rows; terms of its sums lie along a row of either */
    uint64_t seed_of_terms; /* both factors have this one */
};

/* What element i, j of a kind of input is; random bits of its row are `row`. */
typedef float input_element(const struct input_matrix *matrix, uint64_t row, int64_t i, int64_t j);

/* NULL: as it is made. */
static inline void input_fill(const struct input_matrix *matrix, const struct made *made, input_element *element)
{
    if (!element)
        made_fill(matrix->to, (size_t)(matrix->rows * matrix->columns) * sizeof *matrix->to, made, 0);
    for (int64_t i = 0; i < matrix->rows && element; i++) {
        const uint64_t row = made_bits(~matrix->seed, (uint64_t)i);
        for (int64_t j = 0; j < matrix->columns; j++)
            matrix->to[i * matrix->row + j * matrix->column] = element(matrix, row, i, j);
    }
}

/* Of the element. */
static inline uint64_t input_bits(const struct input_matrix *matrix, int64_t i, int64_t j)
{
    return made_bits(matrix->seed, (uint64_t)(i * matrix->columns + j));
}

/* From -largest to largest. */
static inline int input_integer_of(uint64_t bits, int largest)
{
    return (int)(bits % (uint64_t)(2 * largest + 1)) - largest;
}

static inline float input_signed_zero(uint64_t bits)
{
    return bits >> 63 ? -0.0f : 0;
}

static inline float input_one(const struct input_matrix *matrix, uint64_t row, int64_t i, int64_t j)
{
    (void)matrix, (void)row, (void)i, (void)j;
    return 1;
}

static inline float input_integer(const struct input_matrix *matrix, uint64_t row, int64_t i, int64_t j)
{
    (void)row;
    return (float)input_integer_of(input_bits(matrix, i, j), matrix->largest);
}

/* Integers: half of the rows equal the first one; the others differ from it in one element. */
static inline float input_equal_rows(const struct input_matrix *matrix, uint64_t row, int64_t i, int64_t j)
{
    const float first = input_integer(matrix, row, 0, j);
    const bool is_changed = i > 0 && row & 1 && (row >> 1) % (uint64_t)matrix->columns == (uint64_t)j;
    return !is_changed ? first : (float)(first > 0 ? -matrix->largest : matrix->largest);
}
