/* The MNIST images and their labels, from a folder of IDX files. */
#pragma once

#include "bench/base/error.h"
#include "bench/data/made.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

enum { MNIST_SIDE = 28, MNIST_PIXELS = MNIST_SIDE * MNIST_SIDE, MNIST_CLASSES = 10 };

struct mnist {
    char name[64]; /* the set and its digest, for column `input` */
    int64_t count;
    uint8_t *pixels; /* count x MNIST_PIXELS */
    uint8_t *labels; /* count, each below MNIST_CLASSES; NULL: the folder has none */
};

struct mnist_files {
    char images[PATH_MAX], labels[PATH_MAX]; /* no labels: empty */
    char set[31];                            /* "train", "t10k", "emnist-digits-test" */
};

/* Finds images in the folder, or where torchvision puts them below it: rather those of MNIST itself than those with a
 * name before, those that train than those that test, plain than gzipped ones; and labels of the same set, if there are
 * any. */
bool mnist_find(const char *folder, struct mnist_files *files, struct error *error);

/* Reads what mnist_find() finds. */
bool mnist_read(const char *folder, struct mnist *mnist, struct error *error);
void mnist_free(struct mnist *mnist);

/* The images as elements of rows, permuted as the seed says. */
struct made mnist_permuted(const struct mnist *mnist, enum made_kind kind, uint64_t seed);

/* The text of column `input` for an input of `rows` rows, which repeat the images where these are fewer. */
void mnist_note(const struct mnist *mnist, int64_t rows, char *text, size_t size);
