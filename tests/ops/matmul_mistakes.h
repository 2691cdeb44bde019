/* Mistakes in a right answer. */
#ifndef RUNGBENCH_MATMUL_MISTAKES_H
#define RUNGBENCH_MATMUL_MISTAKES_H

#include "matmul_problem.h"

/* Makes a right answer wrong, at element (i, j) where that means something. */
typedef void mistake(struct problem *p, int64_t i, int64_t j);

mistake one_is_nan, one_is_infinite, one_is_zero, one_has_the_other_sign;
mistake one_is_off_by_a_thousandth, one_is_off_by_three_thousandths; /* of (|A||B|) */
mistake swapped_with_its_neighbour_in_the_row, swapped_with_its_neighbour_in_the_column;
mistake all_are_nan, all_are_zero, all_are_halved, two_rows_are_swapped, a_row_is_shifted, the_last_product_is_left_out;

/* The next element of the row which a mistake at one place changes by `least` (|A||B|) or more, whichever it is. */
int64_t outstanding(const struct problem *p, int64_t i, int64_t j, double least);

/* The row alone, as if it were a problem of its own; its reference is written to `reference`. Of a sampled reference
 * only Freivalds' part is there. */
struct problem one_row(const struct problem *p, int64_t i, struct matmul_reference *reference);

/* That the mistake is found, by the check of everything or of row i alone. It is gone afterwards. */
void assert_found(struct problem *p, enum precision precision, mistake *make, int64_t i, int64_t j);
void assert_found_in_row(struct problem *p, enum precision precision, mistake *make, int64_t i, int64_t j);

#endif
