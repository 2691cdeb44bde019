/* The operation map: its rule, its input and its far end. What it shares with others is in test_array_op.c. */
#include "bench/table/map.h"
#include "bench/table/op.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct op map_op;

enum { X, Y, BUFFERS };

static struct check check_of(const struct workload *workload, float *x, float *y)
{
    void *host[OP_BUFFERS_MAX] = {x, y};
    struct check check;
    void *reference = map_op.reference_make(workload, &(struct input_note){.text = "made"}, host);
    assert_non_null(reference);
    map_op.check(reference, PRECISION_FP32, host, &check);
    map_op.reference_free(reference);
    return check;
}

static void negative_numbers_become_zero_and_nan_stays(void **state)
{
    (void)state;
    static const struct workload workload = {"11", {11}, 0};
    float x[] = {-1, 1, 0, -0.0f, INFINITY, -INFINITY, NAN, FLT_MAX, -FLT_MAX, 0x1p-149f, -0x1p-149f};
    float y[] = {0, 1, 0, 0, INFINITY, 0, NAN, FLT_MAX, 0, 0x1p-149f, 0};
    assert_true(check_of(&workload, x, y).correct);
    for (int i = 0; i < 11; i++) {
        float right = y[i];
        if (right == 0) {
            y[i] = -0.0f;
            assert_true(check_of(&workload, x, y).correct);
        }
        y[i] = isnan(right) ? 0 : right > 0 ? nextafterf(right, 0) : 0x1p-149f;
        assert_false(check_of(&workload, x, y).correct);
        y[i] = right;
    }
}

static void fmax_and_the_absolute_value_are_no_answers(void **state)
{
    (void)state;
    enum { ELEMENTS = 1000 };
    static const struct workload workload = {"1000", {ELEMENTS}, 0};
    static float x[ELEMENTS], y[ELEMENTS];
    void *host[OP_BUFFERS_MAX] = {x, y};
    struct input_note note;
    map_op.fill(&workload, &(struct input_source){.seed = 1, .kind = INPUT_SPARSE}, host, &note);
    for (int i = 0; i < ELEMENTS; i++)
        y[i] = fmaxf(x[i], 0);
    assert_non_null(strstr(check_of(&workload, x, y).reason, "expected nan"));
    map_op.fill(&workload, &(struct input_source){.seed = 1}, host, &note);
    for (int i = 0; i < ELEMENTS; i++)
        y[i] = fabsf(x[i]);
    assert_false(check_of(&workload, x, y).correct);
}

static void the_far_end_is_the_last_elements(void **state)
{
    (void)state;
    for (size_t i = 0; i < map_op.far_count; i++) {
        struct workload end;
        struct window windows[OP_BUFFERS_MAX];
        struct buffer_spec specs[OP_BUFFERS_MAX], whole[OP_BUFFERS_MAX];
        map_op.far_end(&map_op.far[i], &end, windows);
        assert_int_equal(map_op.buffers(&end, specs), BUFFERS);
        assert_int_equal(map_op.buffers(&map_op.far[i], whole), BUFFERS);
        for (size_t b = 0; b < BUFFERS; b++) {
            assert_true(windows[b].rows == 1 && windows[b].row_bytes == specs[b].bytes);
            assert_true(windows[b].offset + windows[b].row_bytes == whole[b].bytes);
        }
        assert_true(whole[Y].bytes / sizeof(float) > INT32_MAX);
    }
}

static void a_problem_is_bound_to_its_buffers(void **state)
{
    (void)state;
    static const struct workload workload = {"7", {7}, 0};
    float x, y;
    void *memory[] = {&x, &y};
    struct map_problem problem;
    map_op.bind(&workload, memory, &problem);
    assert_true(problem.n == 7 && problem.x == &x && problem.y == &y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(negative_numbers_become_zero_and_nan_stays),
        cmocka_unit_test(fmax_and_the_absolute_value_are_no_answers),
        cmocka_unit_test(the_far_end_is_the_last_elements),
        cmocka_unit_test(a_problem_is_bound_to_its_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
