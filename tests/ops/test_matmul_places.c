/* One wrong element is found at any place, in answers as large as those that are measured. The element is zeroed,
 * swapped with a neighbour, or off by a thousandth of (|A||B|). Smaller changes need not be found, so the tests choose
 * elements that even a swap changes by more. */
#include "matmul_mistakes.h"
#include "tests/unit.h"

static mistake *const fp32_mistakes[] = {one_is_zero, swapped_with_its_neighbour_in_the_row,
                                         swapped_with_its_neighbour_in_the_column, one_is_off_by_a_thousandth};
/* The unit roundoff of TF32 is 2^-11, so a thousandth is only two units. */
static mistake *const tf32_mistakes[] = {one_is_zero, swapped_with_its_neighbour_in_the_row,
                                         swapped_with_its_neighbour_in_the_column, one_is_off_by_three_thousandths};
enum { KINDS = 4 };

typedef void assertion(struct problem *p, enum precision precision, mistake *make, int64_t i, int64_t j);

static void try_place(struct problem *p, enum precision precision, assertion *is_found, int64_t i, int64_t j)
{
    bool fp32 = precision == PRECISION_FP32;
    mistake *const *kinds = fp32 ? fp32_mistakes : tf32_mistakes;
    int64_t column = outstanding(p, i, j, fp32 ? 1e-3 : 3e-3);
    for (size_t kind = 0; kind < KINDS; kind++)
        is_found(p, precision, kinds[kind], i, column);
}

/* Checks the whole answer: mistakes in the first and last rows and columns, in sampled rows and in rows next to them.
 */
static void try_all_at_once(struct problem *p, enum precision precision)
{
    const int64_t *sampled = p->reference->index;
    int64_t known = sampled ? sampled[1] : 1, row_after = sampled ? sampled[2] + 1 : 2;
    const int64_t places[][2] = {{0, 0}, {p->m - 1, p->n - 1}, {known, p->n / 2}, {row_after, 0}, {p->m - 2, p->n - 1}};
    for (size_t place = 0; place < sizeof places / sizeof places[0]; place++)
        try_place(p, precision, assert_found, places[place][0], places[place][1]);
}

/* Checks only the row with the mistake, for speed: the other rows are correct. With a sampled reference this is
 * Freivalds' check only. */
static void try_row_by_row(struct problem *p, enum precision precision)
{
    int64_t columns = p->reference->freivalds ? p->reference->freivalds->columns : 0;
    for (uint64_t place = 0; place < 150; place++) {
        uint64_t bits = made_bits(7, place);
        try_place(p, precision, assert_found_in_row, (int64_t)(bits >> 32) % p->m, (int64_t)(bits & 0xFFFF) % p->n);
    }
    for (int64_t edge = columns; columns > 0 && edge < p->n; edge += columns) {
        try_place(p, precision, assert_found_in_row, 0, edge - 1);
        try_place(p, precision, assert_found_in_row, p->m - 1, edge);
    }
}

static void try_everywhere(int64_t m, int64_t n, int64_t k, enum input input, bool sampled)
{
    struct problem p = make_large_problem(m, n, k, input);
    assert_true((p.reference->index != NULL) == sampled);
    assert_right(&p);
    try_all_at_once(&p, PRECISION_FP32);
    try_row_by_row(&p, PRECISION_FP32);
    assert_right(&p);
    free_problem(&p);
}

TEST(in_50000x10)
{
    try_everywhere(50000, 10, 784, INPUT_ZERO_MEAN, false);
}

TEST(in_50000x10_from_images)
{
    try_everywhere(50000, 10, 784, INPUT_LIKE_IMAGES, false);
}

TEST(in_4096x4096)
{
    try_everywhere(4096, 4096, 784, INPUT_ZERO_MEAN, true);
}

TEST(in_4096x4096_from_images)
{
    try_everywhere(4096, 4096, 784, INPUT_LIKE_IMAGES, true);
}

TEST(in_4096x4096_of_4096_products_each_in_fp32_and_tf32)
{
    struct problem p = make_large_problem(4096, 4096, 4096, INPUT_ZERO_MEAN);
    assert_right(&p);
    try_all_at_once(&p, PRECISION_FP32);
    try_row_by_row(&p, PRECISION_FP32);
    multiply_rounded(&p, in_eight_lanes, tf32_nearest, tf32_nearest);
    assert_right_as(&p, PRECISION_TF32);
    assert_false(check_as(&p, PRECISION_FP32).correct);
    try_all_at_once(&p, PRECISION_TF32);
    try_row_by_row(&p, PRECISION_TF32);
    free_problem(&p);
}
