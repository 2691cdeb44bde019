/* The check of matmul answers: correct ones, wrong ones, and the messages. */
#include "matmul_mistakes.h"
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(the_reference_is_the_product)
{
    float a[] = {1, -2, 3, 4, 5, -6}, b[] = {7, 8, -9, 10, 11, 12};
    struct reference *reference =
        op_reference_make(&matmul_op, &(struct workload){.size = {2, 3, 2}}, &(struct input_note){0}, (void *[]){a, b});
    static const double product[] = {58, 24, -83, 10}, magnitude[] = {58, 64, 139, 154};
    for (int i = 0; i < 4; i++) {
        assert_true(reference->value[i] == product[i]);
        assert_true(reference->scale[i] == magnitude[i]);
    }
    op_reference_free(reference);
}

TEST(the_reference_agrees_with_a_plain_loop_on_ragged_sizes)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {5, 10, 784}, {31, 129, 65}, {3, 128, 1}, {66, 257, 7}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct problem p = make_problem(sizes[s][0], sizes[s][1], sizes[s][2]);
        assert_int_equal(p.reference->rows, p.m);
        for (int64_t i = 0; i < p.m; i++) {
            for (int64_t j = 0; j < p.n; j++) {
                double sum = 0, magnitude = 0;
                for (int64_t q = 0; q < p.k; q++) {
                    double product = (double)p.a[i * p.k + q] * (double)p.b[q * p.n + j];
                    sum += product;
                    magnitude += fabs(product);
                }
                assert_true(fabs(p.reference->value[i * p.n + j] - sum) <= 1e-13 * magnitude);
                assert_true(fabs(p.reference->scale[i * p.n + j] - magnitude) <= 1e-13 * magnitude);
            }
        }
        free_problem(&p);
    }
}

TEST(an_honest_answer_comes_with_its_errors)
{
    struct problem p = make_problem(64, 64, 784);
    multiply(&p, forwards);
    struct check check = check_as(&p, PRECISION_FP32);
    double largest = 0, bound = 0, squares = 0;
    for (int64_t i = 0; i < 64 * 64; i++) {
        double err = fabs((double)p.c[i] - p.reference->value[i]), magnitude = p.reference->scale[i];
        if (err > largest) {
            largest = err;
            bound = (12 + 8 * sqrt(784)) * 0x1p-24 * magnitude; /* smaller than gamma_784 */
        }
        squares += pow(err / (0x1p-24 * magnitude), 2);
    }
    assert_true(largest > 0 && check.max_abs_err == largest);
    assert_true(fabs(check.err_bound - bound) <= 1e-6 * bound);
    assert_true(fabs(check.rms_err - sqrt(squares / 4096)) <= 1e-9);
    assert_true(check.rms_err > 0.05 && check.rms_err < 1);
    free_problem(&p);
}

static mistake *const mistakes[] = {
    one_is_nan,
    one_is_infinite,
    one_is_zero,
    one_has_the_other_sign,
    one_is_off_by_a_thousandth,
    swapped_with_its_neighbour_in_the_row,
    swapped_with_its_neighbour_in_the_column,
    all_are_nan,
    all_are_zero,
    all_are_halved,
    two_rows_are_swapped,
    a_row_is_shifted,
    the_last_product_is_left_out,
};
enum { MISTAKES = sizeof mistakes / sizeof mistakes[0], SMALL_MISTAKES = 7 };

TEST(every_mistake_is_found_at_any_place)
{
    static const int64_t ks[] = {16, 784, 4096}, rows[] = {0, 30, 63}, columns[] = {0, 31, 62};
    for (size_t s = 0; s < 3; s++) {
        struct problem p = make_problem(64, 63, ks[s]);
        float *right = p.c;
        multiply(&p, forwards);
        p.c = floats(p.m, p.n);
        for (size_t kind = 0; kind < MISTAKES; kind++) {
            for (size_t place = 0; place < 9; place++) {
                memcpy(p.c, right, (size_t)(p.m * p.n) * sizeof *p.c);
                mistakes[kind](&p, rows[place / 3], columns[place % 3]);
                assert_wrong(&p, "wrong answer");
            }
        }
        free(right);
        free_problem(&p);
    }
}

TEST(the_first_wrong_element_is_named)
{
    struct problem p = make_problem(64, 63, 16);
    multiply(&p, forwards);
    p.c[12 * 63 + 7] = 100;
    p.c[40 * 63 + 5] = 1000;
    struct check check = check_as(&p, PRECISION_FP32);
    char expected[64];
    snprintf(expected, sizeof expected, "C[12,7] is 100, expected %.9g within ", p.reference->value[12 * 63 + 7]);
    assert_non_null(strstr(check.reason, expected));
    assert_non_null(strstr(check.reason, "2 of 4032 "));
    assert_true(fabs(check.max_abs_err - fabs(1000 - p.reference->value[40 * 63 + 5])) < 1e-3);
    assert_true(check.err_bound < 1e-3);
    free_problem(&p);
}

/* Large answers are checked in shares: what is found in several of them is told as if there were one. */
TEST(findings_of_shares_are_added_up)
{
    enum { M = 3000, N = 350 };
    struct problem p = make_problem(M, N, 2);
    char expected[64];
    multiply(&p, forwards);
    struct check right = check_as(&p, PRECISION_FP32);
    assert_true(right.correct);
    double squares = 0, largest = 0;
    for (int64_t i = 0; i < M * N; i++) {
        double err = fabs((double)p.c[i] - p.reference->value[i]), magnitude = p.reference->scale[i];
        squares += magnitude > 0 ? pow(err / (0x1p-24 * magnitude), 2) : 0;
        largest = fmax(largest, err);
    }
    assert_true(fabs(right.rms_err - sqrt(squares / (M * N))) <= 1e-9 * right.rms_err && right.max_abs_err == largest);
    p.c[1500 * N + 7] = 1000;
    p.c[2999 * N + 349] = 100;
    struct check wrong = check_as(&p, PRECISION_FP32);
    snprintf(expected, sizeof expected, "C[1500,7] is 1000, expected %.9g within ", p.reference->value[1500 * N + 7]);
    assert_non_null(strstr(wrong.reason, expected));
    assert_non_null(strstr(wrong.reason, "2 of 1050000 "));
    assert_true(fabs(wrong.max_abs_err - fabs(1000 - p.reference->value[1500 * N + 7])) < 1e-3);
    const int64_t rows[] = {2998, 0}; /* of the last share, and of one that others follow */
    for (int i = 0; i < 2; i++) {
        float before = p.c[rows[i] * N];
        p.c[rows[i] * N] = NAN;
        assert_true(isnan(check_as(&p, PRECISION_FP32).max_abs_err));
        p.c[rows[i] * N] = before;
    }
    free_problem(&p);
}

TEST(an_error_of_nan_is_the_largest)
{
    struct problem p = make_problem(8, 8, 16);
    multiply(&p, forwards);
    p.c[3] = NAN;
    struct check check = check_as(&p, PRECISION_FP32);
    assert_false(check.correct);
    assert_false(check.max_abs_err <= 1);
    free_problem(&p);
}

/* With these k the worst-case bound gamma_k would accept zeros. */
TEST(zeros_are_wrong_however_deep)
{
    static const int64_t ks[] = {100000, 1000000};
    for (size_t i = 0; i < 2; i++) {
        struct problem p = make_problem(2, 3, ks[i]);
        multiply(&p, forwards);
        assert_right(&p);
        memset(p.c, 0, 6 * sizeof *p.c);
        assert_wrong(&p, "wrong answer");
        free_problem(&p);
    }
}

/* 1 u for its rounding, 12 u for factors that are split. */
TEST(a_single_product_is_within_13_units)
{
    struct problem p = make_problem(70, 80, 1);
    multiply(&p, in_double);
    assert_right(&p);
    for (int64_t element = 0; element < 70 * 80; element += 97) {
        float right = p.c[element];
        p.c[element] = (float)(right * (1 + 10 * 0x1p-24));
        assert_right(&p);
        p.c[element] = (float)(right * (1 + 16 * 0x1p-24));
        assert_wrong(&p, "wrong answer");
        p.c[element] = right;
    }
    free_problem(&p);
}

/* Products near 1e-45, the smallest FP32 number, lose nearly all of their digits: that is correct FP32. */
TEST(products_that_underflow_are_correct)
{
    static const float scales[] = {1e-19f, 1e-22f, 1e-25f, 1e-30f};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        struct problem p = problem_without_reference(20, 30, 7);
        for (int64_t e = 0; e < p.m * p.k; e++)
            p.a[e] *= scales[i];
        for (int64_t e = 0; e < p.k * p.n; e++)
            p.b[e] *= 1e-20f;
        make_reference(&p, false);
        multiply(&p, forwards);
        assert_right(&p);
        p.c[25] += 20 * 0x1p-149f;
        assert_wrong(&p, "C[0,25]");
        free_problem(&p);
    }
}

TEST(a_product_with_zeros_is_exactly_zero)
{
    struct problem p = problem_without_reference(8, 8, 8);
    memset(p.a, 0, 8 * 8 * sizeof *p.a);
    make_reference(&p, false);
    multiply(&p, forwards);
    assert_right(&p);
    p.c[9] = 1e-30f;
    assert_wrong(&p, "C[1,1]");
    free_problem(&p);
}

TEST(the_memory_of_a_reference_is_reported)
{
    const struct workload small = {.size = {64, 16, 63}}, large = {.size = {1250, 4096, 2000}};
    assert_true(op_reference_bytes(&matmul_op, &small) >= 2 * 64 * 63 * sizeof(double));
    size_t blocks = 32, rows = 16;
    assert_true(op_reference_bytes(&matmul_op, &large) >=
                sizeof(double) * (2 * rows * 2000 + 3 * 1250 * blocks + 2 * 4096 * blocks));
    assert_true(op_reference_bytes(&matmul_op, &large) < 2 * 1250 * 2000 * sizeof(double));
}
