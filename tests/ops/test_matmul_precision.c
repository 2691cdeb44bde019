/* FP32 is distinguished from TF32: FP32 sums pass in any order, and factors rounded to TF32 in any way fail. */
#include "matmul_mistakes.h"
#include "tests/unit.h"

/* Both ways of rounding, of both factors or of one. */
static const struct {
    rounding *a, *b;
} tf32_kinds[] = {
    {tf32_nearest, tf32_nearest},     {tf32_nearest, unrounded},   {unrounded, tf32_nearest},
    {tf32_truncated, tf32_truncated}, {tf32_truncated, unrounded}, {unrounded, tf32_truncated},
};
enum { TF32_KINDS = sizeof tf32_kinds / sizeof tf32_kinds[0], SEEDS = 2 };

static void multiply_in_tf32(struct problem *p)
{
    multiply_rounded(p, forwards, tf32_nearest, tf32_nearest);
}

TEST(the_emulated_factors_are_those_of_tf32)
{
    assert_true(tf32_nearest(1 + 0x1p-10f) == 1 + 0x1p-10f);
    assert_true(tf32_nearest(1 + 0x1p-11f) == 1 && tf32_nearest(1 + 3 * 0x1p-11f) == 1 + 0x1p-9f); /* ties to even */
    assert_true(tf32_nearest(-1 - 0x1.2p-11f) == -1 - 0x1p-10f);
    assert_true(tf32_truncated(1 + 0x1.fp-11f) == 1 && tf32_truncated(-1 - 0x1.fp-11f) == -1);
}

static double limit_of(const struct problem *p)
{
    return sums_rms_limit(PRECISION_FP32, p->k, p->reference->rows * p->n,
                          p->reference->rows < p->n ? p->reference->rows : p->n);
}

static void assert_honest_is_right(struct problem *p)
{
    for (size_t order = 0; order < ORDERS; order++) {
        multiply(p, orders[order]);
        assert_right(p);
        if (p->reference->note.zero_mean)
            assert_true(check_as(p, PRECISION_FP32).rms_err < 0.6 * limit_of(p));
    }
}

static void assert_tf32_is_no_fp32(struct problem *p)
{
    for (size_t kind = 0; kind < TF32_KINDS; kind++) {
        multiply_rounded(p, in_eight_lanes, tf32_kinds[kind].a, tf32_kinds[kind].b);
        assert_wrong(p, "answer");
        assert_true(check_as(p, PRECISION_FP32).rms_err > 2 * limit_of(p));
    }
}

/* The small ones have the size of mnist-valid5, and the fewest elements that the precision test accepts. */
static const int64_t sizes[][3] = {{64, 16, 64},  {4, 16, 4},     {5, 784, 10},
                                   {64, 784, 64}, {32, 4096, 32}, {5, 4096, 10}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

TEST(honest_answers_are_right_in_any_order_of_summation)
{
    for (size_t s = 0; s < SIZES; s++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct problem p = make_problem_of(sizes[s][0], sizes[s][2], sizes[s][1], INPUT_ZERO_MEAN, seed);
            assert_honest_is_right(&p);
            free_problem(&p);
        }
    }
}

TEST(short_honest_sums_are_right)
{
    for (int64_t k = 1; k < 16; k++) {
        struct problem p = make_problem(64, 64, k);
        assert_honest_is_right(&p);
        free_problem(&p);
    }
}

/* Sums of positive numbers exceed the RMS limit and are still correct. */
TEST(honest_sums_of_other_input_are_right)
{
    static const enum input inputs[] = {INPUT_POSITIVE, INPUT_LIKE_IMAGES};
    for (size_t i = 0; i < 2; i++) {
        struct problem p = make_problem_of(32, 32, 4096, inputs[i], 1);
        assert_honest_is_right(&p);
        free_problem(&p);
    }
}

TEST(tf32_is_no_fp32)
{
    for (size_t s = 0; s < SIZES; s++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct problem p = make_problem_of(sizes[s][0], sizes[s][2], sizes[s][1], INPUT_ZERO_MEAN, seed);
            assert_tf32_is_no_fp32(&p);
            free_problem(&p);
        }
    }
}

/* K is so large that each element is within its bound. */
TEST(the_worst_case_alone_would_let_tf32_pass)
{
    struct problem p = make_problem(5, 10, 4096);
    multiply_in_tf32(&p);
    assert_wrong(&p, "imprecise");
    free_problem(&p);
}

TEST(precision_is_judged_on_zero_mean_input_only)
{
    struct problem p = problem_without_reference(5, 10, 4096);
    make_reference(&p, false);
    multiply_in_tf32(&p);
    assert_right(&p);
    free_problem(&p);
}

/* Elements on both sides of REFERENCE_PRECISE_ELEMENTS. */
TEST(precision_is_judged_where_there_is_enough_to_judge_by)
{
    static const int64_t shapes[][3] = {{4, 4, 16}, {4, 4, 1}, {3, 5, 16}, {3, 5, 1}};
    for (size_t s = 0; s < 4; s++) {
        struct problem p = make_problem(shapes[s][0], shapes[s][1], shapes[s][2]);
        multiply(&p, in_double);
        for (int64_t e = 0; e < p.m * p.n; e++) /* below the bound of 12 units and more, above the RMS limit */
            p.c[e] += (float)(6 * 0x1p-24 * magnitude_at(&p, e / p.n, e % p.n));
        struct check check = check_as(&p, PRECISION_FP32);
        assert_int_equal(check.correct, s >= 2);
        free_problem(&p);
    }
}

TEST(tf32_is_right_where_it_is_promised)
{
    static const int64_t ks[] = {1, 5, 16, 784, 4096};
    for (size_t i = 0; i < sizeof ks / sizeof ks[0]; i++) {
        struct problem p = make_problem(64, 64, ks[i]);
        multiply_in_tf32(&p);
        assert_right_as(&p, PRECISION_TF32);
        multiply(&p, forwards);
        assert_right_as(&p, PRECISION_TF32);
        free_problem(&p);
    }
}

TEST(tf32_is_held_to_its_own_unit)
{
    static mistake *const kinds[] = {one_is_nan,
                                     one_is_infinite,
                                     one_is_zero,
                                     one_has_the_other_sign,
                                     one_is_off_by_three_thousandths,
                                     swapped_with_its_neighbour_in_the_row,
                                     swapped_with_its_neighbour_in_the_column,
                                     all_are_nan,
                                     all_are_zero,
                                     all_are_halved};
    struct problem p = make_problem(64, 64, 784);
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        multiply_in_tf32(&p);
        kinds[kind](&p, 20, outstanding(&p, 20, 30, 3e-3));
        assert_false(check_as(&p, PRECISION_TF32).correct);
    }
    free_problem(&p);
}

/* Too large for a full reference. (With K = 16 no answer of a reasonable size is.) */
TEST(large_answers_are_told_apart_too)
{
    static const int64_t large[][3] = {{4096, 784, 4096}, {1250, 4096, 2000}};
    for (size_t s = 0; s < 2; s++) {
        struct problem p = make_large_problem(large[s][0], large[s][2], large[s][1], INPUT_ZERO_MEAN);
        assert_non_null(p.reference->index);
        assert_honest_is_right(&p);
        assert_tf32_is_no_fp32(&p);
        multiply_in_tf32(&p);
        assert_right_as(&p, PRECISION_TF32);
        free_problem(&p);
    }
}

/* Summing forwards loses most with positive numbers. */
TEST(large_honest_sums_of_other_input_are_right)
{
    static const enum input inputs[] = {INPUT_POSITIVE, INPUT_LIKE_IMAGES};
    for (size_t i = 0; i < 2; i++) {
        struct problem p = make_large_problem(1250, 2000, 4096, inputs[i]);
        multiply(&p, forwards);
        assert_right(&p);
        multiply_in_tf32(&p);
        assert_right_as(&p, PRECISION_TF32);
        free_problem(&p);
    }
}
