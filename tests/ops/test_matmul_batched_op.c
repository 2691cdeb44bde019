/* The operation matmul_batched: what its answer is, which answers are refused, and its far ends. What it shares with
 * others is in test_array_op.c. */
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
    matmul_batched_op.bind(made->workload, made->host, &p);
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
    struct array_problem made = {
        .op = &matmul_batched_op, .workload = &workload, .host = {a, b, (float[]){321, 654, -642, -1308}}};
    assert_true(array_problem_check(&made).correct);
    made.host[C] = (float[]){321, 654, -321, -654};
    assert_non_null(strstr(array_problem_check(&made).reason, "C[1,0,0] is -321, expected -642 exactly; 2 of 4"));
}

static void sums_in_both_orders_are_right_on_every_size_and_kind_of_input(void **state)
{
    (void)state;
    for (size_t i = 0; i < matmul_batched_op.ragged_count; i++) {
        for (int kind = 0; kind < INPUT_KINDS; kind++) {
            struct array_problem made =
                array_problem_make(&matmul_batched_op, &matmul_batched_op.ragged[i], (enum input_kind)kind);
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

static struct matmul_batched_problem problem_of(const struct workload *workload)
{
    struct matmul_batched_problem problem;
    void *memory[OP_BUFFERS_MAX] = {NULL};
    matmul_batched_op.bind(workload, memory, &problem);
    return problem;
}

static void a_far_end_has_what_the_last_elements_of_the_answer_need(void **state)
{
    (void)state;
    size_t most[BUFFERS] = {0};
    for (size_t i = 0; i < matmul_batched_op.far_count; i++) {
        struct workload workload;
        struct window windows[OP_BUFFERS_MAX];
        matmul_batched_op.far_end(&matmul_batched_op.far[i], &workload, windows);
        const struct matmul_batched_problem w = problem_of(&matmul_batched_op.far[i]), e = problem_of(&workload);
        struct buffer_spec wholes[OP_BUFFERS_MAX], ends[OP_BUFFERS_MAX];
        matmul_batched_op.buffers(&matmul_batched_op.far[i], wholes);
        matmul_batched_op.buffers(&workload, ends);
        for (size_t b = 0; b < BUFFERS; b++) {
            assert_int_equal(windows[b].rows * windows[b].row_bytes, ends[b].bytes);
            most[b] = wholes[b].bytes > most[b] ? wholes[b].bytes : most[b];
        }
        assert_int_equal(array_problem_place(&windows[C], e.batch * e.m * e.n - 1),
                         wholes[C].bytes / sizeof(float) - 1);
        for (int64_t element = 0; element < e.batch * e.m * e.n; element += 1 + element / 100) {
            const int64_t far = array_problem_place(&windows[C], element), product = far / w.n / w.m;
            for (int64_t q = 0; q < e.k; q++) {
                assert_int_equal(array_problem_place(&windows[A], element / e.n * e.k + q), far / w.n * w.k + q);
                assert_int_equal(
                    array_problem_place(&windows[B], (element / e.n / e.m * e.k + q) * e.n + element % e.n),
                    (product * w.k + q) * w.n + far % w.n);
            }
        }
    }
    for (size_t b = 0; b < BUFFERS; b++)
        assert_true(most[b] / sizeof(float) > UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_product_is_of_its_own_factors),
        cmocka_unit_test(sums_in_both_orders_are_right_on_every_size_and_kind_of_input),
        cmocka_unit_test(wrong_answers_are_refused),
        cmocka_unit_test(a_far_end_has_what_the_last_elements_of_the_answer_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
