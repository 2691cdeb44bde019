/* The operation transpose: its rule. What it shares with others is in test_op.c. */
#include "array_problem.h"
#include "bench/table/transpose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

extern const struct op transpose_op;

enum { X, Y, BUFFERS };
enum { M = 5, N = 37 };

static const struct workload workload = {"5x37", {M, N}, 0};

static struct array_problem solved(enum input_kind kind)
{
    struct array_problem problem = array_problem_make(&transpose_op, &workload, kind);
    const float *x = problem.host[X];
    float *y = problem.host[Y];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            y[j * M + i] = x[i * N + j];
    return problem;
}

static void columns_become_rows_whatever_is_in_them(void **state)
{
    (void)state;
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        struct array_problem problem = solved((enum input_kind)kind);
        assert_true(array_problem_check(&problem).correct);
        array_problem_free(&problem);
    }
}

static void a_copy_and_an_element_that_is_nearly_right_are_wrong(void **state)
{
    (void)state;
    struct array_problem problem = solved(INPUT_RANDOM);
    float *y = problem.host[Y];
    for (int e = 0; e < M * N; e++) {
        const float right = y[e];
        y[e] = nextafterf(right, 2);
        assert_non_null(strstr(array_problem_check(&problem).reason, "exactly; 1 of 185"));
        y[e] = right;
    }
    memcpy(y, problem.host[X], M * N * sizeof *y);
    assert_non_null(strstr(array_problem_check(&problem).reason, "wrong answer: y[0,1] is"));
    array_problem_free(&problem);
}

static void a_problem_is_bound_to_its_buffers(void **state)
{
    (void)state;
    float x, y;
    void *memory[] = {&x, &y};
    struct transpose_problem problem;
    op_bind(&transpose_op, &workload, memory, &problem);
    assert_true(problem.m == M && problem.n == N && problem.x == &x && problem.y == &y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_become_rows_whatever_is_in_them),
        cmocka_unit_test(a_copy_and_an_element_that_is_nearly_right_are_wrong),
        cmocka_unit_test(a_problem_is_bound_to_its_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
