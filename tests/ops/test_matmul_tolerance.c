/* The tolerance as a function of K: every arithmetic as precise as FP32 passes, and none that is less precise where the
 * difference exceeds the errors of FP32 sums. */
#include "bench/table/op.h"
#include "matmul_problem.h"
#include "tests/unit.h"

static const int64_t ks[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 28, 63, 100, 784, 1299, 5000};
enum { KS = sizeof ks / sizeof ks[0] };

/* C is smaller where K is larger: at most 300 x 300. */
static struct problem square_problem(int64_t k, uint64_t seed)
{
    int64_t side = (int64_t)fmin(300, sqrt(300000 / (double)k));
    return make_problem_of(side, side, k, INPUT_ZERO_MEAN, seed);
}

static void assert_judged(dot *sum, int64_t k, bool passes)
{
    for (uint64_t seed = 1; seed <= (unit_at_length() ? 3 : 1); seed++) {
        struct problem p = square_problem(k, seed);
        multiply(&p, sum);
        const struct check check = check_as(&p, PRECISION_FP32);
        if (check.correct != passes)
            fail_msg("K = %ld %s with an RMS of %g: %s", (long)k, check.correct ? "passes" : "fails", check.rms_err,
                     check.reason);
        free_problem(&p);
    }
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

/* Both ways of rounding to TF32, of both factors or of one. */
static void assert_tf32_is_no_fp32(struct problem *p)
{
    static rounding *const kinds[][2] = {{tf32_nearest, tf32_nearest}, {tf32_nearest, unrounded},
                                         {unrounded, tf32_nearest},    {tf32_truncated, tf32_truncated},
                                         {tf32_truncated, unrounded},  {unrounded, tf32_truncated}};
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        multiply_rounded(p, in_eight_lanes, kinds[kind][0], kinds[kind][1]);
        assert_wrong(p, "answer");
        assert_true(check_as(p, PRECISION_FP32).rms_err > 2 * limit_of(p));
    }
}

/* The small ones have the size of mnist-valid5, and the fewest elements that the precision test accepts. In the last, K
 * is so large that TF32 keeps each element within its bound. */
TEST(fp32_sums_pass_in_any_order_and_tf32_fails)
{
    static const int64_t sizes[][3] = {{64, 16, 64},  {4, 16, 4},     {5, 784, 10},
                                       {64, 784, 64}, {32, 4096, 32}, {5, 4096, 10}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (uint64_t seed = 1; seed <= 2; seed++) {
            struct problem p = make_problem_of(sizes[s][0], sizes[s][2], sizes[s][1], INPUT_ZERO_MEAN, seed);
            assert_honest_is_right(&p);
            assert_tf32_is_no_fp32(&p);
            free_problem(&p);
        }
    }
}

/* Too large for a full reference. (With K = 16 no answer of a reasonable size is.) */
TEST(large_answers_are_told_apart_too)
{
    static const int64_t large[][3] = {{300, 4096, 1000}, {4096, 784, 4096}};
    for (size_t s = 0; s < (unit_at_length() ? 2 : 1); s++) {
        struct problem p = make_large_problem(large[s][0], large[s][2], large[s][1], INPUT_ZERO_MEAN);
        assert_non_null(p.reference->index);
        assert_honest_is_right(&p);
        assert_tf32_is_no_fp32(&p);
        multiply_rounded(&p, forwards, tf32_nearest, tf32_nearest);
        assert_right_as(&p, PRECISION_TF32);
        free_problem(&p);
    }
}

/* Sums of positive numbers exceed the RMS limit and are still correct: forwards loses most. */
TEST(honest_sums_of_other_input_are_right)
{
    static const enum input inputs[] = {INPUT_POSITIVE, INPUT_LIKE_IMAGES};
    for (size_t i = 0; i < 2; i++) {
        struct problem p = make_problem_of(32, 32, 4096, inputs[i], 1);
        assert_honest_is_right(&p);
        free_problem(&p);
        if (i > 0 && !unit_at_length())
            continue;
        p = make_large_problem(300, 1000, 4096, inputs[i]);
        multiply(&p, forwards);
        assert_right(&p);
        multiply_rounded(&p, forwards, tf32_nearest, tf32_nearest);
        assert_right_as(&p, PRECISION_TF32);
        free_problem(&p);
    }
}

TEST(precision_is_judged_on_zero_mean_input_only)
{
    struct problem p = problem_without_reference(5, 10, 4096);
    make_reference(&p, false);
    multiply_rounded(&p, forwards, tf32_nearest, tf32_nearest);
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
        assert_int_equal(check_as(&p, PRECISION_FP32).correct, s >= 2);
        free_problem(&p);
    }
}

TEST(arithmetic_as_precise_as_fp32_passes)
{
    static dot *const precise[] = {positives_first, three_tf32, three_tf32_in_one_chain, three_tf32_in_short_chains,
                                   nine_bf16};
    for (size_t i = 0; i < KS; i++) {
        for (size_t order = 0; order < ORDERS; order++)
            assert_judged(orders[order], ks[i], true);
        for (size_t d = 0; d < sizeof precise / sizeof precise[0]; d++)
            assert_judged(precise[d], ks[i], true);
    }
}

/* The limit with least room for chance. */
TEST(many_single_products_lie_between_split_factors_and_22_bits)
{
    struct problem p = make_problem(1500, 1500, 1);
    multiply(&p, three_tf32_in_one_chain);
    assert_right(&p);
    multiply(&p, factors_of_22_bits);
    assert_wrong(&p, "imprecise");
    free_problem(&p);
}

/* Where the difference exceeds the errors of FP32 sums. */
TEST(less_precise_arithmetic_fails)
{
    static const struct {
        dot *sum;
        int64_t from, to; /* of K */
    } cases[] = {
        {factors_of_22_bits, 1, 4},
        {truncated_factors_of_22_bits, 1, 16},
        {three_tf32_truncated, 1, 16},
        {truncating_accumulator, 6, 5000},
        {accumulator_of_11_bits, 1, 5000},
        {accumulator_of_22_bits, 2, 28},
        {three_bf16, 1, 100}, /* factors of 16 bits */
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (size_t i = 0; i < KS; i++)
            if (ks[i] >= cases[c].from && ks[i] <= cases[c].to)
                assert_judged(cases[c].sum, ks[i], false);
}

/* Two sizes, in case that one is lucky. */
TEST(the_ragged_sizes_show_22_bits_and_truncation)
{
    static dot *const cheats[] = {factors_of_22_bits, truncated_factors_of_22_bits, three_tf32_truncated,
                                  truncating_accumulator};
    for (size_t c = 0; c < sizeof cheats / sizeof cheats[0]; c++) {
        int found = 0;
        for (size_t i = 0; i < matmul_op.ragged_count; i++) {
            const int64_t *size = matmul_op.ragged[i];
            struct problem p = make_problem_of(size[0], size[2], size[1], INPUT_ZERO_MEAN, 1);
            multiply(&p, cheats[c]);
            found += !check_as(&p, PRECISION_FP32).correct;
            multiply(&p, forwards);
            assert_right(&p);
            free_problem(&p);
        }
        assert_true(found >= 2);
    }
}

TEST(the_ragged_sizes_are_long_deep_and_large)
{
    int long_ones = 0, wide = 0, deep = 0, large = 0, vectors = 0;
    unsigned remainders[3] = {0};
    for (size_t i = 0; i < matmul_op.ragged_count; i++) {
        int64_t m = matmul_op.ragged[i][0], k = matmul_op.ragged[i][1], n = matmul_op.ragged[i][2];
        long_ones += m > 1000;
        wide += n > 1000;
        deep += k > 784;
        large += m * n > 100000;
        vectors += k > 4 && k % 4 == 0 && (n == 4 || n == 10 || n == 16);
        for (int side = 0; side < 3; side++)
            if (matmul_op.ragged[i][side] > 16)
                remainders[side] |= 1u << matmul_op.ragged[i][side] % 8;
    }
    for (int side = 0; side < 3; side++)
        assert_int_equal(remainders[side], 0xFF);
    assert_true(long_ones >= 1 && wide >= 1 && deep >= 3 && large >= 1 && vectors >= 6);
}

/* Few errors spread widely: a single one may be twice the mean of many. */
TEST(few_elements_are_given_more_room)
{
    assert_true(sums_rms_limit(PRECISION_FP32, 16, 1000000, 1000) < 1.3);
    assert_true(sums_rms_limit(PRECISION_FP32, 16, 16, 4) > 2.4);
    assert_true(sums_rms_limit(PRECISION_FP32, 1, 4000, 4) > 2 * sums_rms_limit(PRECISION_FP32, 1, 1000000, 1000));
    static const int64_t shapes[][3] = {{4, 16, 4}, {5, 1, 5}, {65, 1, 10}, {1, 28, 63}, {5, 784, 10}, {12, 64, 4}};
    static dot *const dots[] = {forwards, positives_first, three_tf32_in_one_chain, nine_bf16};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        for (uint64_t seed = 1; seed <= (unit_at_length() ? 100 : 30); seed++) {
            struct problem p = make_problem_of(shapes[s][0], shapes[s][2], shapes[s][1], INPUT_ZERO_MEAN, seed);
            for (size_t d = 0; d < sizeof dots / sizeof dots[0]; d++) {
                multiply(&p, dots[d]);
                assert_right(&p);
            }
            free_problem(&p);
        }
    }
}

/* BF16 has 8 bits, TF32 11. */
TEST(a_tf32_rung_has_11_bits)
{
    for (size_t i = 0; i < KS; i++) {
        struct problem p = square_problem(ks[i], 1);
        multiply(&p, forwards);
        assert_right_as(&p, PRECISION_TF32);
        multiply_rounded(&p, forwards, tf32_nearest, tf32_nearest);
        assert_right_as(&p, PRECISION_TF32);
        multiply_rounded(&p, forwards, bf16_nearest, bf16_nearest);
        assert_false(check_as(&p, PRECISION_TF32).correct);
        free_problem(&p);
    }
}

/* Errors are bounded by each element's own size (|A||B|). Strassen's method (V. Strassen, "Gaussian elimination is not
 * optimal", Numerische Mathematik 13, 1969) has errors of the size of the largest rows in small ones. */
TEST(an_error_of_a_large_row_is_wrong_in_a_small_one)
{
    struct problem p = problem_without_reference(64, 64, 64);
    for (int64_t e = 0; e < 32 * 64; e++)
        p.a[e] *= 0x1p-20f;
    make_reference(&p, true);
    multiply(&p, forwards);
    assert_right(&p);
    const float error = (float)(0x1p-24 * magnitude_at(&p, 40, 7));
    p.c[40 * 64 + 7] += error;
    assert_right(&p);
    p.c[20 * 64 + 7] += error;
    assert_wrong(&p, "wrong answer: C[20,7]");
    free_problem(&p);
}
