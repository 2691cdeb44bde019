/* The problem struct of zip: a function of two elements, the second of which is seen through a view. */
#pragma once

#include <stdint.h>

#define ZIP_SIZE_MAX (INT64_C(1) << 30) /* of m and of n; their product may exceed 2^32 */
#define ZIP_A 0.5F                      /* the products are exact: a sum is rounded once, fused or not */

/* y[i,j] = ZIP_A x[i,j] + z(i,j) in FP32 for i < m and j < n. x and y are m x n, row-major without padding; m and n are
 * at least 1. z(i,j) is z[i * z_row + j * z_column], and the strides are those of one of these views:
 *
 *   whole        z_row = n, z_column = 1    z is m x n, as x
 *   row          z_row = 0, z_column = 1    n elements: a row that all rows share
 *   column       z_row = 1, z_column = 0    m elements: a column that all columns share
 *   transposed   z_row = 1, z_column = m    z is n x m
 *
 * y is undefined before the call. Arrays do not overlap and are aligned to 4 bytes, no more. */
struct zip_problem {
    int64_t m, n, z_row, z_column;
    const float *x, *z;
    float *y;
};
