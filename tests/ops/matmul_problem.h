/* Matmul problems, solved in FP32 in several orders of summation, or with factors rounded to TF32. */
#pragma once

#include "bench/ops/answer.h"

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

/* Orders of summation of the dot product of a row of A and a column of B, in FP32. */
typedef float dot(const float *a, const float *b, int64_t k);
dot forwards, backwards, fused, in_eight_lanes, in_tiles, pairwise, compensated, in_double;

extern dot *const orders[];
enum { ORDERS = 8 };

/* Rounds a factor before it is multiplied. */
typedef float rounding(float x);
rounding unrounded, tf32_nearest, tf32_truncated;

void multiply(struct problem *p, dot *order);
void multiply_rounded(struct problem *p, dot *order, rounding *round_a, rounding *round_b);
