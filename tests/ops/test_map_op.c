/* The operation map: its rule and its input. What it shares with others is in test_operations.c. */
#include "bench/table/map.h"
#include "bench/table/op.h"
#include "tests/unit.h"

#include <float.h>
#include <math.h>
#include <string.h>

extern const struct op map_op;

enum { X, Y, BUFFERS };

static struct check check_of(const struct workload *workload, float *x, float *y)
{
    void *host[OP_BUFFERS_MAX] = {x, y};
    struct check check;
    struct reference *reference = op_reference_make(&map_op, workload, &(struct input_note){.text = "made"}, host);
    assert_non_null(reference);
    op_check(reference, PRECISION_FP32, host, &check);
    op_reference_free(reference);
    return check;
}

TEST(negative_numbers_become_zero_and_nan_stays)
{
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

TEST(fmax_and_the_absolute_value_are_no_answers)
{
    enum { ELEMENTS = 1000 };
    static const struct workload workload = {"1000", {ELEMENTS}, 0};
    static float x[ELEMENTS], y[ELEMENTS];
    void *host[OP_BUFFERS_MAX] = {x, y};
    struct input_note note;
    op_fill(&map_op, &workload, &(struct input_source){.seed = 1, .kind = INPUT_SPARSE}, host, &note);
    for (int i = 0; i < ELEMENTS; i++)
        y[i] = fmaxf(x[i], 0);
    assert_non_null(strstr(check_of(&workload, x, y).reason, "expected nan"));
    op_fill(&map_op, &workload, &(struct input_source){.seed = 1}, host, &note);
    for (int i = 0; i < ELEMENTS; i++)
        y[i] = fabsf(x[i]);
    assert_false(check_of(&workload, x, y).correct);
}
