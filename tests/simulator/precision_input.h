/* Matmul problems that try splitting: what rungs which split their factors make of them. */
#pragma once

#include "bench/table/registry.h"
#include "tests/ops/matmul_problem.h"

enum precision_input {
    PRECISION_ZERO_MEAN, /* from -1 to 1 */
    PRECISION_POSITIVE,  /* from 0 to 1 */
    PRECISION_IMAGES,    /* A: from 0 to 1 and mostly 0, as MNIST's pixels are; B: from -1 to 1 */
    PRECISION_ROWS,      /* each row of A and column of B in a size of its own, from 2^-40 to 2^40 */
    PRECISION_WIDE,      /* each element in a size of its own, from 2^-40 to 2^40 */
    PRECISION_INPUTS,
};

extern const char *const precision_input_names[PRECISION_INPUTS];

/* With a reference, and without an answer. */
struct problem precision_problem(enum precision_input input, int64_t m, int64_t k, int64_t n);

/* Opens the backend of that name, "sim" or "cuda". Returns NULL, or why it cannot be used. */
const char *precision_open(const char *name);
void precision_close(void);

/* A rung of matmul, of the backend that is open. NULL, after a line that says why: this device cannot run it. */
const struct rung *precision_rung(const char *variant);

/* p->c becomes the rung's answer. Fails the test if the rung does. */
void precision_run(const struct rung *rung, struct problem *p);

/* An answer's errors in units of u |A||B|, with u = 2^-24: the i-th element's, their root mean square, and the largest.
 * One that is infinite or NaN has an infinite error. */
double precision_error(const struct problem *p, int64_t i);
double precision_rms(const struct problem *p);
double precision_worst(const struct problem *p);
