/* Answers too large for a full reference: sampled rows and Freivalds' check. */
#include "matmul_mistakes.h"
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct problem wide, deep;

static int make_wide(void **state)
{
    wide = make_large_problem(1250, 2000, 4096, INPUT_ZERO_MEAN);
    return 0;
}

static int free_wide(void **state)
{
    free_problem(&wide);
    return 0;
}

static int make_deep(void **state)
{
    deep = make_large_problem(260, 240, 41000, INPUT_ZERO_MEAN);
    return 0;
}

static int free_deep(void **state)
{
    free_problem(&deep);
    return 0;
}

static void a_large_reference_is_sampled(void **state)
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

static void a_large_honest_answer_is_right(void **state)
{
    assert_right(&wide);
}

/* test_matmul_places tests small mistakes, in 50000x10 and 4096x4096. */
static void nan_infinity_and_a_wrong_sign_in_a_large_answer_are_found(void **state)
{
    static mistake *const kinds[] = {one_is_nan, one_is_infinite, one_has_the_other_sign};
    const int64_t rows[] = {0, wide.reference->index[3], wide.reference->index[3] + 1, 1249};
    static const int64_t columns[] = {0, 63, 64, 1999};
    for (size_t i = 0; i < 4; i++)
        for (size_t kind = 0; kind < 3; kind++)
            assert_found(&wide, PRECISION_FP32, kinds[kind], rows[i], outstanding(&wide, rows[i], columns[i], 1e-3));
    assert_right(&wide);
}

static void swapped_and_shifted_rows_of_a_large_answer_are_found(void **state)
{
    static const int64_t rows[] = {1, 1248};
    for (size_t i = 0; i < 2; i++) {
        assert_found(&wide, PRECISION_FP32, two_rows_are_swapped, rows[i], 0);
        assert_found(&wide, PRECISION_FP32, a_row_is_shifted, rows[i], 0);
    }
    assert_right(&wide);
}

/* For the last block, which is narrower than the others. */
static void freivalds_bounds_are_as_they_are_derived(void **state)
{
    const struct freivalds *f = wide.reference->freivalds;
    int64_t i = 3, first = (f->blocks - 1) * f->columns;
    double fp32 = 0, tf32 = 0;
    for (int64_t q = 0; q < wide.k; q++) {
        double factor = wide.a[i * wide.k + q], sum = 0, squares = 0;
        for (int64_t j = first; j < wide.n; j++) {
            double product = wide.b[q * wide.n + j] * f->x[j];
            sum += product;
            squares += product * product;
        }
        fp32 += fabs(factor) * sqrt(squares);
        tf32 += factor * factor * (sum * sum + squares);
    }
    int64_t block = (i + 1) * f->blocks - 1;
    assert_true(fabs(f->found[FREIVALDS_NORM][block] - fp32) <= 1e-9 * fp32);
    assert_true(fabs(f->found[FREIVALDS_FACTORS][block] - tf32) <= 1e-9 * tf32);
}

static void freivalds_names_the_row_and_the_columns(void **state)
{
    int64_t row = wide.reference->index[3] + 1; /* not a sampled row */
    assert_true(wide.reference->index[4] > row);
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
static void no_rung_can_foresee_what_is_sampled(void **state)
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
static void tf32_in_a_single_row_that_is_not_sampled_is_found(void **state)
{
    size_t bytes = (size_t)wide.n * sizeof *wide.c;
    int64_t row = wide.reference->index[3] + 1;
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

static void a_deep_honest_answer_is_right(void **state)
{
    assert_right(&deep);
}

/* With K this large the bound of a block is wide. It must stay below a thousandth of (|A||B|). */
static void a_thousandth_is_found_however_deep(void **state)
{
    for (int64_t j = 0; j < deep.n; j += 60)
        assert_found(&deep, PRECISION_FP32, one_is_off_by_a_thousandth, 1 + j, j);
    assert_found(&deep, PRECISION_FP32, one_is_off_by_a_thousandth, 0, 0);
    assert_found(&deep, PRECISION_FP32, one_is_off_by_a_thousandth, deep.m - 1, deep.n - 1);
    assert_right(&deep);
}

/* C has so few columns that 16 sampled rows would hold fewer than 4096 elements. */
static void tf32_is_found_in_a_large_narrow_answer(void **state)
{
    multiply_rounded(&deep, in_eight_lanes, tf32_nearest, tf32_nearest);
    struct check check = check_as(&deep, PRECISION_FP32);
    multiply(&deep, in_eight_lanes);
    assert_false(check.correct);
}

/* Products near 1e-44 lose most of their digits, which is correct FP32. */
static void large_products_that_underflow_are_right(void **state)
{
    struct problem p = make_large_problem(2048, 1024, 784, INPUT_ZERO_MEAN);
    for (int64_t e = 0; e < p.m * p.k; e++)
        p.a[e] *= 1e-22f;
    for (int64_t e = 0; e < p.k * p.n; e++)
        p.b[e] *= 1e-22f;
    op_reference_free(p.reference);
    make_reference(&p, true);
    multiply(&p, forwards);
    struct reference reference;
    struct problem row = one_row(&p, 5, &reference);
    assert_right(&row);
    row.c[100] += 0x1p-120f;
    assert_wrong(&row, "Freivalds");
    free_problem(&p);
}

int main(void)
{
    const struct CMUnitTest on_wide[] = {
        cmocka_unit_test(a_large_reference_is_sampled),
        cmocka_unit_test(a_large_honest_answer_is_right),
        cmocka_unit_test(nan_infinity_and_a_wrong_sign_in_a_large_answer_are_found),
        cmocka_unit_test(swapped_and_shifted_rows_of_a_large_answer_are_found),
        cmocka_unit_test(freivalds_bounds_are_as_they_are_derived),
        cmocka_unit_test(freivalds_names_the_row_and_the_columns),
        cmocka_unit_test(no_rung_can_foresee_what_is_sampled),
        cmocka_unit_test(tf32_in_a_single_row_that_is_not_sampled_is_found),
    };
    const struct CMUnitTest on_deep[] = {
        cmocka_unit_test(a_deep_honest_answer_is_right),
        cmocka_unit_test(a_thousandth_is_found_however_deep),
        cmocka_unit_test(tf32_is_found_in_a_large_narrow_answer),
    };
    const struct CMUnitTest on_its_own[] = {
        cmocka_unit_test(large_products_that_underflow_are_right),
    };
    return cmocka_run_group_tests(on_wide, make_wide, free_wide) + cmocka_run_group_tests(on_its_own, NULL, NULL) +
           cmocka_run_group_tests(on_deep, make_deep, free_deep);
}
