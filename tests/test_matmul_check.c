/* The check of matmul's answers: honest ones pass in any order of summation, and each kind of wrong one is found. */
#include "matmul_check.h"
#include "seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct problem {
    int64_t m, n, k;
    float *a, *b, *c;
    struct matmul_reference *reference;
};

static float *floats(int64_t rows, int64_t columns)
{
    float *matrix = malloc((size_t)(rows * columns) * sizeof *matrix);
    assert_non_null(matrix);
    return matrix;
}

static void fill_random(float *matrix, int64_t elements, uint64_t seed)
{
    for (int64_t i = 0; i < elements; i++)
        matrix[i] = seeded_signed_unit(seed, (uint64_t)i);
}

static void make_positive(float *matrix, int64_t elements)
{
    for (int64_t i = 0; i < elements; i++)
        matrix[i] = fabsf(matrix[i]);
}

static struct problem problem_without_reference(int64_t m, int64_t n, int64_t k)
{
    struct problem p = {m, n, k, floats(m, k), floats(k, n), floats(m, n), NULL};
    fill_random(p.a, m * k, 1);
    fill_random(p.b, k * n, 2);
    return p;
}

static void make_reference(struct problem *p, bool zero_mean)
{
    p->reference = matmul_reference_make(p->m, p->n, p->k, p->a, p->b, zero_mean);
    assert_non_null(p->reference);
}

static struct problem make_problem(int64_t m, int64_t n, int64_t k)
{
    struct problem p = problem_without_reference(m, n, k);
    make_reference(&p, true);
    return p;
}

static void free_problem(struct problem *p)
{
    matmul_reference_free(p->reference);
    free(p->a);
    free(p->b);
    free(p->c);
}

static struct check check_as(const struct problem *p, enum precision precision)
{
    struct check check;
    memset(&check, 0xFF, sizeof check);
    matmul_check(p->reference, precision, p->c, &check);
    return check;
}

static void assert_right(const struct problem *p)
{
    struct check check = check_as(p, PRECISION_FP32);
    if (!check.correct)
        fail_msg("%ldx%ldx%ld: %s", (long)p->m, (long)p->k, (long)p->n, check.reason);
}

static void assert_wrong(const struct problem *p, const char *reason)
{
    struct check check = check_as(p, PRECISION_FP32);
    assert_false(check.correct);
    if (!strstr(check.reason, reason))
        fail_msg("'%s' does not say '%s'", check.reason, reason);
}

/* Ways to add up a row of A times a column of B in FP32. */
typedef float dot(const float *a, const float *b, int64_t stride, int64_t k);

static float forwards(const float *a, const float *b, int64_t stride, int64_t k)
{
    float sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum += a[p] * b[p * stride];
    return sum;
}

static float backwards(const float *a, const float *b, int64_t stride, int64_t k)
{
    float sum = 0;
    for (int64_t p = k; p-- > 0;)
        sum += a[p] * b[p * stride];
    return sum;
}

static float fused(const float *a, const float *b, int64_t stride, int64_t k)
{
    float sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum = fmaf(a[p], b[p * stride], sum);
    return sum;
}

static float in_eight_lanes(const float *a, const float *b, int64_t stride, int64_t k)
{
    float lanes[8] = {0}, sum = 0;
    for (int64_t p = 0; p < k; p++)
        lanes[p % 8] += a[p] * b[p * stride];
    for (int lane = 0; lane < 8; lane++)
        sum += lanes[lane];
    return sum;
}

static float in_tiles(const float *a, const float *b, int64_t stride, int64_t k)
{
    float sum = 0;
    for (int64_t start = 0; start < k; start += 32)
        sum += forwards(a + start, b + start * stride, stride, k - start < 32 ? k - start : 32);
    return sum;
}

static float pairwise(const float *a, const float *b, int64_t stride, int64_t k)
{
    if (k == 1)
        return a[0] * b[0];
    return pairwise(a, b, stride, k / 2) + pairwise(a + k / 2, b + k / 2 * stride, stride, k - k / 2);
}

static float in_double(const float *a, const float *b, int64_t stride, int64_t k)
{
    double sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum += (double)a[p] * (double)b[p * stride];
    return (float)sum;
}

static void multiply(struct problem *p, dot *order)
{
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++)
            p->c[i * p->n + j] = order(p->a + i * p->k, p->b + j, p->n, p->k);
}

/* To the nearest number of 10 fraction bits, as tensor cores take their factors. */
static float as_tf32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x0FFF + (bits >> 13 & 1)) & ~UINT32_C(0x1FFF);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static float in_tf32(const float *a, const float *b, int64_t stride, int64_t k)
{
    float sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum += as_tf32(a[p]) * as_tf32(b[p * stride]);
    return sum;
}

static void the_reference_is_the_product(void **state)
{
    (void)state;
    float a[] = {1, -2, 3, 4, 5, -6}, b[] = {7, 8, -9, 10, 11, 12};
    struct matmul_reference *reference = matmul_reference_make(2, 2, 3, a, b, false);
    static const double product[] = {58, 24, -83, 10}, magnitude[] = {58, 64, 139, 154};
    for (int i = 0; i < 4; i++) {
        assert_true(reference->rows.c[i] == product[i]);
        assert_true(reference->rows.magnitude[i] == magnitude[i]);
    }
    matmul_reference_free(reference);
}

static void the_reference_agrees_with_a_plain_loop_on_ragged_sizes(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{1, 1, 1}, {5, 10, 784}, {31, 129, 65}, {3, 128, 1}, {66, 257, 7}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct problem p = make_problem(sizes[s][0], sizes[s][1], sizes[s][2]);
        assert_int_equal(p.reference->rows.count, p.m);
        for (int64_t i = 0; i < p.m; i++) {
            for (int64_t j = 0; j < p.n; j++) {
                double sum = 0, magnitude = 0;
                for (int64_t q = 0; q < p.k; q++) {
                    double product = (double)p.a[i * p.k + q] * (double)p.b[q * p.n + j];
                    sum += product;
                    magnitude += fabs(product);
                }
                assert_true(fabs(p.reference->rows.c[i * p.n + j] - sum) <= 1e-13 * magnitude);
                assert_true(fabs(p.reference->rows.magnitude[i * p.n + j] - magnitude) <= 1e-13 * magnitude);
            }
        }
        free_problem(&p);
    }
}

static void honest_answers_are_right_in_any_order_of_summation(void **state)
{
    (void)state;
    static const int64_t ks[] = {1, 2, 16, 784, 4096};
    static dot *const orders[] = {forwards, backwards, fused, in_eight_lanes, in_tiles, pairwise, in_double};
    for (size_t i = 0; i < sizeof ks / sizeof ks[0]; i++) {
        struct problem p = make_problem(64, 64, ks[i]);
        for (size_t order = 0; order < sizeof orders / sizeof orders[0]; order++) {
            multiply(&p, orders[order]);
            assert_right(&p);
        }
        free_problem(&p);
    }
}

static void an_honest_answer_comes_with_its_errors(void **state)
{
    (void)state;
    struct problem p = make_problem(64, 64, 784);
    multiply(&p, forwards);
    struct check check = check_as(&p, PRECISION_FP32);
    double largest = 0, bound = 0, squares = 0;
    for (int64_t i = 0; i < 64 * 64; i++) {
        double err = fabs((double)p.c[i] - p.reference->rows.c[i]), magnitude = p.reference->rows.magnitude[i];
        if (err > largest) {
            largest = err;
            bound = 8 * sqrt(784) * 0x1p-24 * magnitude; /* less than the worst case of 784 roundings */
        }
        squares += pow(err / (0x1p-24 * magnitude), 2);
    }
    assert_true(largest > 0 && check.max_abs_err == largest);
    assert_true(fabs(check.err_bound - bound) <= 1e-6 * bound);
    assert_true(fabs(check.rms_err - sqrt(squares / 4096)) <= 1e-9);
    assert_true(check.rms_err > 0.05 && check.rms_err < 1);
    free_problem(&p);
}

/* Sums of positive numbers err more than the RMS limit allows, and are right all the same. */
static void honest_sums_of_positive_numbers_are_right(void **state)
{
    (void)state;
    struct problem p = problem_without_reference(64, 64, 4096);
    make_positive(p.a, 64 * 4096);
    make_positive(p.b, 64 * 4096);
    make_reference(&p, false);
    multiply(&p, forwards);
    assert_right(&p);
    free_problem(&p);
}

/* Each of these makes a right answer wrong, at element (i, j) where that means something. */
typedef void mistake(struct problem *p, int64_t i, int64_t j);

static void one_is_nan(struct problem *p, int64_t i, int64_t j)
{
    p->c[i * p->n + j] = NAN;
}

static void one_is_infinite(struct problem *p, int64_t i, int64_t j)
{
    p->c[i * p->n + j] = INFINITY;
}

static void one_is_zero(struct problem *p, int64_t i, int64_t j)
{
    p->c[i * p->n + j] = 0;
}

static void one_has_the_other_sign(struct problem *p, int64_t i, int64_t j)
{
    p->c[i * p->n + j] *= -1;
}

static double magnitude_at(const struct problem *p, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t q = 0; q < p->k; q++)
        sum += fabs((double)p->a[i * p->k + q] * (double)p->b[q * p->n + j]);
    return sum;
}

static void one_is_off_by_a_thousandth(struct problem *p, int64_t i, int64_t j)
{
    p->c[i * p->n + j] += (float)(1e-3 * magnitude_at(p, i, j));
}

static void swap(float *a, float *b)
{
    float kept = *a;
    *a = *b;
    *b = kept;
}

static void swapped_with_its_neighbour_in_the_row(struct problem *p, int64_t i, int64_t j)
{
    swap(&p->c[i * p->n + j], &p->c[i * p->n + (j + 1 < p->n ? j + 1 : j - 1)]);
}

static void swapped_with_its_neighbour_in_the_column(struct problem *p, int64_t i, int64_t j)
{
    swap(&p->c[i * p->n + j], &p->c[(i + 1 < p->m ? i + 1 : i - 1) * p->n + j]);
}

static void all_are_nan(struct problem *p, int64_t i, int64_t j)
{
    (void)i, (void)j;
    memset(p->c, 0xFF, (size_t)(p->m * p->n) * sizeof *p->c);
}

static void all_are_zero(struct problem *p, int64_t i, int64_t j)
{
    (void)i, (void)j;
    memset(p->c, 0, (size_t)(p->m * p->n) * sizeof *p->c);
}

static void all_are_halved(struct problem *p, int64_t i, int64_t j)
{
    (void)i, (void)j;
    for (int64_t e = 0; e < p->m * p->n; e++)
        p->c[e] /= 2;
}

static void two_rows_are_swapped(struct problem *p, int64_t i, int64_t j)
{
    (void)j;
    int64_t other = i + 1 < p->m ? i + 1 : i - 1;
    for (int64_t column = 0; column < p->n; column++)
        swap(&p->c[i * p->n + column], &p->c[other * p->n + column]);
}

static void a_row_is_shifted(struct problem *p, int64_t i, int64_t j)
{
    (void)j;
    memmove(p->c + i * p->n, p->c + i * p->n + 1, (size_t)(p->n - 1) * sizeof *p->c);
}

static void the_last_product_is_left_out(struct problem *p, int64_t i, int64_t j)
{
    (void)i, (void)j;
    for (int64_t row = 0; row < p->m; row++)
        for (int64_t column = 0; column < p->n; column++)
            p->c[row * p->n + column] = forwards(p->a + row * p->k, p->b + column, p->n, p->k - 1);
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

static void every_mistake_is_found_at_any_place(void **state)
{
    (void)state;
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

static void the_first_wrong_element_is_named(void **state)
{
    (void)state;
    struct problem p = make_problem(64, 63, 16);
    multiply(&p, forwards);
    p.c[12 * 63 + 7] = 100;
    p.c[40 * 63 + 5] = 1000;
    struct check check = check_as(&p, PRECISION_FP32);
    char expected[64];
    snprintf(expected, sizeof expected, "C[12,7] is 100, expected %.9g within ", p.reference->rows.c[12 * 63 + 7]);
    assert_non_null(strstr(check.reason, expected));
    assert_non_null(strstr(check.reason, "2 of 4032 "));
    assert_true(fabs(check.max_abs_err - fabs(1000 - p.reference->rows.c[40 * 63 + 5])) < 1e-3);
    assert_true(check.err_bound < 1e-3);
    free_problem(&p);
}

static void an_error_of_nan_is_the_largest(void **state)
{
    (void)state;
    struct problem p = make_problem(8, 8, 16);
    multiply(&p, forwards);
    p.c[3] = NAN;
    struct check check = check_as(&p, PRECISION_FP32);
    assert_false(check.correct);
    assert_false(check.max_abs_err <= 1);
    free_problem(&p);
}

static void tf32_is_no_fp32(void **state)
{
    (void)state;
    static const int64_t ks[] = {16, 784, 4096};
    for (size_t i = 0; i < 3; i++) {
        struct problem p = make_problem(64, 64, ks[i]);
        multiply(&p, in_tf32);
        struct check check = check_as(&p, PRECISION_FP32);
        assert_false(check.correct);
        assert_true(check.rms_err > MATMUL_PRECISE_RMS_LIMIT);
        assert_wrong(&p, "answer");
        free_problem(&p);
    }
}

static void tf32_is_right_where_it_is_promised(void **state)
{
    (void)state;
    static const int64_t ks[] = {1, 5, 16, 784, 4096};
    for (size_t i = 0; i < sizeof ks / sizeof ks[0]; i++) {
        struct problem p = make_problem(64, 64, ks[i]);
        multiply(&p, in_tf32);
        struct check check = check_as(&p, PRECISION_TF32);
        if (!check.correct)
            fail_msg("K = %ld: %s", (long)ks[i], check.reason);
        multiply(&p, forwards);
        assert_true(check_as(&p, PRECISION_TF32).correct);
        free_problem(&p);
    }
}

static void tf32_is_held_to_its_own_unit(void **state)
{
    (void)state;
    struct problem p = make_problem(64, 64, 784);
    for (size_t kind = 0; kind < MISTAKES; kind++) {
        if (mistakes[kind] == one_is_off_by_a_thousandth || mistakes[kind] == the_last_product_is_left_out)
            continue; /* within a few of its units */
        multiply(&p, in_tf32);
        mistakes[kind](&p, 20, 30);
        assert_false(check_as(&p, PRECISION_TF32).correct);
    }
    multiply(&p, in_tf32);
    p.c[5] += (float)(3e-3 * magnitude_at(&p, 0, 5));
    assert_false(check_as(&p, PRECISION_TF32).correct);
    free_problem(&p);
}

/* As small as mnist-valid5. */
static void precision_is_judged_on_small_answers_too(void **state)
{
    (void)state;
    struct problem p = make_problem(5, 10, 4096); /* so deep that each element is within its bound */
    multiply(&p, in_tf32);
    assert_wrong(&p, "imprecise");
    multiply(&p, forwards);
    assert_right(&p);
    free_problem(&p);
}

/* The worst case's bound lets everything pass here. */
static void zeros_are_wrong_however_deep(void **state)
{
    (void)state;
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

static void precision_is_judged_on_zero_mean_input_only(void **state)
{
    (void)state;
    struct problem p = problem_without_reference(64, 64, 784);
    make_reference(&p, false);
    multiply(&p, in_tf32);
    assert_right(&p);
    free_problem(&p);
}

static void a_single_product_may_be_rounded_once(void **state)
{
    (void)state;
    struct problem p = make_problem(70, 80, 1);
    multiply(&p, forwards);
    assert_right(&p);
    for (int64_t element = 0; element < 70 * 80; element += 97) {
        float right = p.c[element];
        p.c[element] = nextafterf(nextafterf(right, 9), 9);
        assert_wrong(&p, "wrong answer");
        p.c[element] = right;
    }
    free_problem(&p);
}

/* Products near 1e-45, the smallest number of FP32: nearly all of their digits are lost, and rightly so. */
static void products_that_underflow_are_right(void **state)
{
    (void)state;
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
        p.c[25] += 10 * 0x1p-149f;
        assert_wrong(&p, "C[0,25]");
        free_problem(&p);
    }
}

static void a_product_with_zeros_is_exactly_zero(void **state)
{
    (void)state;
    struct problem p = problem_without_reference(8, 8, 8);
    memset(p.a, 0, 8 * 8 * sizeof *p.a);
    make_reference(&p, false);
    multiply(&p, forwards);
    assert_right(&p);
    p.c[9] = 1e-30f;
    assert_wrong(&p, "C[1,1]");
    free_problem(&p);
}

/* Beyond MATMUL_FULL_REFERENCE_FLOP: sampled rows and Freivalds' check. The rows of A repeat, so that the honest answer
 * is soon there; the check does not know. */
enum { DISTINCT_ROWS = 50 };

static void multiply_distinct_rows(struct problem *p, bool tf32)
{
    float *b = p->b;
    if (tf32) {
        b = floats(p->k, p->n);
        for (int64_t e = 0; e < p->k * p->n; e++)
            b[e] = as_tf32(p->b[e]);
    }
    memset(p->c, 0, (size_t)(p->m * p->n) * sizeof *p->c);
    for (int64_t i = 0; i < p->m; i++) {
        float *row = p->c + i * p->n;
        if (i >= DISTINCT_ROWS) {
            memcpy(row, row - DISTINCT_ROWS * p->n, (size_t)p->n * sizeof *row);
            continue;
        }
        for (int64_t q = 0; q < p->k; q++) {
            float factor = tf32 ? as_tf32(p->a[i * p->k + q]) : p->a[i * p->k + q];
            for (int64_t j = 0; j < p->n; j++)
                row[j] += factor * b[q * p->n + j];
        }
    }
    if (tf32)
        free(b);
}

static struct problem make_large_problem(int64_t m, int64_t n, int64_t k, bool zero_mean)
{
    struct problem p = {m, n, k, floats(m, k), floats(k, n), floats(m, n), NULL};
    assert_true(2.0 * (double)m * (double)n * (double)k > MATMUL_FULL_REFERENCE_FLOP);
    fill_random(p.a, DISTINCT_ROWS * k, 1);
    fill_random(p.b, k * n, 2);
    if (!zero_mean) {
        make_positive(p.a, DISTINCT_ROWS * k);
        make_positive(p.b, k * n);
    }
    for (int64_t i = DISTINCT_ROWS; i < m; i++)
        memcpy(p.a + i * k, p.a + (i - DISTINCT_ROWS) * k, (size_t)k * sizeof *p.a);
    make_reference(&p, zero_mean);
    multiply_distinct_rows(&p, false);
    return p;
}

static struct problem wide, deep;

static int make_wide(void **state)
{
    (void)state;
    wide = make_large_problem(1250, 2000, 4096, true);
    return 0;
}

static int free_wide(void **state)
{
    (void)state;
    free_problem(&wide);
    return 0;
}

static int make_deep(void **state)
{
    (void)state;
    deep = make_large_problem(1040, 240, 41000, true);
    return 0;
}

static int free_deep(void **state)
{
    (void)state;
    free_problem(&deep);
    return 0;
}

static void a_large_reference_is_sampled(void **state)
{
    (void)state;
    const struct matmul_rows *rows = &wide.reference->rows;
    assert_true(rows->count >= MATMUL_SAMPLED_ROWS && rows->count < wide.m);
    assert_int_equal(rows->index[0], 0);
    assert_int_equal(rows->index[rows->count - 1], wide.m - 1);
    for (int64_t s = 1; s < rows->count; s++)
        assert_true(rows->index[s] > rows->index[s - 1]);
    int64_t columns = wide.reference->freivalds.columns;
    assert_in_range(columns, 1, MATMUL_FREIVALDS_COLUMNS_MAX);
    assert_int_equal(wide.reference->freivalds.blocks, (2000 + columns - 1) / columns);
}

static void the_memory_of_a_reference_is_told(void **state)
{
    (void)state;
    assert_true(matmul_reference_bytes(64, 63, 16) >= 2 * 64 * 63 * sizeof(double));
    size_t blocks = 32, rows = 16;
    assert_true(matmul_reference_bytes(1250, 2000, 4096) >=
                sizeof(double) * (2 * rows * 2000 + 2 * 1250 * blocks + 2 * 4096 * blocks));
    assert_true(matmul_reference_bytes(1250, 2000, 4096) < 2 * 1250 * 2000 * sizeof(double));
}

static void a_large_honest_answer_is_right(void **state)
{
    (void)state;
    assert_right(&wide);
}

/* The next element of the row that stands out enough for any of the small mistakes to be one. */
static int64_t outstanding(const struct problem *p, int64_t i, int64_t j)
{
    for (;; j = j + 1 < p->n ? j + 1 : 0) {
        const float *c = p->c + i * p->n + j;
        float right = j + 1 < p->n ? c[1] : c[-1], below = i + 1 < p->m ? c[p->n] : c[-p->n];
        if (fabsf(*c) > 2 && fabsf(*c - right) > 2 && fabsf(*c - below) > 2)
            return j;
    }
}

static void make_and_mend(struct problem *p, mistake *make, int64_t i, int64_t j)
{
    size_t bytes = (size_t)p->n * sizeof *p->c;
    int64_t first = i > 0 ? i - 1 : 0, rows = (i + 1 < p->m ? i + 2 : p->m) - first;
    float *kept = floats(rows, p->n);
    memcpy(kept, p->c + first * p->n, (size_t)rows * bytes);
    make(p, i, j);
    struct check check = check_as(p, PRECISION_FP32);
    if (check.correct)
        print_message("mistake at %ld, %ld is not found\n", (long)i, (long)j);
    assert_false(check.correct);
    assert_non_null(strstr(check.reason, "wrong answer"));
    memcpy(p->c + first * p->n, kept, (size_t)rows * bytes);
    free(kept);
}

static void one_wrong_element_of_a_large_answer_is_found(void **state)
{
    (void)state;
    static const int64_t rows[] = {0, 1, 17, 624, 1248, 1249};
    static const int64_t columns[] = {0, 62, 63, 64, 1000, 1983, 1984, 1998, 1999};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t j = 0; j < sizeof columns / sizeof columns[0]; j++)
            for (size_t kind = 0; kind < SMALL_MISTAKES; kind++)
                make_and_mend(&wide, mistakes[kind], rows[i], outstanding(&wide, rows[i], columns[j]));
    assert_right(&wide);
}

static void swapped_and_shifted_rows_of_a_large_answer_are_found(void **state)
{
    (void)state;
    static const int64_t rows[] = {1, 600, 1248};
    for (size_t i = 0; i < 3; i++) {
        make_and_mend(&wide, two_rows_are_swapped, rows[i], 0);
        make_and_mend(&wide, a_row_is_shifted, rows[i], 0);
    }
    assert_right(&wide);
}

static void freivalds_names_the_row_and_the_columns(void **state)
{
    (void)state;
    int64_t row = wide.reference->rows.index[3] + 1; /* not sampled itself */
    assert_true(wide.reference->rows.index[4] > row);
    float *element = &wide.c[row * wide.n + 1990], right = *element;
    *element += 100;
    struct check check = check_as(&wide, PRECISION_FP32);
    *element = right;
    char expected[64];
    snprintf(expected, sizeof expected, "in row %ld, columns 1984 to 1999 of C", (long)row);
    assert_false(check.correct);
    assert_non_null(strstr(check.reason, expected));
}

static void tf32_is_found_in_a_large_answer(void **state)
{
    (void)state;
    multiply_distinct_rows(&wide, true);
    struct check as_fp32 = check_as(&wide, PRECISION_FP32), as_tf32_rung = check_as(&wide, PRECISION_TF32);
    multiply_distinct_rows(&wide, false);
    assert_false(as_fp32.correct);
    assert_true(as_tf32_rung.correct);
}

/* Each partial sum is large here, and so is what its rounding loses. */
static void large_honest_sums_of_positive_numbers_are_right(void **state)
{
    (void)state;
    struct problem positive = make_large_problem(1250, 2000, 4096, false);
    assert_right(&positive);
    make_and_mend(&positive, one_is_off_by_a_thousandth, 700, 1234);
    free_problem(&positive);
}

static void a_deep_honest_answer_is_right(void **state)
{
    (void)state;
    assert_right(&deep);
}

/* With K this large the bound of a block is wide, and may not be wider than a thousandth of (|A||B|). */
static void a_thousandth_is_found_however_deep(void **state)
{
    (void)state;
    for (int64_t j = 0; j < deep.n; j += 7)
        make_and_mend(&deep, one_is_off_by_a_thousandth, 1 + j, j);
    make_and_mend(&deep, one_is_off_by_a_thousandth, 0, 0);
    make_and_mend(&deep, one_is_off_by_a_thousandth, deep.m - 1, deep.n - 1);
    assert_right(&deep);
}

/* So few columns that the sampled rows hold less than 4096 elements, though C has many more. */
static void tf32_is_found_in_a_large_narrow_answer(void **state)
{
    (void)state;
    multiply_distinct_rows(&deep, true);
    struct check check = check_as(&deep, PRECISION_FP32);
    multiply_distinct_rows(&deep, false);
    assert_false(check.correct);
}

int main(void)
{
    const struct CMUnitTest full[] = {
        cmocka_unit_test(the_reference_is_the_product),
        cmocka_unit_test(the_reference_agrees_with_a_plain_loop_on_ragged_sizes),
        cmocka_unit_test(honest_answers_are_right_in_any_order_of_summation),
        cmocka_unit_test(an_honest_answer_comes_with_its_errors),
        cmocka_unit_test(honest_sums_of_positive_numbers_are_right),
        cmocka_unit_test(every_mistake_is_found_at_any_place),
        cmocka_unit_test(the_first_wrong_element_is_named),
        cmocka_unit_test(an_error_of_nan_is_the_largest),
        cmocka_unit_test(tf32_is_no_fp32),
        cmocka_unit_test(tf32_is_right_where_it_is_promised),
        cmocka_unit_test(tf32_is_held_to_its_own_unit),
        cmocka_unit_test(precision_is_judged_on_small_answers_too),
        cmocka_unit_test(zeros_are_wrong_however_deep),
        cmocka_unit_test(precision_is_judged_on_zero_mean_input_only),
        cmocka_unit_test(a_single_product_may_be_rounded_once),
        cmocka_unit_test(products_that_underflow_are_right),
        cmocka_unit_test(a_product_with_zeros_is_exactly_zero),
        cmocka_unit_test(the_memory_of_a_reference_is_told),
    };
    const struct CMUnitTest sampled[] = {
        cmocka_unit_test(a_large_reference_is_sampled),
        cmocka_unit_test(a_large_honest_answer_is_right),
        cmocka_unit_test(one_wrong_element_of_a_large_answer_is_found),
        cmocka_unit_test(swapped_and_shifted_rows_of_a_large_answer_are_found),
        cmocka_unit_test(freivalds_names_the_row_and_the_columns),
        cmocka_unit_test(tf32_is_found_in_a_large_answer),
        cmocka_unit_test(large_honest_sums_of_positive_numbers_are_right),
    };
    const struct CMUnitTest sampled_deep[] = {
        cmocka_unit_test(a_deep_honest_answer_is_right),
        cmocka_unit_test(a_thousandth_is_found_however_deep),
        cmocka_unit_test(tf32_is_found_in_a_large_narrow_answer),
    };
    return cmocka_run_group_tests(full, NULL, NULL) + cmocka_run_group_tests(sampled, make_wide, free_wide) +
           cmocka_run_group_tests(sampled_deep, make_deep, free_deep);
}
