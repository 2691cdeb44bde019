/* How simulated tensor cores add and round: products are exact, sums are cut off. test_right_kernels.c has which lane
 * holds what. */
#include "mma_kernels.h"
#include "tests/unit.h"

/* Both formats agree: the factors of these tests are in both. */
static void assert_sum(const struct mma_sum *sum, float expected)
{
    static float got[2];
    assert_null(mma_sums(sum, got));
    for (int i = 0; i < 2; i++)
        if (memcmp(&got[i], &expected, sizeof expected) != 0)
            fail_msg("the %s sum is %a, expected %a", i ? "FP16" : "TF32", (double)got[i], (double)expected);
}

TEST(products_are_exact)
{
    const float a = 0x1.ffcp0f; /* 11 bits, whose square has 22 */
    assert_sum(&(struct mma_sum){0, {a}, {a}}, 0x1.ff8008p1f);
    assert_sum(&(struct mma_sum){-4, {a}, {a}}, -0x1.ffep-9f); /* nothing is lost before the sum */
}

TEST(sums_are_cut_off_towards_zero)
{
    const float ulp = 0x1p-23f, nearly = 0x1.8p-12f; /* nearly * nearly / 2 is 9/8 of half an ulp of 1 */
    assert_sum(&(struct mma_sum){1, {nearly / 2}, {nearly}}, 1);
    assert_sum(&(struct mma_sum){-1, {nearly / 2}, {-nearly}}, -1);
    assert_sum(&(struct mma_sum){1, {0x1p-11f}, {0x1p-12f}}, 1 + ulp);     /* a whole ulp counts */
    assert_sum(&(struct mma_sum){0x1.fffffep0f, {1}, {1}}, 0x1.7ffffep1f); /* 3 - ulp: rounded, it would be 3 */
    assert_sum(&(struct mma_sum){-0x1.fffffep0f, {1}, {-1}}, -0x1.7ffffep1f);
}

TEST(each_addend_is_cut_off_for_itself)
{
    const float half = 0x1p-12f; /* half * half is half an ulp of 1 */
    struct mma_sum sum = {1, {0}, {0}};
    for (int i = 0; i < MMA_TERMS; i++)
        sum.a[i] = sum.b[i] = half;
    assert_sum(&sum, 1); /* though they are 4 ulps together */
    sum.before = 0;
    assert_sum(&sum, MMA_TERMS * half * half);
    /* The largest decides, wherever it is, and even if nothing of it is left. */
    assert_sum(&(struct mma_sum){0, {half, 1, half, -1, half}, {half, 1, half, 1, half}}, 0);
}

TEST(no_product_is_lost_for_being_small)
{
    assert_sum(&(struct mma_sum){0, {0x1p-24f}, {0x1p-24f}}, 0x1p-48f); /* subnormal numbers of FP16 */
    assert_sum(&(struct mma_sum){0x1p-149f, {0}, {0}}, 0x1p-149f);      /* one of FP32 */
    static float got[2];
    assert_null(mma_sums(&(struct mma_sum){0, {0x1p-70f}, {0x1.8p-79f}}, got));
    assert_true(got[0] == 0x1p-149f && got[1] == 0);
    assert_null(mma_sums(&(struct mma_sum){0, {0x1p-130f}, {0x1p+10f}}, got));
    assert_true(got[0] == 0x1p-120f);
}

TEST(infinity_and_nan_come_through)
{
    assert_sum(&(struct mma_sum){1, {INFINITY, 2}, {2, 3}}, INFINITY);
    assert_sum(&(struct mma_sum){-INFINITY, {1}, {1}}, -INFINITY);
    const struct mma_sum not_numbers[] = {
        {1, {INFINITY, 2}, {0, 3}}, {0, {INFINITY, INFINITY}, {1, -1}}, {NAN, {1}, {1}}, {0, {1, NAN}, {1, 0}}};
    for (size_t i = 0; i < sizeof not_numbers / sizeof not_numbers[0]; i++) {
        static float got[2];
        assert_null(mma_sums(&not_numbers[i], got));
        assert_true(isnan(got[0]) && isnan(got[1]));
    }
    static float got[2];
    assert_null(mma_sums(&(struct mma_sum){0, {0x1p100f}, {0x1p100f}}, got));
    assert_true(got[0] == INFINITY); /* too large for FP32 */
    assert_true(got[1] == INFINITY); /* too large for FP16 */
}

TEST(of_tf32_the_last_13_bits_do_not_count)
{
    static float got[2];
    assert_null(mma_sums(&(struct mma_sum){0, {0x1.007ffep0f}, {1}}, got));
    assert_true(got[0] == 0x1.004p0f);
    assert_null(mma_sums(&(struct mma_sum){0, {-1}, {0x1.ffffp0f}}, got));
    assert_true(got[0] == -0x1.ffcp0f);
}

enum { ROUNDED = 3 * 0x7C00 };

/* The positive FP16 number with these bits; what follows the last finite one is 65536. */
static float fp16_number(uint32_t bits)
{
    uint32_t exponent = bits >> 10, fraction = bits & 0x3FF;
    return exponent == 0 ? ldexpf((float)fraction, -24) : ldexpf((float)(1024 + fraction), (int)exponent - 25);
}

/* Each finite number, and what lies halfway to the next and just above. */
TEST(fp16_is_the_nearest_and_even_between_two)
{
    static float numbers[ROUNDED];
    static uint32_t rounded[2 * ROUNDED];
    for (uint32_t i = 0; i < 0x7C00; i++) {
        float here = fp16_number(i), halfway = (here + fp16_number(i + 1)) / 2;
        memcpy(&numbers[3 * i], (float[]){here, halfway, nextafterf(halfway, INFINITY)}, 3 * sizeof(float));
    }
    assert_null(mma_roundings(numbers, rounded, ROUNDED));
    for (uint32_t i = 0; i < ROUNDED; i++) {
        uint32_t bits = i / 3 + (i % 3 == 2 || (i % 3 == 1 && i / 3 % 2 == 1));
        if (rounded[ROUNDED + i] != (bits | (bits | 0x8000) << 16))
            fail_msg("%a becomes %08x, expected %04x and its negative", (double)numbers[i], rounded[ROUNDED + i], bits);
    }
}

TEST(tf32_is_the_nearest_and_away_from_zero_between_two)
{
    static const struct {
        float number, tf32;
    } cases[] = {
        {1, 1},
        {0x1.002p0f, 0x1.004p0f},
        {0x1.001ffep0f, 1},
        {-0x1.002p0f, -0x1.004p0f},
        {0x1.ffep0f, 2},
        {0x1p-149f, 0},
        {0x1.ffdffep127f, 0x1.ffcp127f},
        {0x1.fffffep127f, INFINITY},
        {-INFINITY, -INFINITY},
        {0, 0},
    };
    enum { COUNT = sizeof cases / sizeof cases[0] };
    float numbers[COUNT + 1];
    static uint32_t rounded[2 * (COUNT + 1)];
    const uint32_t all_ones = UINT32_MAX;
    for (size_t i = 0; i < COUNT; i++)
        numbers[i] = cases[i].number;
    memcpy(&numbers[COUNT], &all_ones, sizeof all_ones); /* a NaN that would become a zero if 1 were added */
    assert_null(mma_roundings(numbers, rounded, COUNT + 1));
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t expected;
        memcpy(&expected, &cases[i].tf32, sizeof expected);
        if (rounded[i] != expected)
            fail_msg("%a becomes %08x, expected %08x", (double)numbers[i], rounded[i], expected);
    }
    assert_true((rounded[COUNT] & 0x7FFFE000) > 0x7F800000);
    assert_true((rounded[COUNT + 1 + COUNT] & 0x7FFF) > 0x7C00);
}
