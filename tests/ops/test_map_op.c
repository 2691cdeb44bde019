/* The operation map: its rule and its input. What it shares with others is in test_operations.c. */
#include "bench/table/map.h"
#include "array_problem.h"
#include "tests/unit.h"

#include <float.h>

enum { X, Y, BUFFERS };

TEST(negative_numbers_become_zero_and_nan_stays)
{
    static const struct workload workload = {"11", {11}, 0};
    float x[] = {-1, 1, 0, -0.0f, INFINITY, -INFINITY, NAN, FLT_MAX, -FLT_MAX, 0x1p-149f, -0x1p-149f};
    float y[] = {0, 1, 0, 0, INFINITY, 0, NAN, FLT_MAX, 0, 0x1p-149f, 0};
    const struct array_problem made = {.op = &map_op, .workload = &workload, .host = {x, y}, .note = {.text = "made"}};
    assert_true(array_problem_check(&made).correct);
    for (int i = 0; i < 11; i++) {
        float right = y[i];
        if (right == 0) {
            y[i] = -0.0f;
            assert_true(array_problem_check(&made).correct);
        }
        y[i] = isnan(right) ? 0 : right > 0 ? nextafterf(right, 0) : 0x1p-149f;
        assert_false(array_problem_check(&made).correct);
        y[i] = right;
    }
}

TEST(fmax_and_the_absolute_value_are_no_answers)
{
    enum { ELEMENTS = 1000 };
    static const struct workload workload = {"1000", {ELEMENTS}, 0};
    struct array_problem made = array_problem_make(&map_op, &workload, INPUT_SPARSE);
    float *x = made.host[X], *y = made.host[Y];
    for (int i = 0; i < ELEMENTS; i++)
        y[i] = fmaxf(x[i], 0);
    assert_answer_wrong(&made, "expected nan");
    array_problem_fill(&made, &(struct input_source){.seed = 1});
    for (int i = 0; i < ELEMENTS; i++)
        y[i] = fabsf(x[i]);
    assert_false(array_problem_check(&made).correct);
    array_problem_free(&made);
}
