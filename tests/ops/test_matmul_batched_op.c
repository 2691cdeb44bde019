/* The operation matmul_batched: what its answer is, and which answers are refused. What it shares with
 * others is in test_op.c. */
#include "bench/table/matmul_batched.h"
#include "array_problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct op matmul_batched_op;

enum { A, B, C, BUFFERS };

/* Each product takes its factors from `step` products further on. */
static void multiply(struct array_problem *made, bool backwards, int64_t step)
{
    struct matmul_batched_problem p;
    op_bind(&matmul_batched_op, made->workload, made->host, &p);
    for (int64_t element = 0; element < p.batch * p.m * p.n; element++) {
        const int64_t i = (element / p.n / p.m + step) % p.batch, row = element / p.n % p.m, column = element % p.n;
        float sum = 0;
        for (int64_t t = 0; t < p.k; t++) {
            const int64_t q = backwards ? p.k - 1 - t : t;
            sum += p.a[(i * p.m + row) * p.k + q] * p.b[(i * p.k + q) * p.n + column];
        }
        p.c[element] = sum;
    }
}

static void each_product_is_of_its_own_factors(void **state)
{
    (void)state;
    static const struct workload workload = {"2x2x3x1", {2, 2, 3, 1}, 0};
    float a[] = {1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6}, b[] = {1, 10, 100, 2, 20, 200};
    struct array_problem made = {.op = &matmul_batched_op,
                                 .note = {.exact = true},
                                 .workload = &workload,
                                 .host = {a, b, (float[]){321, 654, -642, -1308}}};
    assert_true(array_problem_check(&made).correct);
    made.host[C] = (float[]){321, 654, -321, -654};
    assert_non_null(strstr(array_problem_check(&made).reason, "C[1,0,0] is -321, expected -642 exactly; 2 of 4"));
}

static void sums_in_both_orders_are_right_on_every_size_and_kind_of_input(void **state)
{
    (void)state;
    for (size_t i = 0; i < matmul_batched_op.ragged_count; i++) {
        const struct workload ragged = op_ragged(&matmul_batched_op, i);
        for (int kind = 0; kind < INPUT_KINDS; kind++) {
            struct array_problem made = array_problem_make(&matmul_batched_op, &ragged, (enum input_kind)kind);
            for (int backwards = 0; backwards < 2; backwards++) {
                multiply(&made, backwards, 0);
                assert_true(array_problem_check(&made).correct);
            }
            array_problem_free(&made);
        }
    }
}

static void wrong_answers_are_refused(void **state)
{
    (void)state;
    static const struct workload workload = {"3x5x28x6", {3, 5, 28, 6}, 0};
    static const enum input_kind kinds[] = {INPUT_RANDOM, INPUT_INTEGERS};
    for (size_t kind = 0; kind < 2; kind++) {
        struct array_problem made = array_problem_make(&matmul_batched_op, &workload, kinds[kind]);
        float *c = made.host[C];
        assert_false(array_problem_check(&made).correct); /* zeros */
        multiply(&made, false, 1);
        assert_false(array_problem_check(&made).correct);
        multiply(&made, false, 0);
        for (size_t i = 0; i + 1 < made.elements[C]; i++) {
            float right = c[i], next = c[i + 1];
            const float wrong[] = {NAN, INFINITY, right + (kind == 0 ? 1e-4F : 1), next};
            for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
                c[i] = wrong[w];
                assert_true(right == next || !array_problem_check(&made).correct);
            }
            c[i] = right;
        }
        assert_true(array_problem_check(&made).correct);
        array_problem_free(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_product_is_of_its_own_factors),
        cmocka_unit_test(sums_in_both_orders_are_right_on_every_size_and_kind_of_input),
        cmocka_unit_test(wrong_answers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
