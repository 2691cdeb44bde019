/* y[i,j] = ZIP_A x[i,j] + z(i,j) in FP32. x and y are m x n. z(i,j) is z[i * z_row + j * z_column], and the strides are
 * those of one of these views:
 *
 *   whole        z_row = n, z_column = 1    z is m x n, as x
 *   row          z_row = 0, z_column = 1    n elements: a row that all rows share
 *   column       z_row = 1, z_column = 0    m elements: a column that all columns share
 *   transposed   z_row = 1, z_column = m    z is n x m */
#pragma once

#include <stdint.h>

#define ZIP_A 0.5F /* the products are exact: a sum is rounded once, fused or not */

struct zip_problem {
    int64_t m, n, z_row, z_column;
    const float *x, *z;
    float *y;
};
