/* The tolerance as a function of K: every arithmetic as precise as FP32 passes, and none that is less precise where the
 * difference exceeds the errors of FP32 sums. */
#include "bench/table/op.h"
#include "matmul_formats.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct op matmul_op;

enum { SEEDS = 3 };
static const int64_t ks[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 28, 63, 100, 784, 1299, 5000};
enum { KS = sizeof ks / sizeof ks[0] };

/* C is smaller where K is larger: at most 300 x 300. */
static struct problem square_problem(int64_t k, uint64_t seed)
{
    int64_t side = (int64_t)fmin(300, sqrt(300000 / (double)k));
    return make_problem_of(side, side, k, INPUT_ZERO_MEAN, seed);
}

TEST(the_formats_are_emulated_right)
{
    assert_true(rounded_to(1 + 0x1p-10f, 11) == 1 + 0x1p-10f && rounded_to(1 + 0x1.2p-11f, 11) == 1 + 0x1p-10f);
    assert_true(rounded_to(1 + 0x0.ep-11f, 11) == 1 && rounded_to(-1 - 0x1.2p-11f, 11) == -1 - 0x1p-10f);
    assert_true(truncated_to(1 + 0x1.ep-11f, 11) == 1 && truncated_to(-1 - 0x1.8p-10f, 11) == -1 - 0x1p-10f);
    float a[] = {1 + 0x1p-23f, 1}, b[] = {1, 0x1p-24f};
    assert_true(nine_bf16(a, b, 1) == a[0] && three_tf32(a, b, 1) == a[0]);
    assert_true(factors_of_22_bits(a, b, 1) == 1 && truncated_factors_of_22_bits(a, b, 1) == 1);
    assert_true(three_bf16(&(float){1 + 0x1p-9f + 0x1p-18f}, b, 1) == 1 + 0x1p-9f);
    assert_true(truncating_accumulator(a, b, 2) == a[0] && forwards(a, b, 2) == 1 + 0x1p-22f);
}

static void assert_passes(dot *sum, int64_t k)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct problem p = square_problem(k, seed);
        multiply(&p, sum);
        assert_right(&p);
        free_problem(&p);
    }
}

static void assert_fails(dot *sum, int64_t k)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct problem p = square_problem(k, seed);
        multiply(&p, sum);
        struct check check = check_as(&p, PRECISION_FP32);
        if (check.correct)
            fail_msg("K = %ld passes with an RMS of %g", (long)k, check.rms_err);
        free_problem(&p);
    }
}

TEST(sums_in_any_order_pass)
{
    for (size_t i = 0; i < KS; i++) {
        for (size_t order = 0; order < ORDERS; order++)
            assert_passes(orders[order], ks[i]);
        assert_passes(positives_first, ks[i]);
    }
}

TEST(split_factors_pass)
{
    for (size_t i = 0; i < KS; i++) {
        assert_passes(three_tf32, ks[i]);
        assert_passes(three_tf32_in_one_chain, ks[i]);
        assert_passes(three_tf32_in_short_chains, ks[i]);
        assert_passes(nine_bf16, ks[i]);
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

/* For larger K the errors of FP32 sums are as large. */
TEST(factors_of_22_bits_fail_where_k_is_small)
{
    for (int64_t k = 1; k <= 4; k++)
        assert_fails(factors_of_22_bits, k);
    for (size_t i = 0; i < KS && ks[i] <= 16; i++) {
        assert_fails(truncated_factors_of_22_bits, ks[i]);
        assert_fails(three_tf32_truncated, ks[i]);
    }
}

TEST(accumulators_that_truncate_fail)
{
    for (size_t i = 0; i < KS; i++)
        if (ks[i] >= 6)
            assert_fails(truncating_accumulator, ks[i]);
}

TEST(formats_of_fewer_bits_fail)
{
    for (size_t i = 0; i < KS; i++) {
        assert_fails(accumulator_of_11_bits, ks[i]);
        if (ks[i] >= 2 && ks[i] <= 28)
            assert_fails(accumulator_of_22_bits, ks[i]);
        if (ks[i] <= 100) /* factors of 16 bits */
            assert_fails(three_bf16, ks[i]);
    }
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
        for (uint64_t seed = 1; seed <= 100; seed++) {
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
        multiply_rounded(&p, forwards, tf32_nearest, tf32_nearest);
        assert_right_as(&p, PRECISION_TF32);
        multiply_rounded(&p, forwards, bf16_nearest, bf16_nearest);
        assert_false(check_as(&p, PRECISION_TF32).correct);
        free_problem(&p);
    }
}

/* One level of Strassen's method (V. Strassen, "Gaussian elimination is not optimal", Numerische Mathematik 13, 1969).
 * n is even, and a, b and c are n x n. */
static void add_blocks(int64_t h, const float *x, const float *y, float sign, float *sum)
{
    for (int64_t i = 0; i < h; i++)
        for (int64_t j = 0; j < h; j++)
            sum[i * h + j] = x[i * 2 * h + j] + sign * y[i * 2 * h + j];
}

static void multiply_blocks(int64_t h, const float *x, const float *y, float *product)
{
    for (int64_t i = 0; i < h; i++) {
        for (int64_t j = 0; j < h; j++) {
            float sum = 0;
            for (int64_t p = 0; p < h; p++)
                sum = fmaf(x[i * h + p], y[p * h + j], sum);
            product[i * h + j] = sum;
        }
    }
}

static void multiply_by_strassen(struct problem *p)
{
    enum { ZERO = -1 };
    int64_t h = p->n / 2;
    /* The products of sums of blocks; block 2 r + c is in row r and column c. */
    static const struct {
        int a, and_a, b, and_b;
        float sign_a, sign_b;
    } terms[7] = {{0, 3, 0, 3, 1, 1},    {2, 3, 0, ZERO, 1, 0}, {0, ZERO, 1, 3, 0, -1}, {3, ZERO, 2, 0, 0, -1},
                  {0, 1, 3, ZERO, 1, 0}, {2, 0, 0, 1, -1, 1},   {1, 3, 2, 3, -1, 1}};
    float *x = floats(h, h), *y = floats(h, h), *m = floats(7 * h, h);
    for (int t = 0; t < 7; t++) {
        const float *a = p->a + terms[t].a / 2 * h * p->n + terms[t].a % 2 * h;
        const float *b = p->b + terms[t].b / 2 * h * p->n + terms[t].b % 2 * h;
        int and_a = terms[t].and_a == ZERO ? terms[t].a : terms[t].and_a;
        int and_b = terms[t].and_b == ZERO ? terms[t].b : terms[t].and_b;
        add_blocks(h, a, p->a + and_a / 2 * h * p->n + and_a % 2 * h, terms[t].sign_a, x);
        add_blocks(h, b, p->b + and_b / 2 * h * p->n + and_b % 2 * h, terms[t].sign_b, y);
        multiply_blocks(h, x, y, m + t * h * h);
    }
    for (int64_t i = 0; i < h; i++) {
        for (int64_t j = 0; j < h; j++) {
            const float *e = m + i * h + j;
            float m1 = e[0], m2 = e[h * h], m3 = e[2 * h * h], m4 = e[3 * h * h], m5 = e[4 * h * h];
            float m6 = e[5 * h * h], m7 = e[6 * h * h], *c = p->c + i * p->n + j;
            c[0] = m1 + m4 - m5 + m7;
            c[h] = m3 + m5;
            c[h * p->n] = m2 + m4;
            c[h * p->n + h] = m1 - m2 + m3 + m6;
        }
    }
    free(x);
    free(y);
    free(m);
}

/* Its errors are bounded by the largest element of the matrix, not by each element's own (|A||B|). On random input
 * this hardly shows; it does where the rows are of different size. */
TEST(strassen_fails_where_rows_differ_in_size)
{
    struct problem p = make_problem(64, 64, 64);
    multiply_by_strassen(&p);
    for (int64_t e = 0; e < 64 * 64; e++)
        assert_true(fabs((double)p.c[e] - p.reference->value[e]) < 1e-5 * p.reference->scale[e]);
    for (int64_t e = 0; e < 32 * 64; e++)
        p.a[e] *= 0x1p-20f;
    op_reference_free(p.reference);
    make_reference(&p, true);
    multiply_by_strassen(&p);
    assert_wrong(&p, "wrong answer");
    multiply(&p, forwards);
    assert_right(&p);
    free_problem(&p);
}
