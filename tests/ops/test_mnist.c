/* The folder of MNIST images: which file is read, and what is refused. */
#include "bench/ops/mnist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/skip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static const char folder[] = "folder";
static const char train[] = "folder/train-images-idx3-ubyte", train_gz[] = "folder/train-images-idx3-ubyte.gz";
static const char test[] = "folder/t10k-images-idx3-ubyte", test_gz[] = "folder/t10k-images-idx3-ubyte.gz";
static const char train_labels[] = "folder/train-labels-idx1-ubyte";
static const char test_labels_gz[] = "folder/t10k-labels-idx1-ubyte.gz";

static int empty_folder(void **state)
{
    (void)state;
    const char *const files[] = {train, train_gz, test, test_gz, train_labels, test_labels_gz};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        remove(files[i]);
    mkdir(folder, 0777);
    return 0;
}

static int remove_folder(void **state)
{
    empty_folder(state);
    return rmdir(folder);
}

/* A file whose name ends in .gz is gzipped. */
static void write_file(const char *path, const uint8_t *bytes, size_t count)
{
    const char *mode = strstr(path, ".gz") ? "wb" : "wbT"; /* T: uncompressed */
    gzFile to = gzopen(path, mode);
    assert_non_null(to);
    assert_int_equal(gzwrite(to, bytes, (unsigned)count), count);
    assert_int_equal(gzclose(to), Z_OK);
}

static void write_labels(const char *path, uint8_t count, uint8_t first)
{
    uint8_t file[8 + UINT8_MAX] = {0, 0, 0x08, 1, 0, 0, 0, count};
    for (uint8_t i = 0; i < count; i++)
        file[8 + i] = (uint8_t)(first + i);
    write_file(path, file, 8 + (size_t)count);
}

/* Writes images of one value each: `first`, `first` + 1, ... */
static void write_images(const char *path, uint8_t count, uint8_t height, uint8_t width, uint8_t first)
{
    size_t pixels = (size_t)height * width, bytes = 16 + count * pixels;
    uint8_t *file = calloc(1, bytes);
    assert_non_null(file);
    file[2] = 0x08;
    file[3] = 3;
    file[7] = count;
    file[11] = height;
    file[15] = width;
    for (uint8_t i = 0; i < count; i++)
        memset(file + 16 + i * pixels, first + i, pixels);
    write_file(path, file, bytes);
    free(file);
}

static struct mnist read_folder(void)
{
    struct mnist mnist = {0};
    struct error error = {""};
    if (!mnist_read(folder, &mnist, &error))
        fail_msg("%s", error.text);
    return mnist;
}

/* The folder is refused with a line that names `culprit`. */
static void assert_refuses(const char *path, const char *culprit, const char *reason)
{
    struct mnist mnist = {0};
    struct error error = {""};
    assert_false(mnist_read(path, &mnist, &error));
    assert_null(strchr(error.text, '\n'));
    if (!strstr(error.text, culprit) || !strstr(error.text, reason))
        fail_msg("'%s' does not say '%s' and '%s'", error.text, culprit, reason);
}

static void assert_reads_name(const char *name)
{
    struct mnist mnist = read_folder();
    assert_string_equal(mnist.name, name);
    mnist_free(&mnist);
    assert_null(mnist.pixels);
}

static void plain_images_are_read(void **state)
{
    (void)state;
    write_images(train, 3, 28, 28, 10);
    struct mnist mnist = read_folder();
    assert_string_equal(mnist.name, "mnist-train");
    assert_int_equal(mnist.count, 3);
    for (int64_t i = 0; i < 3; i++)
        for (size_t p = 0; p < MNIST_PIXELS; p++)
            assert_int_equal(mnist_image(&mnist, i)[p], 10 + i);
    mnist_free(&mnist);
}

static void gzipped_images_are_read(void **state)
{
    (void)state;
    write_images(test_gz, 2, 28, 28, 7);
    struct mnist mnist = read_folder();
    assert_string_equal(mnist.name, "mnist-t10k");
    assert_int_equal(mnist.count, 2);
    assert_int_equal(mnist_image(&mnist, 1)[783], 8);
    mnist_free(&mnist);
}

static void training_images_are_preferred(void **state)
{
    (void)state;
    write_images(test, 1, 28, 28, 1);
    write_images(test_gz, 1, 28, 28, 1);
    assert_reads_name("mnist-t10k");
    write_images(train_gz, 1, 28, 28, 1);
    assert_reads_name("mnist-train");
    write_images(train, 1, 28, 28, 1);
    assert_reads_name("mnist-train");
}

static void labels_are_read_from_beside_their_images(void **state)
{
    (void)state;
    write_images(test_gz, 3, 28, 28, 1);
    write_labels(test_labels_gz, 3, 4);
    write_labels(train_labels, 3, 0); /* of other images */
    struct mnist mnist = read_folder();
    for (int64_t row = 0; row < 7; row++)
        assert_int_equal(mnist_label(&mnist, row), 4 + row % 3);
    mnist_free(&mnist);
    assert_null(mnist.labels);
    assert_int_equal(remove(test_labels_gz), 0);
    mnist = read_folder();
    assert_null(mnist.labels);
    mnist_free(&mnist);
}

static void labels_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    write_images(train, 3, 28, 28, 1);
    write_labels(train_labels, 2, 0);
    assert_refuses(folder, train_labels, "2 labels, expected one for each of 3 images");
    write_labels(train_labels, 3, 8);
    assert_refuses(folder, train_labels, "label 2 is 10, expected 0 to 9");
    write_images(train_labels, 3, 28, 28, 1);
    assert_refuses(folder, train_labels, "magic number");
}

static void rows_repeat_from_the_first_image(void **state)
{
    (void)state;
    write_images(train, 3, 28, 28, 50);
    struct mnist mnist = read_folder();
    for (int64_t row = 0; row < 10; row++)
        assert_int_equal(mnist_image(&mnist, row)[0], 50 + row % 3);
    assert_int_equal(mnist_image(&mnist, INT64_C(3000000001))[5], 51);
    mnist_free(&mnist);
}

static void the_note_says_that_rows_repeat(void **state)
{
    (void)state;
    write_images(train, 3, 28, 28, 0);
    struct mnist mnist = read_folder();
    char note[96];
    mnist_note(&mnist, 3, note, sizeof note);
    assert_string_equal(note, "mnist-train");
    mnist_note(&mnist, 4, note, sizeof note);
    assert_string_equal(note, "mnist-train (its 3 images repeat)");
    mnist_free(&mnist);
}

static void a_missing_folder_is_refused(void **state)
{
    (void)state;
    assert_refuses("folder/not-there", "--mnist=folder/not-there", "No such file");
    assert_refuses("", "--mnist=", "No such file");
}

static void a_file_in_place_of_the_folder_is_refused(void **state)
{
    (void)state;
    write_images(train, 1, 28, 28, 0);
    assert_refuses(train, train, "not a folder");
}

static void an_empty_folder_is_refused(void **state)
{
    (void)state;
    assert_refuses(folder, folder, "train-images-idx3-ubyte");
    assert_refuses(folder, folder, "t10k-images-idx3-ubyte");
}

static void images_of_another_size_are_refused(void **state)
{
    (void)state;
    write_images(train, 2, 32, 28, 0);
    assert_refuses(folder, train, "32x28, expected 28x28");
    write_images(train, 2, 28, 14, 0);
    assert_refuses(folder, train, "28x14, expected 28x28");
}

/* The test set does not silently replace a broken training set: the user would not know what was measured. */
static void broken_training_images_are_refused(void **state)
{
    (void)state;
    write_images(test, 1, 28, 28, 0);
    write_images(train, 2, 28, 28, 0);
    assert_int_equal(truncate(train, 1000), 0);
    assert_refuses(folder, train, "truncated");
}

static void a_folder_in_place_of_the_images_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkdir(train, 0777), 0);
    assert_refuses(folder, train, "is a folder");
}

/* Nobody writes to it: it would be waited for. */
static void a_pipe_in_place_of_the_images_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(train, 0666), 0);
    assert_refuses(folder, train, "is a pipe");
}

static void the_real_test_images_are_read(void **state)
{
    (void)state;
    char real[4096];
    find_real_input(real, "mnist", "MNIST");
    struct mnist mnist;
    struct error error;
    assert_true(mnist_read(real, &mnist, &error));
    if (strcmp(mnist.name, "mnist-t10k") == 0) {
        assert_int_equal(mnist.count, 10000);
        const uint8_t *seven = mnist_image(&mnist, 0);
        assert_int_equal(seven[0], 0);
        assert_int_equal(seven[7 * 28 + 6], 84);
        assert_int_equal(seven[7 * 28 + 7], 185);
        assert_ptr_equal(mnist_image(&mnist, 10000), seven);
    }
    mnist_free(&mnist);
}

#define test_case(function) cmocka_unit_test_setup_teardown(function, empty_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_case(plain_images_are_read),
        test_case(gzipped_images_are_read),
        test_case(training_images_are_preferred),
        test_case(labels_are_read_from_beside_their_images),
        test_case(labels_that_do_not_fit_are_refused),
        test_case(rows_repeat_from_the_first_image),
        test_case(the_note_says_that_rows_repeat),
        test_case(a_missing_folder_is_refused),
        test_case(a_file_in_place_of_the_folder_is_refused),
        test_case(an_empty_folder_is_refused),
        test_case(images_of_another_size_are_refused),
        test_case(broken_training_images_are_refused),
        test_case(a_folder_in_place_of_the_images_is_refused),
        test_case(a_pipe_in_place_of_the_images_is_refused),
        test_case(the_real_test_images_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
