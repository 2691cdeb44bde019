/* The second launch where blocks that cannot wait for each other share k: each has made a C of its part of the sums. */
#pragma once

#include "kernels/launch.h"
#include "kernels/workspace.h"

constexpr int ADDED_COLUMNS = 32, ADDED_ROWS = 8; /* of a block's threads; a row has every so many-th part */

/* c has `count` elements, and `from` so many for each of the parts, one after the other. */
static __global__ void __launch_bounds__(ADDED_COLUMNS *ADDED_ROWS)
    matmul_add_parts_kernel(int64_t count, int parts, const float *from, float *c)
{
    __shared__ float sums[ADDED_ROWS][ADDED_COLUMNS];
    const int column = (int)threadIdx.x % ADDED_COLUMNS, row = (int)threadIdx.x / ADDED_COLUMNS;
    const int rows = (int)blockDim.x / ADDED_COLUMNS;
    const int64_t i = blockIdx.x * (int64_t)ADDED_COLUMNS + column;
    wait_for_last_launch();
    float sum = 0;
#pragma unroll 8 /* loads that do not wait for each other */
    for (int part = row; part < parts; part += rows)
        sum += i < count ? from[part * count + i] : 0.0f;
    sums[row][column] = sum;
    __syncthreads();
    for (int other = 1; other < rows; other++)
        sum += row == 0 ? sums[other][column] : 0.0f;
    if (row == 0 && i < count)
        c[i] = sum;
}

/* Where c has several parts, *parts_of_c becomes memory for them: a workspace. */
static inline const char *parts_get(int64_t count, unsigned parts, float *c, float **parts_of_c)
{
    void *memory = c;
    if (parts > 1)
        TRY_CALL(workspace_get(sizeof(float) * (size_t)(parts * count), &memory));
    *parts_of_c = (float *)memory;
    return NULL;
}

/* The second launch, where there are several. */
static inline const char *add_parts(const char *rung, int64_t count, unsigned parts, const float *from, float *c,
                                    cudaStream_t stream)
{
    if (parts == 1)
        return NULL;
    const int64_t blocks = ceil_div(count, ADDED_COLUMNS);
    const unsigned rows = min(parts, (unsigned)ADDED_ROWS);
    TRY_CALL(grid_x_error(rung, blocks));
    LAUNCH_EARLY(matmul_add_parts_kernel, (unsigned)blocks, ADDED_COLUMNS * rows, 0, stream, count, (int)parts, from,
                 c);
    return launch_error(rung);
}
