/* The input of matmul: random, MNIST images, and kinds that show what random numbers hide. */
#pragma once

#include "bench/table/op.h"

/* Fills A[m,k] and B[k,n], and tells in `note` what is known of their product. If MNIST images are given and k is their
 * size, the rows of A are images scaled to [0, 1], and B is random, as the weights of a layer. This is part of
 * INPUT_RANDOM. In the other kinds all products and their sums are exact for k up to at least 2^16, so the answer must
 * be exact too; TF32 and BF16 hold the factors. */
void matmul_input_fill(int64_t m, int64_t n, int64_t k, const struct input_source *source, float *a, float *b,
                       struct input_note *note);
