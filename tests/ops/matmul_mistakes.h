/* Mistakes to put into a correct answer. */
#pragma once

#include "matmul_problem.h"

enum mistake {
    ONE_IS_ZERO,
    ONE_IS_OFF, /* by mistake_least() */
    SWAPPED_IN_ROW,
    SWAPPED_IN_COLUMN,
    SMALL_MISTAKES,
    ONE_IS_NAN = SMALL_MISTAKES,
    ONE_IS_INFINITE,
    ONE_HAS_THE_OTHER_SIGN,
    ROW_SHIFTED,
    ROWS_SWAPPED,
    MISTAKES_OF_ROWS,
    ALL_ARE_NAN = MISTAKES_OF_ROWS,
    ALL_ARE_ZERO,
    ALL_ARE_HALVED,
    LAST_PRODUCT_LEFT_OUT,
    MISTAKES
};

/* By how much of (|A||B|) an element is off that must be found. The unit roundoff of TF32 is 2^-11, so that a
 * thousandth is only two units. */
double mistake_least(enum precision precision);

/* Makes a correct answer wrong, at element (i, j) or in row i, unless the mistake concerns all elements. */
void make_mistake(struct problem *p, enum precision precision, enum mistake mistake, int64_t i, int64_t j);

/* The next column from j on in row i whose element every mistake at one place changes by more than the least. */
int64_t outstanding(const struct problem *p, enum precision precision, int64_t i, int64_t j);

/* Makes a mistake of rows at most, asserts that the check of all rows (or of row i only) finds it, and undoes it. */
void assert_found(struct problem *p, enum precision precision, enum mistake mistake, int64_t i, int64_t j);
void assert_found_in_row(struct problem *p, enum precision precision, enum mistake mistake, int64_t i, int64_t j);
