/* Mistakes to put into a correct answer. */
#pragma once

#include "matmul_problem.h"

/* Makes a correct answer wrong, at element (i, j) unless the mistake concerns all elements. */
typedef void mistake(struct problem *p, int64_t i, int64_t j);

mistake one_is_nan, one_is_infinite, one_is_zero, one_has_the_other_sign;
mistake one_is_off_by_a_thousandth, one_is_off_by_three_thousandths; /* of (|A||B|) */
mistake swapped_with_its_neighbour_in_the_row, swapped_with_its_neighbour_in_the_column;
mistake all_are_nan, all_are_zero, all_are_halved, two_rows_are_swapped, a_row_is_shifted, the_last_product_is_left_out;

/* The next column from j on in row i whose element every mistake at one place changes by more than `least` (|A||B|). */
int64_t outstanding(const struct problem *p, int64_t i, int64_t j, double least);

/* Row i as a problem of its own. Its reference is written to `reference`; that of a sampled reference consists of
 * Freivalds' check only. */
struct problem one_row(const struct problem *p, int64_t i, struct reference *reference);

/* Makes the mistake, asserts that the check of all rows (or of row i only) finds it, and undoes it. */
void assert_found(struct problem *p, enum precision precision, mistake *make, int64_t i, int64_t j);
void assert_found_in_row(struct problem *p, enum precision precision, mistake *make, int64_t i, int64_t j);
