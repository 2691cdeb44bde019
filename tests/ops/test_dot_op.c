/* The operation dot: a single answer, which must still tell its terms. What it shares with others is in
 * test_op.c. */
#include "bench/table/dot.h"
#include "bench/table/op.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

extern const struct op dot_op;

enum { X, Y, DOT, BUFFERS };
enum { N = 997 };

static const struct workload workload = {"997", {N}, 0};
static float x[N], y[N], dot;
static float *const host[BUFFERS] = {x, y, &dot};

static struct check check_of(void)
{
    struct check check;
    void *buffers[OP_BUFFERS_MAX];
    memcpy(buffers, host, sizeof host);
    struct reference *reference = op_reference_make(&dot_op, &workload, &(struct input_note){.text = "made"}, buffers);
    assert_non_null(reference);
    op_check(reference, PRECISION_FP32, buffers, &check);
    op_reference_free(reference);
    return check;
}

static void fill(enum input_kind kind)
{
    struct input_note note;
    void *buffers[OP_BUFFERS_MAX];
    memcpy(buffers, host, sizeof host);
    op_fill(&dot_op, &workload, &(struct input_source){.seed = 5, .kind = kind}, buffers, &note);
}

static void answer(void)
{
    dot = 0;
    for (int i = 0; i < N; i++)
        dot += x[i] * y[i];
}

static void products_of_all_kinds_of_input_are_right(void **state)
{
    (void)state;
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        fill((enum input_kind)kind);
        answer();
        assert_true(check_of().correct);
    }
}

static void a_product_that_is_missing_or_comes_twice_is_found(void **state)
{
    (void)state;
    fill(INPUT_INTEGERS);
    answer();
    const float right = dot;
    for (int i = 0; i < N; i++) {
        if (x[i] * y[i] == 0)
            continue;
        dot = right - x[i] * y[i];
        assert_false(check_of().correct);
        dot = right + x[i] * y[i];
        assert_false(check_of().correct);
    }
}

static void wrong_answers_are_found(void **state)
{
    (void)state;
    fill(INPUT_RANDOM);
    answer();
    const float right = dot, wrong[] = {NAN, INFINITY, 0, -right, right + 0.01f, x[0] * y[0]};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        dot = wrong[i];
        assert_non_null(strstr(check_of().reason, "wrong answer: dot[0] is"));
    }
}

static void a_problem_is_bound_to_its_buffers(void **state)
{
    (void)state;
    void *memory[] = {x, y, &dot};
    struct dot_problem problem;
    op_bind(&dot_op, &workload, memory, &problem);
    assert_true(problem.n == N && problem.x == x && problem.y == y && problem.dot == &dot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_all_kinds_of_input_are_right),
        cmocka_unit_test(a_product_that_is_missing_or_comes_twice_is_found),
        cmocka_unit_test(wrong_answers_are_found),
        cmocka_unit_test(a_problem_is_bound_to_its_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
