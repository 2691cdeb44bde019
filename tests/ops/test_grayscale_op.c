/* The operation grayscale: reference, cost and buffers. */
#include "gray_problem.h"
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct op *const op = &grayscale_op;

static uint8_t red_for_green(int red, int green, int blue)
{
    return expected_gray(green, red, blue);
}

/* As in the lecture: truncates. */
static uint8_t truncated(int red, int green, int blue)
{
    return (uint8_t)((2989 * red + 5870 * green + 1140 * blue) / 10000);
}

static uint8_t plain_mean(int red, int green, int blue)
{
    return (uint8_t)((red + green + blue + 1) / 3);
}

TEST(all_colours_are_as_the_formula_says)
{
    struct problem p = allocate("colours", 1, 4096, 4096);
    uint8_t *rgb = p.host[RGB];
    for (int64_t colour = 0; colour < 1 << 24; colour++)
        for (int channel = 0; channel < 3; channel++)
            rgb[channel * p.plane + colour] = (uint8_t)(colour >> 8 * channel);
    make_gray_reference(&p);
    answer(&p, expected_gray);
    assert_int_equal(((uint8_t *)p.host[GRAY])[0xFFFFFF], 255);
    assert_int_equal(((uint8_t *)p.host[GRAY])[0], 0);
    struct check check = check_of(&p);
    if (!check.correct)
        fail_msg("%s", check.reason);
    assert_true(check.max_abs_err == 0 && check.err_bound == 0 && isnan(check.rms_err));
    free_gray_problem(&p);
}

TEST(halves_are_rounded_up)
{
    struct problem p = allocate("one", 1, 1, 1);
    uint8_t *rgb = p.host[RGB], *gray = p.host[GRAY];
    rgb[0] = 0, rgb[1] = 0, rgb[2] = 250; /* 28.5 */
    make_gray_reference(&p);
    *gray = 29;
    assert_true(check_of(&p).correct);
    *gray = 28;
    assert_false(check_of(&p).correct);
    free_gray_problem(&p);
}

TEST(off_by_one_is_wrong_at_any_place)
{
    struct problem p = allocate("batch", 3, 5, 7);
    fill_seeded(&p, 1, NULL);
    make_gray_reference(&p);
    answer(&p, expected_gray);
    uint8_t *gray = p.host[GRAY];
    for (int64_t i = 0; i < 3 * 5 * 7; i++) {
        uint8_t right = gray[i];
        gray[i] = right < 255 ? right + 1 : 254;
        struct check check = check_of(&p);
        char expected[128];
        snprintf(expected, sizeof expected, "gray[%d,%d,%d] is %d, expected %d exactly; 1 of 105 checked", (int)i / 35,
                 (int)i % 35 / 7, (int)i % 7, gray[i], right);
        assert_false(check.correct);
        assert_true(check.max_abs_err == 1 && check.err_bound == 0);
        if (!strstr(check.reason, expected))
            fail_msg("'%s' does not say '%s'", check.reason, expected);
        gray[i] = right;
    }
    assert_true(check_of(&p).correct);
    free_gray_problem(&p);
}

TEST(wrong_rules_are_found)
{
    uint8_t (*const rules[])(int, int, int) = {swapped_channels, red_for_green, truncated, plain_mean};
    struct problem p = allocate("thumb", 1, 150, 216);
    fill_seeded(&p, 7, NULL);
    make_gray_reference(&p);
    answer(&p, expected_gray);
    assert_true(check_of(&p).correct);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        answer(&p, rules[i]);
        assert_false(check_of(&p).correct);
    }
    memset(p.host[GRAY], 0xFF, (size_t)p.plane);
    assert_false(check_of(&p).correct);
    free_gray_problem(&p);
}

TEST(a_shape_shows_images_only_where_there_are_several)
{
    struct workload one = {"x", {1, 150, 216}, 0}, many = {"x", {50000, 28, 28}, 0};
    char text[64];
    op_shape(op, &one, text, sizeof text);
    assert_string_equal(text, "150x216");
    op_shape(op, &many, text, sizeof text);
    assert_string_equal(text, "50000x28x28");
}

TEST(buffers_are_packed_even_beyond_32_bits)
{
    struct workload huge = {"x", {3, 1 << 20, 1 << 12}, 0};
    struct buffer_spec specs[OP_BUFFERS_MAX];
    assert_int_equal(op_buffers(op, &huge, specs), 2);
    assert_true(specs[RGB].bytes == (size_t)9 << 32 && !specs[RGB].is_output);
    assert_true(specs[GRAY].bytes == (size_t)3 << 32 && specs[GRAY].is_output);
    assert_true(op_reference_bytes(op, &huge) >= (size_t)3 << 32);
    assert_true(op_cost(op, &huge).bytes == 4 * 3 * 0x1p32);
}

TEST(ragged_sizes_are_many_and_small)
{
    int batches = 0, lines = 0, odd = 0, high = 0, large = 0;
    for (size_t i = 0; i < op->ragged_count; i++) {
        const int64_t *size = op->ragged[i];
        assert_true(size[0] >= 1 && size[1] >= 1 && size[2] >= 1 && size[0] * size[1] * size[2] <= 1 << 20);
        batches += size[0] > 1;
        lines += size[1] == 1 || size[2] == 1;
        odd += size[1] * size[2] % 16 != 0;
        high += size[1] > 1000;
        large += size[1] * size[2] > 100000;
    }
    assert_true(batches >= 2 && lines >= 2 && odd >= 5 && high >= 1 && large >= 1);
}
