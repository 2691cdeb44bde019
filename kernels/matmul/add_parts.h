/* The second launch where blocks that cannot wait for each other share k: each has made a C of its part of the sums. */
#pragma once

#include "kernels/launch.h"
#include "kernels/workspace.h"

constexpr int ADDING_THREADS = 256, ADDING_ROWS = 8; /* of a block; rows of threads, at most */
constexpr int64_t ADDED_FEW = 1 << 18;               /* elements, which leave threads of a large GPU without one */

/* c has `count` elements, and `from` so many for each of the parts, one after the other. A block's threads form `rows`
 * rows, each of which has every so many-th part. */
static __global__ void __launch_bounds__(ADDING_THREADS)
    matmul_add_parts_kernel(int64_t count, int parts, int rows, const float *from, float *c)
{
    __shared__ float sums[ADDING_THREADS];
    const int columns = ADDING_THREADS / rows, column = (int)threadIdx.x % columns, row = (int)threadIdx.x / columns;
    const int64_t i = blockIdx.x * (int64_t)columns + column;
    wait_for_last_launch();
    float sum = 0;
#pragma unroll 8 /* loads that do not wait for each other */
    for (int part = row; part < parts; part += rows)
        sum += i < count ? from[part * count + i] : 0.0f;
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int other = 1; other < rows; other++)
        sum += row == 0 ? sums[other * columns + column] : 0.0f;
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
    int rows = 1; /* of a large C a thread adds up all parts of an element */
    while (rows < ADDING_ROWS && 2 * rows <= (int)parts && 2 * rows * count <= ADDED_FEW)
        rows *= 2;
    const int64_t blocks = ceil_div(count, ADDING_THREADS / rows);
    TRY_CALL(grid_x_error(rung, blocks));
    LAUNCH_EARLY(matmul_add_parts_kernel, (unsigned)blocks, ADDING_THREADS, 0, stream, count, (int)parts, rows, from,
                 c);
    return launch_error(rung);
}
