/* Matmul problems, solved in any arithmetic of matmul_formats.h. */
#pragma once

#include "bench/ops/answer.h"
#include "matmul_formats.h"

struct problem {
    int64_t m, n, k;
    int64_t distinct; /* different rows of A, which then repeat: a large answer is computed quickly */
    float *a, *b, *c;
    struct reference *reference;
};

enum input {
    INPUT_ZERO_MEAN,
    INPUT_LIKE_IMAGES, /* A is mostly zero and never negative, like MNIST images; B has mean 0, like weights */
    INPUT_POSITIVE,
};

float *floats(int64_t rows, int64_t columns);

/* A problem with input only. */
struct problem problem_without_reference(int64_t m, int64_t n, int64_t k);
void make_reference(struct problem *p, bool zero_mean);

/* A problem with input and reference. */
struct problem make_problem(int64_t m, int64_t n, int64_t k);
struct problem make_problem_of(int64_t m, int64_t n, int64_t k, enum input input, uint64_t seed);

/* A problem with input, reference and an FP32 answer; the rows of A repeat. */
struct problem make_large_problem(int64_t m, int64_t n, int64_t k, enum input input);

void free_problem(struct problem *p);

/* (|A||B|)[i,j] in double. */
double magnitude_at(const struct problem *p, int64_t i, int64_t j);

struct check check_as(const struct problem *p, enum precision precision);
void assert_right(const struct problem *p);
void assert_right_as(const struct problem *p, enum precision precision);
void assert_wrong(const struct problem *p, const char *reason);

/* Writes C, each element by such a sum; of factors that are rounded before. */
void multiply(struct problem *p, dot *order);
void multiply_rounded(struct problem *p, dot *order, rounding *round_a, rounding *round_b);
