/* The folder of MNIST images: which file is read, and what is refused. */
#include "bench/data/mnist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/skip.h"

#include <ftw.h>
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

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static int remove_folder(void **state)
{
    (void)state;
    return access(folder, F_OK) == 0 ? nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) : 0;
}

static int empty_folder(void **state)
{
    return remove_folder(state) == 0 ? mkdir(folder, 0777) : 1;
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

static void assert_begins(const char *text, const char *start)
{
    if (strncmp(text, start, strlen(start)) != 0)
        fail_msg("'%s' does not begin with '%s'", text, start);
}

static void assert_reads_name(const char *name)
{
    struct mnist mnist = read_folder();
    assert_begins(mnist.name, name);
    mnist_free(&mnist);
    assert_null(mnist.pixels);
}

/* Images under a name are found, with the labels beside them; `set` is what they are called. */
static void assert_finds(const char *images, const char *labels, const char *set)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, images);
    write_images(path, 2, 28, 28, 7);
    snprintf(path, sizeof path, "%s/%s", folder, labels);
    write_labels(path, 2, 4);
    struct mnist mnist = read_folder();
    assert_begins(mnist.name, set);
    if (!mnist.labels || mnist_label(&mnist, 1) != 5)
        fail_msg("%s: its labels are not found", labels);
    mnist_free(&mnist);
    assert_int_equal(empty_folder(NULL), 0);
}

static void every_name_in_use_is_found(void **state)
{
    (void)state;
    static const char *const sets[][2] = {{"train", "train-images "},
                                          {"t10k", "t10k-images "},
                                          {"emnist-digits-test", "emnist-digits-test-images "},
                                          {"qmnist-train", "qmnist-train-images "},
                                          {"T10K", "T10K-images "}};
    static const char *const folders[] = {"", "raw/", "MNIST/raw/"};
    static const char *const ends[] = {"", ".gz"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        for (size_t end = 0; end < 2; end++)
            for (const char *dash = "-."; *dash; dash++) {
                char images[64], labels[64];
                const char *below = folders[i % 3];
                mkdir("folder/raw", 0777);
                mkdir("folder/MNIST", 0777);
                mkdir("folder/MNIST/raw", 0777);
                snprintf(images, sizeof images, "%s%s-images%cidx3-ubyte%s", below, sets[i][0], *dash, ends[end]);
                snprintf(labels, sizeof labels, "%s%s-labels%cidx1-ubyte%s", below, sets[i][0], *dash, ends[1 - end]);
                assert_finds(images, labels, sets[i][1]);
            }
}

/* Kaggle's archive has folders of these names beside the files. */
static void a_file_is_preferred_to_a_folder_of_its_name(void **state)
{
    (void)state;
    assert_int_equal(mkdir(test, 0777), 0);
    assert_finds("t10k-images.idx3-ubyte", "t10k-labels.idx1-ubyte", "t10k-images ");
}

static void several_sets_are_refused_by_their_names(void **state)
{
    (void)state;
    write_images("folder/emnist-letters-train-images-idx3-ubyte", 1, 28, 28, 1);
    write_images("folder/emnist-digits-train-images-idx3-ubyte.gz", 1, 28, 28, 1);
    write_images("folder/emnist-mnist-test-images-idx3-ubyte", 1, 28, 28, 1);
    assert_refuses(folder, "emnist-letters-train", "emnist-digits-train");
    write_images(test, 1, 28, 28, 1); /* MNIST itself */
    assert_reads_name("t10k-images ");
}

static void plain_images_are_read(void **state)
{
    (void)state;
    write_images(train, 3, 28, 28, 10);
    struct mnist mnist = read_folder();
    assert_begins(mnist.name, "train-images ");
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
    assert_begins(mnist.name, "t10k-images ");
    assert_int_equal(mnist.count, 2);
    assert_int_equal(mnist_image(&mnist, 1)[783], 8);
    mnist_free(&mnist);
}

static void training_images_are_preferred(void **state)
{
    (void)state;
    write_images(test, 1, 28, 28, 1);
    write_images(test_gz, 1, 28, 28, 1);
    assert_reads_name("t10k-images ");
    write_images(train_gz, 1, 28, 28, 1);
    assert_reads_name("train-images ");
    write_images(train, 1, 28, 28, 1);
    assert_reads_name("train-images ");
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

/* By the SHA-256 of the file, unpacked: sha256sum says the same. */
static void the_note_tells_one_set_from_another(void **state)
{
    (void)state;
    char note[96];
    for (int packed = 0; packed < 2; packed++) {
        write_images(packed ? train_gz : train, 3, 28, 28, 0);
        struct mnist mnist = read_folder();
        mnist_note(&mnist, 3, note, sizeof note);
        assert_string_equal(note, "train-images sha256:94f6d1fae896");
        mnist_note(&mnist, 4, note, sizeof note);
        assert_string_equal(note, "train-images sha256:94f6d1fae896 (its 3 images repeat)");
        mnist_free(&mnist);
        remove(train);
    }
    write_images(train, 3, 28, 28, 1);
    assert_reads_name("train-images sha256:9fbf7fde6795");
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
    assert_refuses(folder, folder, "nor do raw and MNIST/raw in it");
    write_images("folder/mnist-images.idx", 1, 28, 28, 1);
    write_images("folder/something-else", 1, 28, 28, 1);
    assert_refuses(folder, folder, "it holds mnist-images.idx");
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
    if (strncmp(mnist.name, "t10k", 4) == 0) {
        assert_string_equal(mnist.name, "t10k-images sha256:0fa7898d5092");
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
        test_case(every_name_in_use_is_found),
        test_case(a_file_is_preferred_to_a_folder_of_its_name),
        test_case(several_sets_are_refused_by_their_names),
        test_case(labels_are_read_from_beside_their_images),
        test_case(labels_that_do_not_fit_are_refused),
        test_case(rows_repeat_from_the_first_image),
        test_case(the_note_tells_one_set_from_another),
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
