/* The elements of the kinds of input that show what random numbers hide: input.c says what. */
#pragma once

#include "bench/table/op.h"

/* An input that is filled, seen as rows. Those of a precise product lie along the letters that are summed over, so that
 * terms have numbers; others along the last extent. */
struct special_input {
    enum input_kind kind;
    enum element_type type;
    int64_t rows, columns;
    uint64_t seed, seed_of_terms; /* both factors have the latter */
    int largest;                  /* integer */
    int largest_exponent;
    bool is_factor, is_second; /* of a precise product */
    bool takes_any, is_summed;
};

double special_element(const struct special_input *in, int64_t row, int64_t column);
