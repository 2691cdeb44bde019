/* The folder of MNIST images: which file is read, and what is refused. */
#include "bench/data/mnist.h"
#include "data_files.h"
#include "tests/unit.h"
#include "tests/skip.h"

#include <ftw.h>
#include <zlib.h>

static const char train[] = "folder/train-images-idx3-ubyte", test[] = "folder/t10k-images-idx3-ubyte";
static const char train_labels[] = "folder/train-labels-idx1-ubyte";

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    return remove(path);
}

static int remove_folder(void **state)
{
    return access("folder", F_OK) == 0 ? nftw("folder", remove_one, 8, FTW_DEPTH | FTW_PHYS) : 0;
}

static int empty_folder(void **state)
{
    bool ok = remove_folder(state) == 0 && mkdir("folder", 0777) == 0 && mkdir("folder/raw", 0777) == 0 &&
              mkdir("folder/MNIST", 0777) == 0 && mkdir("folder/MNIST/raw", 0777) == 0;
    return ok ? 0 : 1;
}

/* A file whose name ends in .gz is gzipped. */
static void write_file(const char *path, const uint8_t *bytes, size_t count)
{
    gzFile to = gzopen(path, strstr(path, ".gz") ? "wb" : "wbT"); /* T: uncompressed */
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
    const size_t pixels = (size_t)height * width, bytes = 16 + count * pixels;
    uint8_t *file = calloc(1, bytes);
    assert_non_null(file);
    memcpy(file, (uint8_t[]){0, 0, 0x08, 3, 0, 0, 0, count, 0, 0, 0, height, 0, 0, 0, width}, 16);
    for (uint8_t i = 0; i < count; i++)
        memset(file + 16 + i * pixels, first + i, pixels);
    write_file(path, file, bytes);
    free(file);
}

/* The folder is read, and called by a name that begins so. */
static struct mnist read_folder(const char *name)
{
    struct mnist mnist = {0};
    MUST(mnist_read("folder", &mnist, &error));
    if (strncmp(mnist.name, name, strlen(name)) != 0)
        fail_msg("'%s' does not begin with '%s'", mnist.name, name);
    return mnist;
}

static void assert_reads(const char *name)
{
    struct mnist mnist = read_folder(name);
    mnist_free(&mnist);
    assert_true(!mnist.pixels && !mnist.labels);
}

/* The path is refused in one line that names `culprit`. */
static void assert_refuses(const char *path, const char *culprit, const char *reason)
{
    struct mnist mnist = {0};
    struct error error = {""};
    assert_false(mnist_read(path, &mnist, &error));
    assert_says(error.text, culprit);
    assert_says(error.text, reason);
}

/* Images under a name are found, with the labels beside them; `set` is what they are called. */
static void assert_finds(const char *images, const char *labels, const char *set)
{
    write_images(images, 2, 28, 28, 7);
    write_labels(labels, 2, 4);
    struct mnist mnist = read_folder(set);
    if (!mnist.labels || mnist.labels[1] != 5)
        fail_msg("%s: its labels are not found", labels);
    mnist_free(&mnist);
    assert_int_equal(empty_folder(NULL), 0);
}

TEST(every_name_in_use_is_found)
{
    static const char *const sets[][2] = {{"train", "train-images "},
                                          {"t10k", "t10k-images "},
                                          {"emnist-digits-test", "emnist-digits-test-images "},
                                          {"qmnist-train", "qmnist-train-images "}};
    static const char *const folders[] = {"folder", "folder/raw", "folder/MNIST/raw"}, *const ends[] = {"", ".gz"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        for (size_t end = 0; end < 2; end++)
            for (const char *dash = "-."; *dash; dash++) {
                char images[128], labels[128];
                const char *in = folders[i % 3], *set = sets[i][0];
                snprintf(images, sizeof images, "%s/%s-images%cidx3%cubyte%s", in, set, *dash, *dash, ends[end]);
                snprintf(labels, sizeof labels, "%s/%s-labels%cidx1%cubyte%s", in, set, *dash, *dash, ends[1 - end]);
                assert_finds(images, labels, sets[i][1]);
            }
}

/* Kaggle's archive has folders of these names beside the files. */
TEST(the_best_file_is_read)
{
    static const char *const worst_first[][2] = {
        {"folder/emnist-test-images-idx3-ubyte.gz", "emnist-test-images "},
        {"folder/emnist-train-images-idx3-ubyte.gz", "emnist-train-images "},
        {"folder/t10k-images-idx3-ubyte.gz", "t10k-images "},
        {"folder/train-images-idx3-ubyte.gz", "train-images "},
    };
    for (size_t i = 0; i < sizeof worst_first / sizeof worst_first[0]; i++) {
        write_images(worst_first[i][0], 1, 28, 28, 1);
        assert_reads(worst_first[i][1]);
    }
    assert_int_equal(mkdir(train, 0777), 0);
    assert_reads("train-images ");
    assert_int_equal(rmdir(train), 0);
    write_images("folder/train-images.idx3-ubyte", 1, 28, 28, 9); /* not packed */
    struct mnist mnist = read_folder("train-images ");
    assert_int_equal(mnist.pixels[0], 9);
    mnist_free(&mnist);
}

/* Whatever the folder is called. */
TEST(the_first_of_several_sets_is_read)
{
    write_images("folder/emnist-letters-train-images-idx3-ubyte", 1, 28, 28, 1);
    write_images("folder/emnist-digits-train-images-idx3-ubyte.gz", 1, 28, 28, 1);
    assert_reads("emnist-letters-train-images ");
    write_images("folder/emnist-digits-train-images-idx3-ubyte", 1, 28, 28, 1);
    assert_reads("emnist-digits-train-images ");
    assert_int_equal(rename("folder", "{a,*}[1]\\"), 0);
    struct mnist mnist = {0};
    MUST(mnist_read("{a,*}[1]\\", &mnist, &error));
    mnist_free(&mnist);
    assert_int_equal(rename("{a,*}[1]\\", "folder"), 0);
}

TEST(images_are_read_with_the_labels_of_their_set)
{
    static const char labels[] = "folder/t10k-labels-idx1-ubyte.gz";
    write_images(test, 3, 28, 28, 10);
    write_labels(labels, 3, 4);
    write_labels(train_labels, 3, 0);
    struct mnist mnist = read_folder("t10k-images ");
    assert_int_equal(mnist.count, 3);
    for (int i = 0; i < 3 * MNIST_PIXELS; i++)
        assert_int_equal(mnist.pixels[i], 10 + i / MNIST_PIXELS);
    assert_memory_equal(mnist.labels, "\4\5\6", 3);
    mnist_free(&mnist);
    assert_int_equal(remove(labels), 0);
    mnist = read_folder("t10k-images ");
    assert_null(mnist.labels);
    mnist_free(&mnist);
}

/* By the SHA-256 of the file, unpacked: sha256sum says the same. */
TEST(the_note_tells_one_set_from_another)
{
    static const char *const forms[] = {train, "folder/train-images-idx3-ubyte.gz"};
    char note[96];
    for (int form = 0; form < 2; form++) {
        write_images(forms[form], 3, 28, 28, 0);
        struct mnist mnist = read_folder("train");
        mnist_note(&mnist, 3, note, sizeof note);
        assert_string_equal(note, "train-images sha256:94f6d1fae896");
        mnist_note(&mnist, 4, note, sizeof note);
        assert_string_equal(note, "train-images sha256:94f6d1fae896 (its 3 images repeat)");
        mnist_free(&mnist);
        remove(forms[form]);
    }
    write_images(train, 3, 28, 28, 1);
    assert_reads("train-images sha256:9fbf7fde6795");
}

TEST(a_folder_without_images_is_refused)
{
    assert_refuses("folder/not-there", "--mnist=folder/not-there", "No such file");
    assert_refuses("", "--mnist=", "No such file");
    write_images("folder/images.idx", 1, 28, 28, 1);
    assert_refuses("folder/images.idx", "folder/images.idx", "holds neither");
    assert_refuses("folder", "folder: holds neither train-images-idx3-ubyte nor t10k-images-idx3-ubyte",
                   "nor do raw and MNIST/raw in it");
}

/* The test set does not silently replace a broken training set: the user would not know what was measured. */
TEST(what_is_wrong_in_a_file_is_refused_by_its_name)
{
    write_images(test, 1, 28, 28, 0);
    write_images(train, 2, 32, 28, 0);
    assert_refuses("folder", train, "32x28, expected 28x28");
    write_images(train, 2, 28, 14, 0);
    assert_refuses("folder", train, "28x14, expected 28x28");
    write_images(train, 3, 28, 28, 0);
    write_labels(train_labels, 2, 0);
    assert_refuses("folder", train_labels, "2 labels, expected one for each of 3 images");
    write_labels(train_labels, 3, 8);
    assert_refuses("folder", train_labels, "label 2 is 10, expected 0 to 9");
    write_images(train_labels, 3, 28, 28, 1);
    assert_refuses("folder", train_labels, "magic number");
    assert_int_equal(truncate(train, 1000), 0);
    assert_refuses("folder", train, "has 984 bytes of data");
    assert_int_equal(remove(train), 0);
    assert_int_equal(mkfifo(train, 0666), 0); /* to which nobody writes */
    assert_refuses("folder", train, "is a pipe");
}

TEST(the_real_test_images_are_read)
{
    char real[4096];
    find_real_input(real, "mnist", "MNIST");
    struct mnist mnist;
    MUST(mnist_read(real, &mnist, &error));
    if (strncmp(mnist.name, "t10k", 4) == 0) {
        assert_string_equal(mnist.name, "t10k-images sha256:0fa7898d5092");
        assert_int_equal(mnist.count, 10000);
        assert_memory_equal(mnist.pixels + 7 * 28 + 6, "\124\271", 2); /* of a seven */
        if (mnist.labels)
            assert_memory_equal(mnist.labels, "\7\2\1\0\4\1\4\11\5\11", 10);
    }
    mnist_free(&mnist);
}

AROUND_EACH_TEST(empty_folder, remove_folder)
