/* The operation conv2d: what its answer is, and which answers are refused. What it shares with others is in
 * test_operations.c. */
#include "bench/table/conv2d.h"
#include "array_problem.h"
#include "tests/unit.h"

#include <math.h>
#include <string.h>

extern const struct op conv2d_op;

enum { X, F, Y, BUFFERS };

/* Numbers as a rung may take them in. */
static float as_they_are(float number)
{
    return number;
}

/* With 10 fraction bits, as tensor cores do. */
static float as_tf32(float number)
{
    int exponent;
    float fraction = frexpf(number, &exponent);
    return ldexpf(rintf(ldexpf(fraction, 11)), exponent - 11);
}

static void convolve(struct array_problem *made, float taken(float))
{
    struct conv2d_problem p;
    op_bind(&conv2d_op, made->workload, made->host, &p);
    const int64_t rows = p.h - p.r + 1, columns = p.w - p.r + 1, taps = p.c * p.r * p.r;
    for (int64_t o = 0; o < p.n * p.k * rows * columns; o++) {
        const int64_t n = o / columns / rows / p.k, k = o / columns / rows % p.k;
        float sum = 0;
        for (int64_t t = 0; t < taps; t++) {
            const int64_t row = o / columns % rows + t / p.r % p.r;
            const int64_t x = ((n * p.c + t / (p.r * p.r)) * p.h + row) * p.w + o % columns + t % p.r;
            sum += taken(p.x[x]) * taken(p.f[k * taps + t]);
        }
        p.y[o] = sum;
    }
}

TEST(filters_are_not_flipped_and_channels_are_added)
{
    static const struct workload workload = {"1x2x1x2x3x2", {1, 2, 1, 2, 3, 2}, 0};
    float x[] = {1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60}, f[] = {1, 2, 3, 4, 0, 0, 0, 1};
    struct array_problem made = {
        .op = &conv2d_op, .note = {.exact = true}, .workload = &workload, .host = {x, f, (float[]){37 + 50, 47 + 60}}};
    assert_true(array_problem_check(&made).correct);
    made.host[Y] = (float[]){23 + 10, 33 + 20};
    struct check flipped = array_problem_check(&made);
    assert_false(flipped.correct);
    assert_non_null(strstr(flipped.reason, "y[0,0,0,0] is 33, expected 87 exactly; 2 of 2"));
}

TEST(factors_rounded_to_tf32_are_refused)
{
    static const struct workload workload = {"1x32x8x12x12x3", {1, 32, 8, 12, 12, 3}, 0};
    struct array_problem made = array_problem_make(&conv2d_op, &workload, INPUT_RANDOM);
    convolve(&made, as_they_are);
    assert_true(array_problem_check(&made).correct);
    convolve(&made, as_tf32);
    assert_false(array_problem_check(&made).correct);
    array_problem_free(&made);
}

TEST(a_filter_must_fit_into_the_image)
{
    static const struct workload fits = {"2x1x3x4x4x4", {2, 1, 3, 4, 4, 4}, 0}, low = {"", {1, 1, 1, 3, 4, 4}, 0},
                                 narrow = {"", {1, 1, 1, 4, 3, 4}, 0}, large = {"", {1, 1, 1, 1, 1, 1 << 30}, 0};
    struct error error;
    assert_true(conv2d_op.accepts(&fits, &error));
    assert_false(conv2d_op.accepts(&narrow, &error));
    assert_false(conv2d_op.accepts(&large, &error));
    assert_false(conv2d_op.accepts(&low, &error));
    assert_string_equal(error.text, "a filter of 4x4, expected at most the image's 3x4");
}
