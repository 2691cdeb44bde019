/* Matmul problems, and honest and less honest ways to solve them. */
#ifndef RUNGBENCH_MATMUL_PROBLEM_H
#define RUNGBENCH_MATMUL_PROBLEM_H

#include "bench/ops/matmul_check.h"

struct problem {
    int64_t m, n, k;
    int64_t distinct; /* rows of A; they repeat, so that the answer of a large problem is soon there */
    float *a, *b, *c;
    struct matmul_reference *reference;
};

enum input {
    INPUT_ZERO_MEAN,
    INPUT_LIKE_IMAGES, /* A is not negative and mostly zero, as MNIST's images; B is around zero, as weights */
    INPUT_POSITIVE,
};

float *floats(int64_t rows, int64_t columns);

/* With input, without an answer and without a reference. */
struct problem problem_without_reference(int64_t m, int64_t n, int64_t k);
void make_reference(struct problem *p, bool zero_mean);

/* With a reference. */
struct problem make_problem(int64_t m, int64_t n, int64_t k);
struct problem make_problem_of(int64_t m, int64_t n, int64_t k, enum input input, uint64_t seed);

/* With A's rows repeated, and an honest answer. */
struct problem make_large_problem(int64_t m, int64_t n, int64_t k, enum input input);

void free_problem(struct problem *p);

/* In double, from the input. */
double magnitude_at(const struct problem *p, int64_t i, int64_t j);

struct check check_as(const struct problem *p, enum precision precision);
void assert_right(const struct problem *p);
void assert_right_as(const struct problem *p, enum precision precision);
void assert_wrong(const struct problem *p, const char *reason);

/* Ways to add up a row of A times a column of B in FP32. */
typedef float dot(const float *a, const float *b, int64_t k);
dot forwards, backwards, fused, in_eight_lanes, in_tiles, pairwise, split, compensated, in_double;

extern dot *const orders[];
enum { ORDERS = 9 };

/* What a factor becomes before it is multiplied. */
typedef float rounding(float x);
rounding unrounded, tf32_nearest, tf32_truncated;

void multiply(struct problem *p, dot *order);
void multiply_rounded(struct problem *p, dot *order, rounding *round_a, rounding *round_b);

#endif
