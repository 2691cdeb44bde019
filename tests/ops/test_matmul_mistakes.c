/* One wrong element is found at any place of an answer: zeroed, swapped with a neighbour, not finite, or off by
 * mistake_least(). Where an answer is too large for a full reference, by sampled rows and Freivalds' check. Smaller
 * changes need not be found, so elements are chosen that even a swap changes by more. */
#include "matmul_problem.h"
#include "tests/unit.h"

enum mistake { IS_ZERO, IS_OFF, SWAPPED_IN_ROW, SWAPPED_IN_COLUMN, IS_NAN, IS_INFINITE, MISTAKES };

/* By how much of (|A||B|) an element is off that must be found. The unit roundoff of TF32 is 2^-11, so that a
 * thousandth is only two units. */
static double mistake_least(enum precision precision)
{
    return precision == PRECISION_FP32 ? 1e-3 : 3e-3;
}

static float *neighbour_in_row(const struct problem *p, int64_t i, int64_t j)
{
    return &p->c[i * p->n + (j + 1 < p->n ? j + 1 : j - 1)];
}

static float *neighbour_in_column(const struct problem *p, int64_t i, int64_t j)
{
    return &p->c[(i + 1 < p->m ? i + 1 : i - 1) * p->n + j];
}

/* Makes a right answer wrong at element (i, j), asserts that this is found, and undoes it. */
static void assert_found(struct problem *p, enum precision precision, enum mistake mistake, int64_t i, int64_t j)
{
    float *element = &p->c[i * p->n + j];
    float *other = mistake == SWAPPED_IN_ROW ? neighbour_in_row(p, i, j) : neighbour_in_column(p, i, j);
    const float right = *element, right_other = *other;
    const float wrong[MISTAKES] = {[IS_ZERO] = 0,
                                   [IS_OFF] = (float)(right + mistake_least(precision) * magnitude_at(p, i, j)),
                                   [SWAPPED_IN_ROW] = right_other,
                                   [SWAPPED_IN_COLUMN] = right_other,
                                   [IS_NAN] = NAN,
                                   [IS_INFINITE] = INFINITY};
    *element = wrong[mistake];
    if (mistake == SWAPPED_IN_ROW || mistake == SWAPPED_IN_COLUMN)
        *other = right;
    const struct check check = check_as(p, precision);
    *element = right;
    *other = right_other;
    if (check.correct)
        fail_msg("mistake %d in %ldx%ldx%ld at %ld, %ld is not found", (int)mistake, (long)p->m, (long)p->k, (long)p->n,
                 (long)i, (long)j);
    assert_non_null(strstr(check.reason, "wrong answer"));
}

/* The next column from j on in row i whose element every mistake changes by more than the least. */
static int64_t outstanding(const struct problem *p, enum precision precision, int64_t i, int64_t j)
{
    for (;; j = j + 1 < p->n ? j + 1 : 0) {
        const float c = p->c[i * p->n + j];
        const double change =
            fmin(fabsf(c), fmin(fabsf(c - *neighbour_in_row(p, i, j)), fabsf(c - *neighbour_in_column(p, i, j))));
        if (change > mistake_least(precision) * magnitude_at(p, i, j))
            return j;
    }
}

static void find_mistakes(struct problem *p, enum precision precision, int64_t row, int64_t from_column)
{
    const int64_t column = outstanding(p, precision, row, from_column);
    for (enum mistake mistake = 0; mistake < MISTAKES; mistake++)
        assert_found(p, precision, mistake, row, column);
}

TEST(every_mistake_is_found_in_a_full_answer)
{
    static const int64_t ks[] = {16, 784, 4096}, rows[] = {0, 30, 63}, columns[] = {0, 31, 62};
    for (size_t k = 0; k < LENGTH(ks); k++) {
        struct problem p = make_problem(64, 63, ks[k]);
        multiply(&p, forwards);
        for (size_t place = 0; place < 9; place++) {
            find_mistakes(&p, PRECISION_FP32, rows[place / 3], columns[place % 3]);
            find_mistakes(&p, PRECISION_TF32, rows[place / 3], columns[place % 3]);
        }
        for (int64_t e = 0; e < p.m * p.n; e++) /* the last product is left out */
            p.c[e] -= p.a[e / p.n * p.k + p.k - 1] * p.b[(p.k - 1) * p.n + e % p.n];
        assert_wrong(&p, "wrong answer");
        free_problem(&p);
    }
}

static struct problem wide, deep;

static int make_both(void **state)
{
    wide = make_large_problem(1250, 2000, 1024, INPUT_ZERO_MEAN);
    deep = make_large_problem(260, 240, unit_at_length() ? 41000 : 20500, INPUT_ZERO_MEAN);
    return 0;
}

static int free_both(void **state)
{
    free_problem(&wide);
    free_problem(&deep);
    return 0;
}

/* A row of the wide answer that is not sampled. */
static int64_t unsampled_row(void)
{
    const int64_t *index = wide.reference->index;
    assert_true(index[3] + 1 < index[4]);
    return index[3] + 1;
}

TEST(a_large_reference_is_sampled)
{
    const struct reference *r = wide.reference;
    assert_true(r->rows >= REFERENCE_SAMPLED_ROWS && r->rows < wide.m);
    assert_int_equal(r->index[0], 0);
    assert_int_equal(r->index[r->rows - 1], wide.m - 1);
    for (int64_t s = 1; s < r->rows; s++)
        assert_true(r->index[s] > r->index[s - 1]);
    int64_t columns = wide.reference->freivalds->columns;
    assert_in_range(columns, 1, FREIVALDS_COLUMNS_MAX);
    assert_int_equal(wide.reference->freivalds->blocks, (2000 + columns - 1) / columns);
}

TEST(freivalds_names_the_row_and_the_columns)
{
    const int64_t row = unsampled_row();
    float *element = &wide.c[row * wide.n + 1990], right = *element;
    *element += 100;
    struct check check = check_as(&wide, PRECISION_FP32);
    *element = right;
    char expected[96];
    snprintf(expected, sizeof expected, "from C[%ld,1984] to C[%ld,1999]", (long)row, (long)row);
    assert_false(check.correct);
    assert_non_null(strstr(check.reason, expected));
}

/* A rung could be right in these rows only, if it knew them. */
TEST(no_rung_can_foresee_what_is_sampled)
{
    const struct reference *first = wide.reference;
    struct problem again = wide;
    make_reference(&again, true);
    int same_rows = 0, same_x = 0;
    for (int64_t s = 1; s + 1 < first->rows; s++)
        same_rows += first->index[s] == again.reference->index[s];
    for (int64_t j = 0; j < wide.n; j++)
        same_x += first->freivalds->x[j] == again.reference->freivalds->x[j];
    assert_true(same_rows < first->rows / 2);
    assert_true(same_x < 10);
    op_reference_free(again.reference);
}

/* The bound of each sum is too wide for that. */
TEST(tf32_in_a_single_row_that_is_not_sampled_is_found)
{
    size_t bytes = (size_t)wide.n * sizeof *wide.c;
    const int64_t row = unsampled_row();
    float *right = floats(1, wide.n);
    memcpy(right, wide.c + row * wide.n, bytes);
    struct problem one = wide;
    one.m = one.distinct = 1;
    one.a += row * wide.k;
    one.c += row * wide.n;
    multiply_rounded(&one, in_eight_lanes, tf32_nearest, tf32_nearest);
    assert_wrong(&wide, "Freivalds");
    multiply_rounded(&one, in_eight_lanes, tf32_nearest, unrounded);
    assert_wrong(&wide, "Freivalds");
    memcpy(one.c, right, bytes);
    assert_right(&wide);
    free(right);
}

/* With K this large the bound of a block is wide. It must stay below a thousandth of (|A||B|). */
TEST(a_thousandth_is_found_however_deep)
{
    for (int64_t j = 0; j < deep.n; j += 60)
        assert_found(&deep, PRECISION_FP32, IS_OFF, 1 + j, j);
    assert_found(&deep, PRECISION_FP32, IS_OFF, 0, 0);
    assert_found(&deep, PRECISION_FP32, IS_OFF, deep.m - 1, deep.n - 1);
    assert_right(&deep);
}

/* C has so few columns that 16 sampled rows would hold fewer than 4096 elements. */
TEST(tf32_is_found_in_a_large_narrow_answer)
{
    multiply_rounded(&deep, in_eight_lanes, tf32_nearest, tf32_nearest);
    assert_wrong(&deep, "");
    multiply(&deep, in_eight_lanes);
}

/* Products near 1e-44 lose most of their digits, which is correct FP32. */
TEST(large_products_that_underflow_are_right)
{
    struct problem p = make_large_problem(2048, 1024, 784, INPUT_ZERO_MEAN);
    for (int64_t e = 0; e < p.m * p.k; e++)
        p.a[e] *= 1e-22f;
    for (int64_t e = 0; e < p.k * p.n; e++)
        p.b[e] *= 1e-22f;
    op_reference_free(p.reference);
    make_reference(&p, true);
    multiply(&p, forwards);
    assert_right(&p);
    p.c[(p.reference->index[3] + 1) * p.n + 100] += 0x1p-120f;
    assert_wrong(&p, "Freivalds");
    free_problem(&p);
}

/* In the first and last rows and columns, in sampled rows, at the edges of Freivalds' blocks in other rows, and at any
 * places. */
static void find_mistakes_everywhere(struct problem *p, enum precision precision)
{
    const int64_t *sampled = p->reference->index;
    const int64_t columns = p->reference->freivalds ? p->reference->freivalds->columns : p->n;
    const int64_t known = sampled ? sampled[1] : 1,
                  others[] = {sampled ? sampled[2] + 1 : 2, sampled ? sampled[3] + 1 : 3};
    assert_right_as(p, precision);
    find_mistakes(p, precision, 0, 0);
    find_mistakes(p, precision, p->m - 1, p->n - 1);
    find_mistakes(p, precision, known, p->n / 2);
    find_mistakes(p, precision, p->m - 2, p->n - 1);
    for (int64_t edge = 0; edge < p->n; edge += columns) {
        find_mistakes(p, precision, others[0], edge);
        find_mistakes(p, precision, others[1], edge > 0 ? edge - 1 : p->n - 1);
    }
    for (uint64_t place = 0; place < (unit_at_length() ? 150 : 30); place++) {
        const uint64_t bits = made_bits(7, place);
        find_mistakes(p, precision, (int64_t)(bits >> 32) % p->m, (int64_t)(bits & 0xFFFF) % p->n);
    }
    assert_right_as(p, precision);
}

TEST(one_mistake_is_found_anywhere)
{
    for (int images = 0; images < 2; images++)
        for (int is_wide = 0; is_wide < 2; is_wide++) {
            const int64_t wide_side = unit_at_length() ? 4096 : 2048, narrow_rows = unit_at_length() ? 50000 : 12500;
            struct problem p = make_large_problem(is_wide ? wide_side : narrow_rows, is_wide ? wide_side : 10, 784,
                                                  images ? INPUT_LIKE_IMAGES : INPUT_ZERO_MEAN);
            assert_int_equal(p.reference->index != NULL, is_wide);
            find_mistakes_everywhere(&p, PRECISION_FP32);
            free_problem(&p);
        }
}

TEST(one_mistake_in_4096_products_each_is_found_in_fp32_and_tf32)
{
    const int64_t side = unit_at_length() ? 4096 : 2048;
    struct problem p = make_large_problem(side, side, 4096, INPUT_ZERO_MEAN);
    find_mistakes_everywhere(&p, PRECISION_FP32);
    multiply_rounded(&p, in_eight_lanes, tf32_nearest, tf32_nearest);
    assert_false(check_as(&p, PRECISION_FP32).correct);
    find_mistakes_everywhere(&p, PRECISION_TF32);
    free_problem(&p);
}

AROUND_ALL_TESTS(make_both, free_both)
