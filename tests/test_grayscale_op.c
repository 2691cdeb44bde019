/* The operation grayscale: its truth, its input, and the user's photo. */
#include "grayscale.h"
#include "mnist.h"
#include "op.h"
#include "photo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern const struct op grayscale_op;
static const struct op *const op = &grayscale_op;

enum { RGB, GRAY, BUFFERS };

static const char photo_file[] = "a photo.ppm", gray_file[] = "gray.png", gray_partial[] = "gray.png.partial";

/* A workload with its input, and room for the answer. */
struct problem {
    struct workload workload;
    struct input_note note;
    int64_t plane;
    void *host[BUFFERS];
    void *reference;
};

static struct problem allocate(const char *name, int64_t images, int64_t height, int64_t width)
{
    struct problem p = {.workload = {.size = {images, height, width}}, .plane = height * width};
    snprintf(p.workload.name, sizeof p.workload.name, "%s", name);
    p.host[RGB] = malloc((size_t)(images * 3 * p.plane));
    p.host[GRAY] = malloc((size_t)(images * p.plane));
    assert_true(p.host[RGB] && p.host[GRAY]);
    return p;
}

static void fill_seeded(struct problem *p, uint64_t seed, const struct mnist *mnist)
{
    struct input_source source = {.seed = seed, .mnist = mnist};
    op->fill(&p->workload, &source, p->host, &p->note);
}

static void make_reference(struct problem *p)
{
    p->reference = op->reference_make(&p->workload, &p->note, p->host);
    assert_non_null(p->reference);
}

static void free_problem(struct problem *p)
{
    op->reference_free(p->reference);
    free(p->host[RGB]);
    free(p->host[GRAY]);
}

static struct check check_of(const struct problem *p)
{
    struct check check;
    memset(&check, 0xFF, sizeof check);
    op->check(p->reference, PRECISION_U8, p->host, &check);
    return check;
}

/* To the nearest integer, halves upwards, of the weighted mean in ten-thousandths. */
static uint8_t expected_gray(int red, int green, int blue)
{
    int tenthousandths = red * 2989 + green * 5870 + blue * 1140;
    int whole = tenthousandths / 10000, rest = tenthousandths - 10000 * whole;
    return (uint8_t)(rest >= 5000 ? whole + 1 : whole);
}

static void answer(struct problem *p, uint8_t (*rule)(int, int, int))
{
    const uint8_t *rgb = p->host[RGB];
    uint8_t *gray = p->host[GRAY];
    for (int64_t i = 0; i < p->workload.size[0]; i++, rgb += 3 * p->plane, gray += p->plane)
        for (int64_t at = 0; at < p->plane; at++)
            gray[at] = rule(rgb[at], rgb[at + p->plane], rgb[at + 2 * p->plane]);
}

static uint8_t swapped_channels(int red, int green, int blue)
{
    return expected_gray(blue, green, red);
}

static uint8_t red_for_green(int red, int green, int blue)
{
    return expected_gray(green, red, blue);
}

/* As in the lecture: not rounded. */
static uint8_t truncated(int red, int green, int blue)
{
    return (uint8_t)((2989 * red + 5870 * green + 1140 * blue) / 10000);
}

static uint8_t plain_mean(int red, int green, int blue)
{
    return (uint8_t)((red + green + blue + 1) / 3);
}

static void all_colours_are_as_the_formula_says(void **state)
{
    (void)state;
    struct problem p = allocate("colours", 1, 4096, 4096);
    uint8_t *rgb = p.host[RGB];
    for (int64_t colour = 0; colour < 1 << 24; colour++)
        for (int channel = 0; channel < 3; channel++)
            rgb[channel * p.plane + colour] = (uint8_t)(colour >> 8 * channel);
    make_reference(&p);
    answer(&p, expected_gray);
    assert_int_equal(((uint8_t *)p.host[GRAY])[0xFFFFFF], 255);
    assert_int_equal(((uint8_t *)p.host[GRAY])[0], 0);
    struct check check = check_of(&p);
    if (!check.correct)
        fail_msg("%s", check.reason);
    assert_true(check.max_abs_err == 0 && check.err_bound == 0 && isnan(check.rms_err));
    free_problem(&p);
}

static void halves_are_rounded_up(void **state)
{
    (void)state;
    struct problem p = allocate("one", 1, 1, 1);
    uint8_t *rgb = p.host[RGB], *gray = p.host[GRAY];
    rgb[0] = 0, rgb[1] = 0, rgb[2] = 250; /* 28.5 */
    make_reference(&p);
    *gray = 29;
    assert_true(check_of(&p).correct);
    *gray = 28;
    assert_false(check_of(&p).correct);
    free_problem(&p);
}

static void off_by_one_is_wrong_at_any_place(void **state)
{
    (void)state;
    struct problem p = allocate("batch", 3, 5, 7);
    fill_seeded(&p, 1, NULL);
    make_reference(&p);
    answer(&p, expected_gray);
    uint8_t *gray = p.host[GRAY];
    for (int64_t i = 0; i < 3 * 5 * 7; i++) {
        uint8_t right = gray[i];
        gray[i] = right < 255 ? right + 1 : 254;
        struct check check = check_of(&p);
        char expected[128];
        snprintf(expected, sizeof expected, "image %d, row %d, column %d is %d, expected %d exactly; 1 of 105 pixels",
                 (int)i / 35, (int)i % 35 / 7, (int)i % 7, gray[i], right);
        assert_false(check.correct);
        assert_true(check.max_abs_err == 1 && check.err_bound == 0);
        if (!strstr(check.reason, expected))
            fail_msg("'%s' does not say '%s'", check.reason, expected);
        gray[i] = right;
    }
    assert_true(check_of(&p).correct);
    free_problem(&p);
}

static void wrong_rules_are_found(void **state)
{
    (void)state;
    uint8_t (*const rules[])(int, int, int) = {swapped_channels, red_for_green, truncated, plain_mean};
    struct problem p = allocate("thumb", 1, 150, 216);
    fill_seeded(&p, 7, NULL);
    make_reference(&p);
    answer(&p, expected_gray);
    assert_true(check_of(&p).correct);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        answer(&p, rules[i]);
        assert_false(check_of(&p).correct);
    }
    memset(p.host[GRAY], OP_POISON, (size_t)p.plane);
    assert_false(check_of(&p).correct);
    free_problem(&p);
}

static void swapped_images_are_found(void **state)
{
    (void)state;
    struct problem p = allocate("batch", 2, 8, 8);
    fill_seeded(&p, 3, NULL);
    make_reference(&p);
    answer(&p, expected_gray);
    uint8_t *gray = p.host[GRAY], first[64];
    memcpy(first, gray, 64);
    memcpy(gray, gray + 64, 64);
    memcpy(gray + 64, first, 64);
    assert_false(check_of(&p).correct);
    free_problem(&p);
}

static void random_input_depends_on_the_seed_alone(void **state)
{
    (void)state;
    struct problem a = allocate("x", 1, 50, 60), b = allocate("x", 1, 50, 60), c = allocate("x", 1, 50, 60);
    fill_seeded(&a, 1, NULL);
    fill_seeded(&b, 1, NULL);
    fill_seeded(&c, 2, NULL);
    assert_memory_equal(a.host[RGB], b.host[RGB], 3 * 50 * 60);
    assert_memory_not_equal(a.host[RGB], c.host[RGB], 3 * 50 * 60);
    assert_memory_not_equal(a.host[RGB], (uint8_t *)a.host[RGB] + 3000, 3000);
    assert_string_equal(a.note.text, "random");
    assert_false(a.note.zero_mean);
    free_problem(&a);
    free_problem(&b);
    free_problem(&c);
}

static void random_input_has_every_brightness(void **state)
{
    (void)state;
    struct problem p = allocate("x", 1, 150, 216);
    fill_seeded(&p, 1, NULL);
    int seen[256] = {0};
    for (int64_t i = 0; i < 3 * p.plane; i++)
        seen[((uint8_t *)p.host[RGB])[i]]++;
    for (int value = 0; value < 256; value++)
        assert_in_range(seen[value], 250, 510); /* 380 of each, about */
    free_problem(&p);
}

enum { MNIST_COUNT = 3, BATCH = 200 };
static uint8_t digits[MNIST_COUNT * MNIST_PIXELS];
static const struct mnist mnist = {"mnist-t10k", MNIST_COUNT, digits};

static void draw_digits(void)
{
    for (int i = 0; i < MNIST_COUNT * MNIST_PIXELS; i++)
        digits[i] = (uint8_t)(i % 5 == 0 ? 0 : i * 7);
    for (int i = 0; i < MNIST_COUNT; i++)
        digits[i * MNIST_PIXELS + 1] = 255; /* shows the tint itself */
}

static const uint8_t *plane_of(const struct problem *p, int64_t image, int64_t channel)
{
    return (const uint8_t *)p->host[RGB] + (image * 3 + channel) * p->plane;
}

static void mnist_images_are_tinted(void **state)
{
    (void)state;
    draw_digits();
    struct problem p = allocate("mnist-rgb", BATCH, 28, 28);
    fill_seeded(&p, 5, &mnist);
    for (int64_t i = 0; i < BATCH; i++) {
        const uint8_t *image = mnist_image(&mnist, i);
        for (int64_t channel = 0; channel < 3; channel++) {
            const uint8_t *plane = plane_of(&p, i, channel);
            int tint = plane[1];
            assert_in_range(tint, 64, 255);
            for (int at = 0; at < MNIST_PIXELS; at++)
                assert_int_equal(plane[at], image[at] * tint / 255);
        }
    }
    assert_string_equal(p.note.text, "mnist-t10k (its 3 images repeat)");
    free_problem(&p);
}

static void tints_differ_by_channel_and_image(void **state)
{
    (void)state;
    draw_digits();
    struct problem p = allocate("mnist-rgb", BATCH, 28, 28);
    fill_seeded(&p, 5, &mnist);
    int same_channels = 0, same_images = 0;
    for (int64_t i = 0; i < BATCH; i++) {
        for (int64_t channel = 0; channel < 3; channel++) {
            same_channels += plane_of(&p, i, channel)[1] == plane_of(&p, i, (channel + 1) % 3)[1];
            same_images += i > 0 && plane_of(&p, i, channel)[1] == plane_of(&p, i - 1, channel)[1];
        }
    }
    assert_true(same_channels < 3 * BATCH / 20);
    assert_true(same_images < 3 * BATCH / 20);
    make_reference(&p);
    answer(&p, swapped_channels);
    assert_false(check_of(&p).correct);
    free_problem(&p);
}

static void tints_depend_on_the_seed_alone(void **state)
{
    (void)state;
    draw_digits();
    struct problem a = allocate("mnist-rgb", 9, 28, 28), b = allocate("mnist-rgb", 9, 28, 28);
    fill_seeded(&a, 5, &mnist);
    fill_seeded(&b, 5, &mnist);
    assert_memory_equal(a.host[RGB], b.host[RGB], 9 * 3 * MNIST_PIXELS);
    fill_seeded(&b, 6, &mnist);
    assert_memory_not_equal(a.host[RGB], b.host[RGB], 9 * 3 * MNIST_PIXELS);
    free_problem(&a);
    free_problem(&b);
}

static void other_sizes_take_no_mnist_images(void **state)
{
    (void)state;
    struct problem with = allocate("thumb", 1, 150, 216), without = allocate("thumb", 1, 150, 216);
    fill_seeded(&with, 5, &mnist);
    fill_seeded(&without, 5, NULL);
    assert_memory_equal(with.host[RGB], without.host[RGB], 3 * 150 * 216);
    assert_string_equal(with.note.text, "random");
    free_problem(&with);
    free_problem(&without);
}

static void a_shape_shows_images_only_where_there_are_several(void **state)
{
    (void)state;
    struct workload one = {"x", {1, 150, 216}, 0}, many = {"x", {50000, 28, 28}, 0};
    char text[64];
    op->shape(&one, text, sizeof text);
    assert_string_equal(text, "150x216");
    op->shape(&many, text, sizeof text);
    assert_string_equal(text, "50000x28x28");
}

static void a_pixel_costs_four_bytes_and_no_flop(void **state)
{
    (void)state;
    struct workload many = {"x", {50000, 28, 28}, 0};
    struct op_cost cost = op->cost(&many);
    assert_true(cost.flops == 0);
    assert_true(cost.bytes == 4.0 * 50000 * 28 * 28);
}

static void buffers_are_packed_even_beyond_32_bits(void **state)
{
    (void)state;
    struct workload huge = {"x", {3, 1 << 20, 1 << 12}, 0};
    struct buffer_spec specs[OP_BUFFERS_MAX];
    assert_int_equal(op->buffers(&huge, specs), 2);
    assert_true(specs[RGB].bytes == (size_t)9 << 32 && !specs[RGB].is_output);
    assert_true(specs[GRAY].bytes == (size_t)3 << 32 && specs[GRAY].is_output);
    assert_true(op->reference_bytes(&huge) >= (size_t)3 << 32);
    assert_true(op->cost(&huge).bytes == 4 * 3 * 0x1p32);
}

static void a_problem_is_bound_to_its_buffers(void **state)
{
    (void)state;
    struct workload workload = {"x", {2, 30, 40}, 0};
    uint8_t rgb, gray;
    void *memory[] = {&rgb, &gray};
    struct grayscale_problem problem;
    op->bind(&workload, memory, &problem);
    assert_true(problem.images == 2 && problem.height == 30 && problem.width == 40);
    assert_true(problem.rgb == &rgb && problem.gray == &gray);
}

static void ragged_sizes_are_many_and_small(void **state)
{
    (void)state;
    int batches = 0, lines = 0, odd = 0;
    for (size_t i = 0; i < op->ragged_count; i++) {
        const int64_t *size = op->ragged[i].size;
        assert_true(size[0] >= 1 && size[1] >= 1 && size[2] >= 1 && size[0] * size[1] * size[2] <= 1 << 20);
        batches += size[0] > 1;
        lines += size[1] == 1 || size[2] == 1;
        odd += size[1] * size[2] % 16 != 0;
    }
    assert_true(batches >= 2 && lines >= 2 && odd >= 5);
}

static bool set_flag(const char *name, const char *value, struct workload *workload, bool *added, struct error *error)
{
    for (size_t i = 0; i < op->flag_count; i++)
        if (strcmp(op->flags[i].name, name) == 0)
            return op->flags[i].set(value, workload, added, error);
    fail_msg("there is no --%s", name);
    return false;
}

enum { PHOTO_HEIGHT = 9, PHOTO_WIDTH = 13, PHOTO_PIXELS = PHOTO_HEIGHT * PHOTO_WIDTH };

static uint8_t photo_colour(int at, int channel)
{
    return (uint8_t)(at * 17 + channel * 71);
}

static void write_photo(void)
{
    FILE *file = fopen(photo_file, "wb");
    assert_non_null(file);
    fprintf(file, "P6 %d %d 255\n", PHOTO_WIDTH, PHOTO_HEIGHT);
    for (int at = 0; at < PHOTO_PIXELS; at++)
        for (int channel = 0; channel < 3; channel++)
            fputc(photo_colour(at, channel), file);
    assert_int_equal(fclose(file), 0);
}

static struct problem photo_problem(void)
{
    struct workload workload = {0};
    bool added = false;
    struct error error = {""};
    write_photo();
    if (!set_flag("image", photo_file, &workload, &added, &error))
        fail_msg("%s", error.text);
    assert_true(added);
    struct problem p = allocate(workload.name, workload.size[0], workload.size[1], workload.size[2]);
    p.workload = workload;
    fill_seeded(&p, 1, NULL);
    return p;
}

static int remove_files(void **state)
{
    (void)state;
    remove(photo_file);
    remove(gray_file);
    remove(gray_partial);
    return 0;
}

static void end_photo(struct problem *p, bool expected, const char *reason)
{
    struct error error = {""};
    bool ok = op->finish(&error);
    free_problem(p);
    if (ok != expected || !strstr(error.text, reason))
        fail_msg("finish() says %d and '%s', expected %d and '%s'", ok, error.text, expected, reason);
}

static void a_photo_is_a_workload_of_its_own(void **state)
{
    (void)state;
    struct problem p = photo_problem();
    assert_string_equal(p.workload.name, "image");
    assert_true(p.workload.size[0] == 1 && p.workload.size[1] == PHOTO_HEIGHT && p.workload.size[2] == PHOTO_WIDTH);
    assert_int_equal(p.workload.suites, 0);
    for (int channel = 0; channel < 3; channel++)
        for (int at = 0; at < PHOTO_PIXELS; at++)
            assert_int_equal(plane_of(&p, 0, channel)[at], photo_colour(at, channel));
    assert_string_equal(p.note.text, photo_file);
    end_photo(&p, true, "");
}

static void a_second_photo_is_refused(void **state)
{
    (void)state;
    struct problem p = photo_problem();
    struct workload workload = {0};
    bool added = false;
    struct error error = {""};
    assert_false(set_flag("image", photo_file, &workload, &added, &error));
    assert_false(added);
    assert_non_null(strstr(error.text, photo_file));
    end_photo(&p, true, "");
}

/* From here on --gray-out is set; a program does that once. */
static void set_gray_out(const char *path)
{
    struct workload workload = {0};
    bool added = false;
    struct error error = {""};
    assert_true(set_flag("gray-out", path, &workload, &added, &error));
    assert_false(added);
}

static void the_gray_photo_is_what_the_last_right_rung_made(void **state)
{
    (void)state;
    struct problem p = photo_problem();
    struct error error = {""};
    set_gray_out(gray_file);
    assert_true(op->begin(&error));
    assert_int_not_equal(access(gray_file, F_OK), 0);
    memset(p.host[GRAY], 1, PHOTO_PIXELS);
    op->verified(&p.workload, p.host);
    struct problem another = allocate("thumb", 1, PHOTO_HEIGHT, PHOTO_WIDTH);
    memset(another.host[GRAY], 2, PHOTO_PIXELS);
    answer(&p, expected_gray);
    op->verified(&p.workload, p.host);
    op->verified(&another.workload, another.host);
    free_problem(&another);
    end_photo(&p, true, "");

    struct photo gray;
    if (!photo_read(gray_file, &gray, &error))
        fail_msg("%s", error.text);
    assert_true(gray.height == PHOTO_HEIGHT && gray.width == PHOTO_WIDTH);
    for (int at = 0; at < PHOTO_PIXELS; at++)
        assert_int_equal(gray.planes[at], expected_gray(photo_colour(at, 0), photo_colour(at, 1), photo_colour(at, 2)));
    free(gray.planes);
    assert_int_not_equal(access(gray_partial, F_OK), 0);
}

static void without_a_right_rung_there_is_no_gray_photo(void **state)
{
    (void)state;
    struct problem p = photo_problem();
    struct error error = {""};
    set_gray_out(gray_file);
    assert_true(op->begin(&error));
    end_photo(&p, false, "--gray-out=gray.png");
    assert_int_not_equal(access(gray_file, F_OK), 0);
    assert_int_not_equal(access(gray_partial, F_OK), 0);
}

static void a_gray_photo_that_cannot_be_written_is_refused_before_anything_runs(void **state)
{
    (void)state;
    struct problem p = photo_problem();
    struct error error = {""};
    set_gray_out("not-there/gray.png");
    assert_false(op->begin(&error));
    assert_non_null(strstr(error.text, "not-there/gray.png"));
    end_photo(&p, false, "");
}

static void a_gray_photo_needs_a_photo(void **state)
{
    (void)state;
    struct error error = {""};
    set_gray_out(gray_file);
    assert_false(op->begin(&error));
    assert_non_null(strstr(error.text, "--gray-out=gray.png"));
    assert_non_null(strstr(error.text, "--image"));
    assert_int_not_equal(access(gray_partial, F_OK), 0);
}

#define test(function) cmocka_unit_test_setup_teardown(function, remove_files, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(all_colours_are_as_the_formula_says),
        test(halves_are_rounded_up),
        test(off_by_one_is_wrong_at_any_place),
        test(wrong_rules_are_found),
        test(swapped_images_are_found),
        test(random_input_depends_on_the_seed_alone),
        test(random_input_has_every_brightness),
        test(mnist_images_are_tinted),
        test(tints_differ_by_channel_and_image),
        test(tints_depend_on_the_seed_alone),
        test(other_sizes_take_no_mnist_images),
        test(a_shape_shows_images_only_where_there_are_several),
        test(a_pixel_costs_four_bytes_and_no_flop),
        test(buffers_are_packed_even_beyond_32_bits),
        test(a_problem_is_bound_to_its_buffers),
        test(ragged_sizes_are_many_and_small),
        test(a_photo_is_a_workload_of_its_own),
        test(a_second_photo_is_refused),
        test(the_gray_photo_is_what_the_last_right_rung_made),
        test(without_a_right_rung_there_is_no_gray_photo),
        test(a_gray_photo_that_cannot_be_written_is_refused_before_anything_runs),
        test(a_gray_photo_needs_a_photo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
