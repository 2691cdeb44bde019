/* Answers too large for a full reference: sampled rows and Freivalds' check. One wrong element is found at any place of
 * answers as large as those that are measured: zeroed, swapped with a neighbour, or off by mistake_least(). Smaller
 * changes need not be found, so the tests choose elements that even a swap changes by more. */
#include "matmul_mistakes.h"
#include "tests/unit.h"

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
        assert_found(&deep, PRECISION_FP32, ONE_IS_OFF, 1 + j, j);
    assert_found(&deep, PRECISION_FP32, ONE_IS_OFF, 0, 0);
    assert_found(&deep, PRECISION_FP32, ONE_IS_OFF, deep.m - 1, deep.n - 1);
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

/* In the whole answer: in the first and last rows and columns, in sampled rows and in rows next to them. */
static void find_all_mistakes(struct problem *p, enum precision precision)
{
    const int64_t *sampled = p->reference->index;
    int64_t known = sampled ? sampled[1] : 1, row_after = sampled ? sampled[2] + 1 : 2;
    const int64_t places[][2] = {{0, 0}, {p->m - 1, p->n - 1}, {known, p->n / 2}, {row_after, 0}, {p->m - 2, p->n - 1}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int64_t row = places[i][0], column = outstanding(p, precision, row, places[i][1]);
        for (enum mistake mistake = 0; mistake < MISTAKES_OF_ROWS; mistake++)
            assert_found(p, precision, mistake, row, column);
    }
}

static void find_small_mistakes(struct problem *p, enum precision precision, int64_t row, int64_t from_column)
{
    const int64_t column = outstanding(p, precision, row, from_column);
    for (enum mistake mistake = 0; mistake < SMALL_MISTAKES; mistake++)
        assert_found_in_row(p, precision, mistake, row, column);
}

/* Of an answer that is right, and in which only the row with the mistake is checked: with a sampled reference by
 * Freivalds' check only. */
static void find_mistakes_everywhere(struct problem *p, enum precision precision)
{
    int64_t columns = p->reference->freivalds ? p->reference->freivalds->columns : 0;
    assert_right_as(p, precision);
    find_all_mistakes(p, precision);
    for (uint64_t place = 0; place < (unit_at_length() ? 150 : 30); place++) {
        uint64_t bits = made_bits(7, place);
        find_small_mistakes(p, precision, (int64_t)(bits >> 32) % p->m, (int64_t)(bits & 0xFFFF) % p->n);
    }
    for (int64_t edge = columns; columns > 0 && edge < p->n; edge += columns) {
        find_small_mistakes(p, precision, 0, edge - 1);
        find_small_mistakes(p, precision, p->m - 1, edge);
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
