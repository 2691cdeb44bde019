/* Greyscale problems, with correct and wrong answers. */
#pragma once

#include "bench/data/mnist.h"
#include "bench/table/grayscale.h"
#include "bench/table/op.h"

extern const struct op grayscale_op;

enum { RGB, GRAY, BUFFERS };

/* A workload with its input and a buffer for the answer. */
struct problem {
    struct workload workload;
    struct input_note note;
    int64_t plane;
    void *host[BUFFERS];
    struct reference *reference;
};

struct problem allocate(const char *name, int64_t images, int64_t height, int64_t width);
void fill_seeded(struct problem *p, uint64_t seed, const struct mnist *mnist);
void make_gray_reference(struct problem *p);
void free_gray_problem(struct problem *p);

/* One colour plane of one image. */
const uint8_t *plane_of(const struct problem *p, int64_t image, int64_t channel);

struct check check_of(const struct problem *p);

/* Computes the answer with this rule of red, green and blue. */
void answer(struct problem *p, uint8_t (*rule)(int, int, int));

/* The weighted mean, with weights in ten-thousandths, rounded to the nearest integer; halves are rounded up. */
uint8_t expected_gray(int red, int green, int blue);

uint8_t swapped_channels(int red, int green, int blue);
