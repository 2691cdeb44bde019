/* The input of greyscale: random, MNIST images, and kinds that show what random bytes hide. */
#pragma once

#include "bench/table/op.h"

enum { IMAGES, HEIGHT, WIDTH }; /* the sizes of a workload */
enum { CHANNELS = 3 };

/* Fills planes of red, green and blue, image after image, and names in `note` what they are. If MNIST images are given
 * and the images have their size, each plane is one of those, permuted. This is part of INPUT_RANDOM. */
void grayscale_input_fill(const struct workload *workload, const struct input_source *source, uint8_t *rgb,
                          struct input_note *note);

/* How the planes of a question are made (struct op). */
struct made grayscale_input_question(const struct workload *workload, const struct input_source *source,
                                     struct input_note *note);
