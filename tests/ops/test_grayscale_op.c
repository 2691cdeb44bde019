/* The operation grayscale: its rule, its cost, and its input of random colours or of MNIST images. What it shares with
 * others is in test_operations.c. */
#include "array_problem.h"
#include "bench/data/mnist.h"
#include "tests/unit.h"

enum { RGB, GRAY };
enum { MNIST_COUNT = 3, BATCH = 200 };

static const struct workload thumb = {"thumb", {1, 150, 216}, 0}, pair = {"pair", {2, 50, 60}, 0},
                             digits_rgb = {"mnist-rgb", {BATCH, 28, 28}, 0};
static uint8_t digits[MNIST_COUNT * MNIST_PIXELS];
static const struct mnist mnist = {.name = "t10k-images", .count = MNIST_COUNT, .pixels = digits};

static int draw_digits(void **state)
{
    for (int i = 0; i < MNIST_COUNT * MNIST_PIXELS; i++)
        digits[i] = (uint8_t)(i % 5 == 0 ? 0 : i * 7);
    for (int i = 0; i < MNIST_COUNT; i++)
        digits[i * MNIST_PIXELS + 1] = (uint8_t)(2 * i); /* tells which it is */
    return 0;
}

static struct array_problem made(const struct workload *workload, enum input_kind kind)
{
    return array_problem_of(&grayscale_op, workload,
                            &(struct input_source){.seed = 5, .kind = kind, .real.mnist = &mnist});
}

/* The weighted mean, with weights in ten-thousandths, rounded to the nearest integer; halves are rounded up. */
static uint8_t expected_gray(int red, int green, int blue)
{
    int tenthousandths = red * 2989 + green * 5870 + blue * 1140;
    int whole = tenthousandths / 10000, rest = tenthousandths - 10000 * whole;
    return (uint8_t)(rest >= 5000 ? whole + 1 : whole);
}

static uint8_t blue_for_red(int red, int green, int blue)
{
    return expected_gray(blue, green, red);
}

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

static void answer(const struct array_problem *p, uint8_t (*rule)(int, int, int))
{
    const int64_t plane = p->workload->size[1] * p->workload->size[2];
    const uint8_t *rgb = p->host[RGB];
    uint8_t *gray = p->host[GRAY];
    for (int64_t i = 0; i < p->workload->size[0]; i++, rgb += 3 * plane, gray += plane)
        for (int64_t at = 0; at < plane; at++)
            gray[at] = rule(rgb[at], rgb[at + plane], rgb[at + 2 * plane]);
}

static void assert_right(const struct array_problem *p)
{
    const struct check check = array_problem_check(p);
    assert_answer_right(p);
    assert_true(check.max_abs_err == 0 && check.err_bound == 0 && isnan(check.rms_err));
}

TEST(all_colours_are_as_the_formula_says)
{
    static const struct workload colours = {"colours", {1, 4096, 4096}, 0};
    struct array_problem p = made(&colours, INPUT_RANDOM);
    uint8_t *rgb = p.host[RGB], *gray = p.host[GRAY];
    for (int64_t colour = 0; colour < 1 << 24; colour++)
        for (int channel = 0; channel < 3; channel++)
            rgb[(channel << 24) + colour] = (uint8_t)(colour >> 8 * channel);
    answer(&p, expected_gray);
    assert_true(gray[0] == 0 && gray[0xFFFFFF] == 255 && gray[250 << 16] == 29); /* 28.5 is rounded up */
    assert_right(&p);
    array_problem_free(&p);
}

TEST(an_element_that_is_off_by_one_is_named)
{
    static const struct workload batch = {"batch", {3, 5, 7}, 0};
    struct array_problem p = made(&batch, INPUT_RANDOM);
    uint8_t *element = (uint8_t *)p.host[GRAY] + 2 * 35 + 3 * 7 + 4;
    char expected[128];
    answer(&p, expected_gray);
    *element = *element < 255 ? *element + 1 : 254;
    struct check check = array_problem_check(&p);
    snprintf(expected, sizeof expected, "gray[2,3,4] is %d, expected ", *element);
    assert_true(!check.correct && check.max_abs_err == 1 && check.err_bound == 0);
    assert_non_null(strstr(check.reason, expected));
    assert_non_null(strstr(check.reason, " exactly; 1 of 105 checked"));
    array_problem_free(&p);
}

/* Of random colours, and of images. */
TEST(wrong_rules_are_found)
{
    static uint8_t (*const rules[])(int, int, int) = {blue_for_red, red_for_green, truncated, plain_mean};
    static const struct workload *const workloads[] = {&thumb, &digits_rgb};
    for (size_t w = 0; w < 2; w++) {
        struct array_problem p = made(workloads[w], INPUT_RANDOM);
        answer(&p, expected_gray);
        assert_right(&p);
        for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
            answer(&p, rules[i]);
            assert_false(array_problem_check(&p).correct);
        }
        array_problem_free(&p);
    }
}

TEST(a_shape_shows_images_only_where_there_are_several)
{
    char text[64];
    op_shape(&grayscale_op, &thumb, text, sizeof text);
    assert_string_equal(text, "150x216");
    op_shape(&grayscale_op, &digits_rgb, text, sizeof text);
    assert_string_equal(text, "200x28x28");
}

TEST(ragged_sizes_are_many_and_small)
{
    int batches = 0, lines = 0, odd = 0, high = 0, large = 0;
    for (size_t i = 0; i < grayscale_op.ragged_count; i++) {
        const int64_t *size = grayscale_op.ragged[i];
        assert_true(size[0] >= 1 && size[1] >= 1 && size[2] >= 1 && size[0] * size[1] * size[2] <= 1 << 20);
        batches += size[0] > 1;
        lines += size[1] == 1 || size[2] == 1;
        odd += size[1] * size[2] % 16 != 0;
        high += size[1] > 1000;
        large += size[1] * size[2] > 100000;
    }
    assert_true(batches >= 2 && lines >= 2 && odd >= 5 && high >= 1 && large >= 1);
}

/* Images have another size. */
TEST(random_input_has_every_brightness)
{
    struct array_problem p = made(&thumb, INPUT_RANDOM);
    int seen[256] = {0};
    for (size_t i = 0; i < p.elements[RGB]; i++)
        seen[((uint8_t *)p.host[RGB])[i]]++;
    for (int value = 0; value < 256; value++)
        assert_in_range(seen[value], 250, 510); /* expected: 380 */
    assert_string_equal(p.note.text, "random");
    assert_false(p.note.zero_mean);
    array_problem_free(&p);
}

/* Whose grey a float puts on one side or the other. Every 10,000th colour is one by chance. */
TEST(many_colours_of_ties_lie_halfway)
{
    struct array_problem p = made(&pair, INPUT_INTEGERS);
    const int64_t plane = 50 * 60;
    int64_t ties = 0, colours[256] = {0}, kinds = 0;
    assert_string_equal(p.note.text, "ties");
    for (int64_t i = 0; i < 2 * plane; i++) {
        const uint8_t *red = (const uint8_t *)p.host[RGB] + i / plane * 3 * plane + i % plane;
        ties += (2989 * red[0] + 5870 * red[plane] + 1140 * red[2 * plane]) % 10000 == 5000;
        colours[red[2 * plane]]++;
    }
    for (int value = 0; value < 256; value++)
        kinds += colours[value] > 0;
    assert_in_range(ties, 2 * plane / 3, 2 * plane);
    assert_in_range(kinds, 250, 256);
    array_problem_free(&p);
}

/* Of images' sizes, too. */
TEST(kinds_of_input_are_what_they_say)
{
    static const struct workload *const workloads[] = {&pair, &digits_rgb};
    for (size_t w = 0; w < 2; w++)
        for (enum input_kind kind = INPUT_ZEROS; kind <= INPUT_POWERS_OF_TWO; kind++) {
            struct array_problem p = made(workloads[w], kind);
            size_t zeros = 0, whites = 0, powers = 0, bytes = p.elements[RGB];
            for (size_t i = 0; i < bytes; i++) {
                const int byte = ((uint8_t *)p.host[RGB])[i];
                zeros += byte == 0;
                whites += byte == 255;
                powers += byte != 0 && (byte & (byte - 1)) == 0;
            }
            assert_true(kind != INPUT_ZEROS || (zeros >= bytes * 8 / 10 && zeros <= bytes * 9 / 10));
            assert_true(kind != INPUT_ONES || whites == bytes);
            assert_true(kind != INPUT_POWERS_OF_TWO || powers == bytes);
            assert_null(strstr(p.note.text, "images"));
            array_problem_free(&p);
        }
}

TEST(equal_rows_are_equal_or_differ_in_one_pixel)
{
    struct array_problem p = made(&pair, INPUT_EQUAL_ROWS);
    int equal = 0;
    const uint8_t *first = p.host[RGB];
    for (int64_t row = 1; row < 6 * 50; row++) {
        int differences = 0;
        for (int64_t x = 0; x < 60; x++)
            differences += first[row * 60 + x] != first[x];
        assert_in_range(differences, 0, 1);
        equal += differences == 0;
    }
    assert_in_range(equal, 100, 200);
    array_problem_free(&p);
}

TEST(planes_are_mnist_images_but_for_their_lowest_bits)
{
    struct array_problem p = made(&digits_rgb, INPUT_RANDOM), other = made(&digits_rgb, INPUT_RANDOM);
    int64_t changed = 0, count[MNIST_COUNT] = {0};
    for (int64_t plane = 0; plane < 3 * BATCH; plane++) {
        const uint8_t *got = (const uint8_t *)p.host[RGB] + plane * MNIST_PIXELS;
        const uint8_t *image = mnist.pixels + got[1] / 2 * MNIST_PIXELS;
        count[got[1] / 2]++;
        for (int at = 0; at < MNIST_PIXELS; at++) {
            assert_int_equal(got[at] | 1, image[at] | 1);
            changed += got[at] != image[at];
        }
    }
    for (int i = 0; i < MNIST_COUNT; i++)
        assert_int_equal(count[i], BATCH);
    assert_in_range(changed, 3 * BATCH * MNIST_PIXELS * 2 / 5, 3 * BATCH * MNIST_PIXELS * 3 / 5);
    assert_string_equal(p.note.text, "t10k-images (its 3 images repeat)");
    assert_memory_equal(p.host[RGB], other.host[RGB], p.elements[RGB]);
    array_problem_fill(&other, &(struct input_source){.seed = 6, .real.mnist = &mnist});
    assert_memory_not_equal(p.host[RGB], other.host[RGB], p.elements[RGB]);
    array_problem_free(&p);
    array_problem_free(&other);
}

AROUND_ALL_TESTS(draw_digits, NULL)
