/* The MNIST images, from a folder of IDX files. */
#ifndef RUNGBENCH_MNIST_H
#define RUNGBENCH_MNIST_H

#include "bench/base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { MNIST_SIDE = 28, MNIST_PIXELS = MNIST_SIDE * MNIST_SIDE };

struct mnist {
    const char *name; /* "mnist-train" or "mnist-t10k" */
    int64_t count;
    uint8_t *pixels; /* count x MNIST_PIXELS */
};

/* Reads the training images of the folder, or the test images where it has no training images. */
bool mnist_read(const char *folder, struct mnist *mnist, struct error *error);
void mnist_free(struct mnist *mnist);

/* The image for row `row` of an input; rows repeat from the first image where there are more of them than images. */
const uint8_t *mnist_image(const struct mnist *mnist, int64_t row);

/* The `input` column for an input of `rows` rows. */
void mnist_note(const struct mnist *mnist, int64_t rows, char *text, size_t size);

#endif
