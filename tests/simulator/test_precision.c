/* The rungs on tensor cores that promise FP32 keep the promise, on input that a split alone could not; and what comes
 * of numbers that no split holds is what FP32 makes of them. */
#include "bench/table/backend.h"
#include "precision_input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { M = 40, K = 96, N = 72 };

static rung_function *const split_rungs[] = {matmul_sim_tf32x3, matmul_sim_fp16x3};
static const char *const split_names[] = {"tf32x3", "fp16x3"};
enum { SPLIT_RUNGS = sizeof split_rungs / sizeof split_rungs[0] };

static int set_up(void **state)
{
    (void)state;
    return sim_backend.open(&(struct backend_settings){.device = -1, .times_nothing = true}) ? -1 : 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_backend.close();
    return 0;
}

/* Where few products decide a sum, as on a wide range, the bits that a split loses show: then the limit for a single
 * product holds (docs/verification.md). */
static void splits_are_as_precise_as_fp32_on_all_inputs(void **state)
{
    (void)state;
    for (int input = 0; input < PRECISION_INPUTS; input++) {
        struct problem p = precision_problem((enum precision_input)input, M, K, N);
        precision_run(matmul_sim_tiled, &p);
        double limit = input == PRECISION_WIDE ? 1.75 : 1.25 * precision_rms(&p);
        for (size_t i = 0; i < SPLIT_RUNGS; i++) {
            precision_run(split_rungs[i], &p);
            assert_right(&p);
            if (!(precision_rms(&p) <= limit) || !(precision_worst(&p) <= 8 * limit))
                fail_msg("%s, %s: RMS %.3g, largest %.3g; the limit is %.3g", split_names[i],
                         precision_input_names[input], precision_rms(&p), precision_worst(&p), limit);
        }
        free_problem(&p);
    }
}

/* Which share of the answer is, to the bit, what multiply-adds in the order of k make of it. */
static double share_of_multiply_adds(size_t rung, enum precision_input input)
{
    static float fp32[M * N];
    struct problem p = precision_problem(input, M, K, N);
    int64_t same = 0;
    precision_run(matmul_sim_tiled, &p);
    memcpy(fp32, p.c, sizeof fp32);
    precision_run(split_rungs[rung], &p);
    for (int64_t i = 0; i < M * N; i++)
        same += p.c[i] == fp32[i];
    free_problem(&p);
    return (double)same / (M * N);
}

static void tensor_cores_multiply_wherever_parts_hold_the_input(void **state)
{
    (void)state;
    for (int input = 0; input < PRECISION_INPUTS; input++)
        for (size_t i = 0; i < SPLIT_RUNGS; i++) {
            bool is_fp16 = split_rungs[i] == matmul_sim_fp16x3;
            bool is_too_wide = is_fp16 && (input == PRECISION_ROWS || input == PRECISION_WIDE);
            double share = share_of_multiply_adds(i, (enum precision_input)input);
            if (is_too_wide ? share != 1 : share > 0.75)
                fail_msg("%s, %s: %.3g of the elements are those of multiply-adds", split_names[i],
                         precision_input_names[input], share);
        }
}

static void plain_tf32_is_far_less_precise(void **state)
{
    (void)state;
    struct problem p = precision_problem(PRECISION_ZERO_MEAN, M, K, N);
    precision_run(matmul_sim_tf32, &p);
    assert_right_as(&p, PRECISION_TF32);
    assert_true(precision_rms(&p) > 100);
    free_problem(&p);
}

/* FP32's own infinities and NaNs, and else what is as near as its precision allows. */
static void assert_like(const float *fp32, const struct problem *p, double tolerance, const char *name, float number)
{
    for (int64_t i = 0; i < p->m * p->n; i++) {
        double error = fabs((double)p->c[i] - (double)fp32[i]), magnitude = p->reference->rows.magnitude[i];
        bool same = isfinite(fp32[i]) ? error <= tolerance * magnitude
                                      : p->c[i] == fp32[i] || (isnan(p->c[i]) && isnan(fp32[i]));
        if (!same)
            fail_msg("%s with %g: element %d is %g, FP32 makes it %g", name, (double)number, (int)i, (double)p->c[i],
                     (double)fp32[i]);
    }
}

static void compare_with_fp32(struct problem *p, float number)
{
    static float fp32[M * N];
    make_reference(p, false);
    precision_run(matmul_sim_tiled, p);
    memcpy(fp32, p->c, sizeof fp32);
    for (size_t i = 0; i < SPLIT_RUNGS; i++) {
        precision_run(split_rungs[i], p);
        assert_like(fp32, p, 0x1p-18, split_names[i], number);
    }
    bool is_in_tf32 = number == 0 || !isfinite(number) || (fabsf(number) >= FLT_MIN && fabsf(number) < 0x1.ffep127f);
    if (is_in_tf32) {
        precision_run(matmul_sim_tf32, p);
        assert_like(fp32, p, 0x1p-9, "tf32", number);
    }
    free_problem(p);
}

/* Puts the number into one element of A, or of B, or both. */
static void try_number(float number, int64_t in_a, int64_t in_b)
{
    struct problem p = problem_without_reference(M, N, K);
    if (in_a >= 0)
        p.a[in_a] = number;
    if (in_b >= 0)
        p.b[in_b] = -number;
    compare_with_fp32(&p, number);
}

/* A has nothing else, and B is positive. */
static void try_nothing_but(float number)
{
    struct problem p = problem_without_reference(M, N, K);
    for (int64_t i = 0; i < M * K; i++)
        p.a[i] = number;
    for (int64_t i = 0; i < K * N; i++)
        p.b[i] = fabsf(p.b[i]);
    compare_with_fp32(&p, number);
}

static void infinity_nan_and_the_ends_of_the_range_are_as_in_fp32(void **state)
{
    (void)state;
    float all_ones; /* a NaN that an addition to its bits would make a zero */
    memset(&all_ones, 0xFF, sizeof all_ones);
    const float numbers[] = {INFINITY,     -INFINITY,  NAN,        all_ones, FLT_MAX, -FLT_MAX,     0x1p127f, 0x1p+16f,
                             0x1p+48f,     0x1p+56f,   0x1.8p+56f, 0x1p+57f, FLT_MIN, FLT_TRUE_MIN, 0x1p-56f, 0x1p-57f,
                             0x1.fffp+15f, 0x1.fp-27f, 0x1p-28f,   0x1p-75f, 0,       -0.0f};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        try_number(numbers[i], 7 * K + 33, 50 * N + 50);
    try_nothing_but(INFINITY);
    try_nothing_but(NAN);
    try_nothing_but(-0x1p126f);
    try_nothing_but(0x1p-80f);
    try_nothing_but(FLT_TRUE_MIN);
}

/* Whichever row, column and k of a fragment has the only factor that cannot be split. */
static void each_place_is_looked_at(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 16; i++) {
        try_number(INFINITY, i * K + 16 + 3 * i % 16, -1);
        try_number(INFINITY, -1, (16 + i) * N + 3 * i % 64);
    }
}

/* All of A this large and all of B that large. */
static void try_sizes(int of_a, int of_b)
{
    struct problem p = precision_problem(PRECISION_ZERO_MEAN, 20, 50, 12);
    for (int64_t i = 0; i < p.m * p.k; i++)
        p.a[i] = ldexpf(p.a[i], of_a);
    for (int64_t i = 0; i < p.k * p.n; i++)
        p.b[i] = ldexpf(p.b[i], of_b);
    matmul_reference_free(p.reference);
    make_reference(&p, true);
    for (size_t i = 0; i < SPLIT_RUNGS; i++) {
        precision_run(split_rungs[i], &p);
        struct check check = check_as(&p, PRECISION_FP32);
        if (!check.correct)
            fail_msg("%s with A of 2^%d and B of 2^%d: %s", split_names[i], of_a, of_b, check.reason);
    }
    free_problem(&p);
}

/* Whatever size the matrices have, whole rows of subnormal numbers among them: their products have the precision of
 * FP32 as long as FP32 holds these. */
static void every_size_of_matrix_is_precise(void **state)
{
    (void)state;
    for (int size = -149; size <= 120; size += size < -110 || size > 100 ? 1 : 7) {
        try_sizes(size, -size > 120 ? 120 : -size);
        try_sizes(0, size);
        try_sizes(size / 2, size / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_are_as_precise_as_fp32_on_all_inputs),
        cmocka_unit_test(tensor_cores_multiply_wherever_parts_hold_the_input),
        cmocka_unit_test(plain_tf32_is_far_less_precise),
        cmocka_unit_test(infinity_nan_and_the_ends_of_the_range_are_as_in_fp32),
        cmocka_unit_test(each_place_is_looked_at),
        cmocka_unit_test(every_size_of_matrix_is_precise),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
