/* A photo as an input, and in grey as an output. */
#include "bench/data/photo.h"
#include "bench/table/op.h"
#include "tests/unit.h"

static const char gray_file[] = "gray.png", gray_partial[] = "gray.png.partial";

enum { HEIGHT = 9, WIDTH = 13, PIXELS = HEIGHT * WIDTH };

static uint8_t planes[3 * PIXELS];
static const struct photo photo = {HEIGHT, WIDTH, planes, "a photo.ppm sha256:0aa789a0c40f"};

static int make_planes(void **state)
{
    for (int i = 0; i < 3 * PIXELS; i++)
        planes[i] = (uint8_t)(i * 17);
    return 0;
}

static int remove_files(void **state)
{
    remove(gray_file);
    remove(gray_partial);
    return 0;
}

TEST(a_photo_is_the_input_of_its_workload_alone)
{
    struct workload workload = {"image", {1, HEIGHT, WIDTH}, 0};
    const struct input_source source = {.seed = 1, .real.photo = &photo};
    struct made made[OP_BUFFERS_MAX];
    struct input_note note;
    uint8_t rgb[3 * PIXELS], gray[PIXELS];
    op_fill(&grayscale_op, &workload, &source, (void *[]){rgb, gray}, &note);
    assert_memory_equal(rgb, planes, sizeof rgb);
    assert_string_equal(note.text, photo.name);
    op_made(&grayscale_op, &workload, &(struct input_source){.seed = 1, .real.photo = &photo, .asks = true}, made,
            &note);
    assert_ptr_equal(made[0].rows, planes);
    strcpy(workload.name, "9x13");
    op_fill(&grayscale_op, &workload, &source, (void *[]){rgb, gray}, &note);
    assert_memory_not_equal(rgb, planes, sizeof rgb);
    assert_string_equal(note.text, "random");
}

TEST(the_last_answer_makes_the_gray_photo)
{
    static const int64_t sizes[][2] = {{1, 1}, {31, 65}, {3, 65535}};
    static uint8_t gray[3 * 65535];
    for (size_t size = 0; size < LENGTH(sizes); size++) {
        const struct photo of = {.height = sizes[size][0], .width = sizes[size][1]};
        const size_t pixels = (size_t)(of.height * of.width);
        struct photo read;
        MUST(gray_photo_open(gray_file, &of, &error));
        for (size_t last = 0; last < 2; last++) {
            for (size_t i = 0; i < pixels; i++)
                gray[i] = (uint8_t)(last ? 31 * i : 1);
            assert_int_equal(access(gray_file, F_OK) == 0, size > 0);
            gray_photo_keep(gray);
        }
        MUST(gray_photo_write(&error));
        MUST(photo_read(gray_file, &read, &error));
        assert_true(read.height == of.height && read.width == of.width);
        for (size_t channel = 0; channel < 3; channel++)
            assert_memory_equal(read.planes + channel * pixels, gray, pixels);
        free(read.planes);
        assert_int_not_equal(access(gray_partial, F_OK), 0);
    }
}

static void assert_unwritten(bool ok, const struct error *error, const char *expected)
{
    assert_false(ok);
    if (!strstr(error->text, expected))
        fail_msg("'%s' does not say '%s'", error->text, expected);
    assert_int_not_equal(access(gray_file, F_OK), 0);
    assert_int_not_equal(access(gray_partial, F_OK), 0);
}

TEST(a_gray_photo_needs_an_answer_a_file_and_a_photo)
{
    struct error error;
    assert_true(gray_photo_open(gray_file, &photo, &error));
    assert_unwritten(gray_photo_write(&error), &error, "no rung gave a correct answer");
    assert_unwritten(gray_photo_open("not-there/gray.png", &photo, &error), &error, "not-there/gray.png");
    assert_unwritten(gray_photo_open(gray_file, NULL, &error), &error, "--image");
    assert_true(gray_photo_open(NULL, &photo, &error)); /* it was not asked for */
    gray_photo_keep(planes);
    assert_true(gray_photo_write(&error));
}

AROUND_EACH_TEST(make_planes, remove_files)
