/* A training step in double precision, and how far an FP32 rung may be off in each parameter.
 *
 * Each number has its bound beside it from the images to the parameters (running error analysis: N. Higham, "Accuracy
 * and Stability of Numerical Algorithms", 2nd ed., section 3.3). u = 2^-24, e(x) is the bound of x.
 *
 *   a sum of products x y     array_sum.h, and the sum of |x| e(y) + e(x) |y| + e(x) e(y)
 *   softmax                   p_c is 1 / (1 + sum of exp(z_k - z_c) over the other classes k). The bound is how far p_c
 *                             moves when each z moves by e(z) and by the rounding of z - max z, in the directions that
 *                             move it most; and u for each of the operations, exp() being within 2 units in the last
 *                             place
 *   relu's derivative         0 or 1 where |z| <= e(z): what is multiplied by it may be off by all of itself
 *
 * Where a sum is exact, so are its bounds: a rung that takes 1 for relu's derivative at 0 fails on small integers. */
#pragma once

#include "bench/table/mnist_step.h"

#include <stdbool.h>

/* Computes the updated parameters and their bounds; `updated` of the problem is not used. False: out of memory. */
bool mnist_step_reference(const struct mnist_step_problem *problem, double *value, double *bound);
