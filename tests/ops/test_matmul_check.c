/* The check of matmul answers: correct ones, wrong ones, and the messages. */
#include "matmul_problem.h"
#include "tests/unit.h"

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

/* Large answers are checked in shares: what is found in several of them is told as if there were one. */
TEST(an_answer_comes_with_its_errors)
{
    static const int64_t sizes[][3] = {{64, 784, 64}, {3000, 2, 350}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const int64_t k = sizes[s][1];
        struct problem p = make_problem(sizes[s][0], sizes[s][2], k);
        multiply(&p, forwards);
        struct check check = check_as(&p, PRECISION_FP32);
        double largest = -1, bound = 0, squares = 0, most = 0;
        for (int64_t i = 0; i < p.m * p.n; i++) {
            double err = fabs((double)p.c[i] - p.reference->value[i]), magnitude = p.reference->scale[i];
            if (err > largest) {
                largest = err;
                bound = (12 + 8 * sqrt((double)k)) * 0x1p-24 * magnitude; /* where k is large, smaller than gamma_k */
            }
            squares += magnitude > 0 ? pow(err / (0x1p-24 * magnitude), 2) : 0;
            most = fmax(most, err / (0x1p-24 * magnitude));
        }
        assert_true(check.correct && largest > 0 && check.max_abs_err == largest);
        assert_true(k == 2 || fabs(check.err_bound - bound) <= 1e-6 * bound);
        assert_true(fabs(check.rms_err - sqrt(squares / (double)(p.m * p.n))) <= 1e-9 * check.rms_err);
        assert_true(check.rms_err > 0.05 && check.rms_err < 1);
        assert_true(fabs(check.max_err - most) <= 1e-9 * most);
        free_problem(&p);
    }
}

/* In the first share and in the last, in either order of size; NaN is the largest error. */
TEST(the_first_wrong_element_is_named_and_the_largest_error)
{
    static const int64_t sizes[][3] = {{64, 16, 63}, {3000, 2, 350}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct problem p = make_problem(sizes[s][0], sizes[s][2], sizes[s][1]);
        const int64_t first = p.m / 2 * p.n + 7, last = p.m * p.n - 1;
        multiply(&p, forwards);
        for (int is_larger = 0; is_larger < 2; is_larger++) {
            char expected[96];
            p.c[first] = is_larger ? 1000 : 100;
            p.c[last] = is_larger ? 100 : 1000;
            struct check check = check_as(&p, PRECISION_FP32);
            snprintf(expected, sizeof expected, "C[%ld,7] is %g, expected %.9g within ", (long)p.m / 2,
                     (double)p.c[first], p.reference->value[first]);
            assert_non_null(strstr(check.reason, expected));
            snprintf(expected, sizeof expected, "; 2 of %ld ", (long)(p.m * p.n));
            assert_non_null(strstr(check.reason, expected));
            assert_true(fabs(check.max_abs_err - fabs(1000 - p.reference->value[is_larger ? first : last])) < 1e-3);
            assert_true(check.err_bound < 1e-3);
        }
        const int64_t places[] = {last - p.n, 0};
        for (int i = 0; i < 2; i++) {
            float before = p.c[places[i]];
            p.c[places[i]] = NAN;
            assert_true(isnan(check_as(&p, PRECISION_FP32).max_abs_err));
            p.c[places[i]] = before;
        }
        free_problem(&p);
    }
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

/* Products near 1e-45, the smallest FP32 number, lose nearly all of their digits: that is correct FP32. Those with
 * zeros are exact. */
TEST(products_that_underflow_are_correct)
{
    static const float scales[] = {1e-19f, 1e-22f, 1e-25f, 1e-30f, 0};
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

TEST(the_memory_of_a_reference_is_reported)
{
    const struct workload small = {.size = {64, 16, 63}}, large = {.size = {1250, 4096, 2000}};
    assert_true(op_reference_bytes(&matmul_op, &small) >= 2 * 64 * 63 * sizeof(double));
    size_t blocks = 32, rows = 16;
    assert_true(op_reference_bytes(&matmul_op, &large) >=
                sizeof(double) * (2 * rows * 2000 + 3 * 1250 * blocks + 2 * 4096 * blocks));
    assert_true(op_reference_bytes(&matmul_op, &large) < 2 * 1250 * 2000 * sizeof(double));
}
