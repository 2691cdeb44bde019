/* A file to begin with, for a kernel of an operation. */
#pragma once

#include "bench/base/error.h"
#include "bench/table/op.h"

#include <stdio.h>

enum starter {
    STARTER_PLAIN, /* solution() with the operation's own arguments */
    STARTER_SOLVE, /* solve() as LeetGPU calls it */
    STARTER_TORCH, /* a function of tensors, for PyTorch's load_inline() */
};

/* Prints it: complete but for what the kernel computes, where a comment says so. False, with the reason: the operation
 * has no such form. */
bool starter_print(const struct op *op, enum starter kind, FILE *to, struct error *error);
