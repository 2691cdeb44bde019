/* The names of MNIST's files: each source, and each way to unpack them, has its own. */
#pragma once

#include "bench/base/error.h"

#include <limits.h>

struct mnist_files {
    char images[PATH_MAX];
    char labels[PATH_MAX];  /* empty: there are none of the same set */
    char set[NAME_MAX + 1]; /* "train", "t10k", "emnist-digits-test" */
};

/* Looks for images in the folder, and where torchvision puts them below it: those that train rather than those that
 * test, and plain rather than gzipped ones. False: there are none, or of several sets. */
bool mnist_find(const char *folder, struct mnist_files *files, struct error *error);
