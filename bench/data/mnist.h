/* The MNIST images and their labels, from a folder of IDX files. */
#pragma once

#include "bench/base/error.h"
#include "bench/table/made.h"

#include <stddef.h>
#include <stdint.h>

enum { MNIST_SIDE = 28, MNIST_PIXELS = MNIST_SIDE * MNIST_SIDE, MNIST_CLASSES = 10 };

struct mnist {
    char name[64]; /* the set and its digest, for column `input` */
    int64_t count;
    uint8_t *pixels; /* count x MNIST_PIXELS */
    uint8_t *labels; /* count, each below MNIST_CLASSES; NULL: the folder has none */
};

/* Reads the images that mnist_find() finds, and their labels if there are any. */
bool mnist_read(const char *folder, struct mnist *mnist, struct error *error);
void mnist_free(struct mnist *mnist);

/* The image of input row `row`. Rows beyond the last image start again from the first. */
const uint8_t *mnist_image(const struct mnist *mnist, int64_t row);

/* Its label, if there are labels. */
uint8_t mnist_label(const struct mnist *mnist, int64_t row);

/* The images as elements of rows, permuted as the seed says; or as they follow each other. */
struct made mnist_permuted(const struct mnist *mnist, enum made_kind kind, uint64_t seed);
struct made mnist_made(const struct mnist *mnist, enum made_kind kind);

/* The text of column `input` for an input of `rows` rows. */
void mnist_note(const struct mnist *mnist, int64_t rows, char *text, size_t size);
