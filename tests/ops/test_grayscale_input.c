/* The operation grayscale: its input of random colours or of MNIST images. */
#include "gray_problem.h"
#include "tests/unit.h"

TEST(random_input_depends_on_the_seed_alone)
{
    struct problem a = allocate("x", 1, 50, 60), b = allocate("x", 1, 50, 60), c = allocate("x", 1, 50, 60);
    fill_seeded(&a, 1, NULL);
    fill_seeded(&b, 1, NULL);
    fill_seeded(&c, 2, NULL);
    assert_memory_equal(a.host[RGB], b.host[RGB], 3 * 50 * 60);
    assert_memory_not_equal(a.host[RGB], c.host[RGB], 3 * 50 * 60);
    assert_memory_not_equal(a.host[RGB], (uint8_t *)a.host[RGB] + 3000, 3000);
    assert_string_equal(a.note.text, "random");
    assert_false(a.note.zero_mean);
    free_gray_problem(&a);
    free_gray_problem(&b);
    free_gray_problem(&c);
}

TEST(random_input_has_every_brightness)
{
    struct problem p = allocate("x", 1, 150, 216);
    fill_seeded(&p, 1, NULL);
    int seen[256] = {0};
    for (int64_t i = 0; i < 3 * p.plane; i++)
        seen[((uint8_t *)p.host[RGB])[i]]++;
    for (int value = 0; value < 256; value++)
        assert_in_range(seen[value], 250, 510); /* expected: 380 */
    free_gray_problem(&p);
}

static void fill_kind(struct problem *p, enum input_kind kind, const struct mnist *mnist)
{
    struct input_source source = {.seed = 5, .real.mnist = mnist, .kind = kind};
    op_fill(&grayscale_op, &p->workload, &source, p->host, &p->note);
}

/* Whose grey a float puts on one side or the other. Every 10,000th colour is one by chance. */
TEST(many_colours_of_ties_lie_halfway)
{
    struct problem p = allocate("x", 2, 50, 60);
    int64_t ties = 0, colours[256] = {0}, kinds = 0;
    fill_kind(&p, INPUT_INTEGERS, NULL);
    assert_string_equal(p.note.text, "ties");
    for (int64_t i = 0; i < 2 * p.plane; i++) {
        const uint8_t *red = (const uint8_t *)p.host[RGB] + i / p.plane * 3 * p.plane + i % p.plane;
        int sum = 2989 * red[0] + 5870 * red[p.plane] + 1140 * red[2 * p.plane];
        ties += sum % 10000 == 5000;
        colours[red[2 * p.plane]]++;
    }
    for (int value = 0; value < 256; value++)
        kinds += colours[value] > 0;
    assert_in_range(ties, 2 * p.plane / 3, 2 * p.plane);
    assert_in_range(kinds, 250, 256);
    free_gray_problem(&p);
}

TEST(kinds_of_input_are_what_they_say)
{
    struct problem p = allocate("x", 2, 50, 60);
    const uint8_t *rgb = p.host[RGB];
    int64_t bytes = 6 * p.plane, black = 0;
    fill_kind(&p, INPUT_ZEROS, NULL);
    for (int64_t i = 0; i < bytes; i++)
        black += rgb[i] == 0;
    assert_in_range(black, bytes * 8 / 10, bytes * 9 / 10);
    assert_string_equal(p.note.text, "zeros");
    fill_kind(&p, INPUT_ONES, NULL);
    for (int64_t i = 0; i < bytes; i++)
        assert_int_equal(rgb[i], 255);
    fill_kind(&p, INPUT_POWERS_OF_TWO, NULL);
    for (int64_t i = 0; i < bytes; i++)
        assert_true(rgb[i] != 0 && (rgb[i] & (rgb[i] - 1)) == 0);
    free_gray_problem(&p);
}

TEST(equal_rows_are_equal_or_differ_in_one_pixel)
{
    struct problem p = allocate("x", 2, 50, 60);
    fill_kind(&p, INPUT_EQUAL_ROWS, NULL);
    int equal = 0;
    const uint8_t *first = plane_of(&p, 0, 0);
    for (int64_t row = 1; row < 6 * 50; row++) {
        int differences = 0;
        for (int64_t x = 0; x < 60; x++)
            differences += first[row * 60 + x] != first[x];
        assert_in_range(differences, 0, 1);
        equal += differences == 0;
    }
    assert_in_range(equal, 100, 200);
    free_gray_problem(&p);
}

enum { MNIST_COUNT = 3, BATCH = 200 };
static uint8_t digits[MNIST_COUNT * MNIST_PIXELS];
static const struct mnist mnist = {.name = "t10k-images", .count = MNIST_COUNT, .pixels = digits};

static void draw_digits(void)
{
    for (int i = 0; i < MNIST_COUNT * MNIST_PIXELS; i++)
        digits[i] = (uint8_t)(i % 5 == 0 ? 0 : i * 7);
    for (int i = 0; i < MNIST_COUNT; i++)
        digits[i * MNIST_PIXELS + 1] = (uint8_t)(2 * i); /* tells which it is */
}

TEST(planes_are_mnist_images_but_for_their_lowest_bits)
{
    draw_digits();
    struct problem p = allocate("mnist-rgb", BATCH, 28, 28);
    fill_seeded(&p, 5, &mnist);
    int64_t changed = 0, count[MNIST_COUNT] = {0};
    for (int64_t plane = 0; plane < 3 * BATCH; plane++) {
        const uint8_t *got = plane_of(&p, plane / 3, plane % 3), *image = mnist.pixels + got[1] / 2 * MNIST_PIXELS;
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
    free_gray_problem(&p);
}

TEST(swapped_channels_of_mnist_images_are_wrong)
{
    draw_digits();
    struct problem p = allocate("mnist-rgb", BATCH, 28, 28);
    fill_seeded(&p, 5, &mnist);
    make_gray_reference(&p);
    answer(&p, swapped_channels);
    assert_false(check_of(&p).correct);
    free_gray_problem(&p);
}

TEST(other_kinds_use_no_mnist_images)
{
    draw_digits();
    struct problem p = allocate("mnist-rgb", 9, 28, 28);
    fill_kind(&p, INPUT_ONES, &mnist);
    assert_string_equal(p.note.text, "ones");
    assert_int_equal(*plane_of(&p, 0, 0), 255);
    free_gray_problem(&p);
}

TEST(mnist_images_depend_on_the_seed_alone)
{
    draw_digits();
    struct problem a = allocate("mnist-rgb", 9, 28, 28), b = allocate("mnist-rgb", 9, 28, 28);
    fill_seeded(&a, 5, &mnist);
    fill_seeded(&b, 5, &mnist);
    assert_memory_equal(a.host[RGB], b.host[RGB], 9 * 3 * MNIST_PIXELS);
    fill_seeded(&b, 6, &mnist);
    assert_memory_not_equal(a.host[RGB], b.host[RGB], 9 * 3 * MNIST_PIXELS);
    free_gray_problem(&a);
    free_gray_problem(&b);
}

TEST(other_sizes_use_no_mnist_images)
{
    struct problem with = allocate("thumb", 1, 150, 216), without = allocate("thumb", 1, 150, 216);
    fill_seeded(&with, 5, &mnist);
    fill_seeded(&without, 5, NULL);
    assert_memory_equal(with.host[RGB], without.host[RGB], 3 * 150 * 216);
    assert_string_equal(with.note.text, "random");
    free_gray_problem(&with);
    free_gray_problem(&without);
}
