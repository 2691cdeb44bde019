/* The operations reduce_rows and reduce_columns. What they share with others is in test_op.c. */
#include "bench/table/reduce_columns.h"
#include "bench/table/reduce_rows.h"
#include "bench/table/op.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

extern const struct op reduce_rows_op, reduce_columns_op;

enum { X, Y, BUFFERS };
enum { M = 37, N = 53, SUMS_MAX = N };

static const struct workload workload = {"37x53", {M, N}, 0};
static float x[M * N], y[SUMS_MAX];
static float *const host[BUFFERS] = {x, y};

static bool rows_are_bound(void *const memory[])
{
    struct reduce_rows_problem problem;
    op_bind(&reduce_rows_op, &workload, memory, &problem);
    return problem.m == M && problem.n == N && problem.x == memory[X] && problem.y == memory[Y];
}

static bool columns_are_bound(void *const memory[])
{
    struct reduce_columns_problem problem;
    op_bind(&reduce_columns_op, &workload, memory, &problem);
    return problem.m == M && problem.n == N && problem.x == memory[X] && problem.y == memory[Y];
}

/* From a sum to the next, and from a term of it to the next, it is so many elements. */
static const struct axis {
    const struct op *op;
    int sums, terms, next_sum, next_term;
    bool (*is_bound)(void *const memory[]);
} axes[] = {
    {&reduce_rows_op, M, N, N, 1, rows_are_bound},
    {&reduce_columns_op, N, M, 1, N, columns_are_bound},
};
static const struct axis *axis;

static struct check check_of(void)
{
    struct check check;
    void *buffers[OP_BUFFERS_MAX];
    memcpy(buffers, host, sizeof host);
    struct reference *reference = op_reference_make(axis->op, &workload, &(struct input_note){.text = "made"}, buffers);
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
    op_fill(axis->op, &workload, &(struct input_source){.seed = 5, .kind = kind}, buffers, &note);
}

static float term(int sum, int i)
{
    return x[sum * axis->next_sum + i * axis->next_term];
}

static void answer(void)
{
    for (int s = 0; s < axis->sums; s++) {
        y[s] = 0;
        for (int i = 0; i < axis->terms; i++)
            y[s] += term(s, i);
    }
}

static void sums_of_all_kinds_of_input_are_right(void **state)
{
    (void)state;
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        fill((enum input_kind)kind);
        answer();
        assert_true(check_of().correct);
    }
}

/* And of what cannot be told from a right sum, there is little: terms that are nearly zero. */
static void a_term_that_is_missing_or_comes_twice_is_found(void **state)
{
    (void)state;
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        int found = 0, terms = 0;
        fill((enum input_kind)kind);
        answer();
        for (int i = 0; i < axis->terms; i++) {
            const int s = i % axis->sums;
            const float right = y[s];
            if (term(s, i) == 0)
                continue;
            terms++;
            y[s] = right - term(s, i);
            found += !check_of().correct;
            y[s] = right + term(s, i);
            found += !check_of().correct;
            y[s] = right;
        }
        const bool is_exact = kind != INPUT_RANDOM && kind != INPUT_SPARSE && kind != INPUT_POWERS_OF_TWO;
        assert_true(is_exact ? found == 2 * terms : kind == INPUT_POWERS_OF_TWO || found >= terms);
    }
}

static void wrong_sums_are_named(void **state)
{
    (void)state;
    fill(INPUT_RANDOM);
    answer();
    for (int s = 0; s < axis->sums; s++) {
        const float right = y[s], wrong[] = {NAN, INFINITY, 0, -right, right + 1};
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            y[s] = wrong[i];
            assert_non_null(strstr(check_of().reason, "; 1 of"));
        }
        y[s] = right;
    }
    const float first = y[0];
    y[0] = y[1];
    y[1] = first;
    assert_non_null(strstr(check_of().reason, "wrong answer: y[0] is"));
}

static void a_problem_is_bound_to_its_buffers(void **state)
{
    (void)state;
    void *memory[] = {x, y};
    assert_true(axis->is_bound(memory));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_all_kinds_of_input_are_right),
        cmocka_unit_test(a_term_that_is_missing_or_comes_twice_is_found),
        cmocka_unit_test(wrong_sums_are_named),
        cmocka_unit_test(a_problem_is_bound_to_its_buffers),
    };
    int failed = 0;
    for (axis = axes; axis < axes + sizeof axes / sizeof axes[0]; axis++)
        failed += cmocka_run_group_tests_name(axis->op->name, tests, NULL, NULL);
    return failed;
}
