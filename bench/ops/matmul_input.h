/* The input of matmul: random, MNIST images, and kinds that show what random numbers hide. */
#pragma once

#include "bench/table/op.h"
#include "matmul_product.h"

/* Fills A and B, as they lie, and tells in `note` what is known of their product. If MNIST images are given, and the
 * rows of A as it lies have their size, these are images scaled to [0, 1], and B is random. This is part of
 * INPUT_RANDOM. In the other kinds all products and their sums are exact for k up to at least 2^16, so the answer must
 * be exact too; TF32 and BF16 hold the factors. */
void matmul_input_fill(struct matmul_product product, const struct input_source *source, float *a, float *b,
                       struct input_note *note);

/* How A and B of a question are made (struct op). */
void matmul_input_question(struct matmul_product product, const struct input_source *source, struct made *a,
                           struct made *b, struct input_note *note);
