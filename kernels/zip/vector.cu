/* zip cuda_vector: four elements per thread, 16 bytes at a time where the view allows it.
 *
 * Technique: a thread takes four neighbours of a row. If rows begin at multiples of 16 bytes, one instruction loads its
 * four elements of x, and one stores those of y. What it loads of z depends on the stride from column to column: with 1
 * these are neighbours too, one more load of 16 bytes; with 0 it is one element for all four; else each is loaded by
 * itself. Where rows are not aligned, a second kernel moves single elements: a thread takes four that lie 32 apart, so
 * that each access of a warp is to neighbours.
 *
 * What it fixes in cuda_naive: four times as many bytes in flight per thread, and where rows are aligned a quarter of
 * the loads and stores.
 *
 * What bounds it: sectors. A transposed view is as bad as before: lanes read addresses that lie four columns apart,
 * which are 32 lines, so that each load of z takes 32 sectors where 4 would do. Other views are bound by memory.
 *
 * Measured, results/h200-x1/network.csv:
 *   zip/large-transposed/cuda_vector/cold 294.4 us
 *   zip/large-transposed/cuda_vector/cold ceiling_pct 59.8 % */
#include "bench/table/zip.h"
#include "kernels/four.h"
#include "kernels/launch.h"

constexpr int LANES = 32, ROWS = 8, VECTOR = 4; /* a block takes LANES * VECTOR columns of ROWS rows */
static_assert(LANES == 32, "a warp is in one row: then it reads and writes whole lines");
static_assert(RUNG_SIZE_MAX + LANES * VECTOR <= INT32_MAX, "32 bits hold the numbers of rows and columns");

enum loads { ALIGNED, ONE, EACH }; /* of z: a float4, one element for all columns, element by element */

template <enum loads LOADS>
static __device__ __forceinline__ float4 load_view(const float *z, int64_t z_column)
{
    if (LOADS == ALIGNED)
        return load_four<true>(z, VECTOR);
    if (LOADS == ONE)
        return make_float4(z[0], z[0], z[0], z[0]);
    return make_float4(z[0], z[z_column], z[2 * z_column], z[3 * z_column]);
}

/* Rows of x and y are aligned to 16 bytes, and whole float4s. */
template <enum loads LOADS>
static __global__ void zip_vector_kernel(struct zip_problem p)
{
    int column = ((int)blockIdx.x * LANES + (int)threadIdx.x) * VECTOR;
    if (column >= p.n)
        return;
    /* One turn, unless m needs more blocks than a grid can have along y. */
    for (int row = (int)blockIdx.y * ROWS + (int)threadIdx.y; row < p.m; row += (int)gridDim.y * ROWS) {
        float4 x = load_four<true>(p.x + row * p.n + column, VECTOR);
        float4 z = load_view<LOADS>(p.z + row * p.z_row + column * p.z_column, p.z_column);
        float4 y = make_float4(ZIP_A * x.x + z.x, ZIP_A * x.y + z.y, ZIP_A * x.z + z.z, ZIP_A * x.w + z.w);
        store_four<true>(p.y + row * p.n + column, y, VECTOR);
    }
}

/* Rows may begin anywhere. */
static __global__ void zip_narrow_kernel(struct zip_problem p)
{
    int column = (int)blockIdx.x * LANES * VECTOR + (int)threadIdx.x, last = (int)p.n - 1;
    for (int row = (int)blockIdx.y * ROWS + (int)threadIdx.y; row < p.m; row += (int)gridDim.y * ROWS) {
        float x[VECTOR], z[VECTOR];
#pragma unroll
        for (int e = 0; e < VECTOR; e++) { /* behind the last it is the last again: a guard would make each load wait */
            int c = min(column + e * LANES, last);
            x[e] = p.x[row * p.n + c];
            z[e] = p.z[row * p.z_row + c * p.z_column];
        }
#pragma unroll
        for (int e = 0; e < VECTOR; e++)
            if (column + e * LANES <= last)
                p.y[row * p.n + column + e * LANES] = ZIP_A * x[e] + z[e];
    }
}

const char *zip_cuda_vector(const void *problem, void *stream)
{
    const struct zip_problem *p = (const struct zip_problem *)problem;
    bool wide = p->n % VECTOR == 0 && is_aligned(p->x, 16) && is_aligned(p->y, 16);
    bool aligned = p->z_column == 1 && is_aligned(p->z, 16); /* z_row is n or 0 then */
    auto kernel = !wide              ? zip_narrow_kernel
                  : aligned          ? zip_vector_kernel<ALIGNED>
                  : p->z_column == 0 ? zip_vector_kernel<ONE>
                                     : zip_vector_kernel<EACH>;
    return TRY_LAUNCH(__func__, kernel, grid_size(ceil_div(p->n, LANES * VECTOR), ceil_div(p->m, ROWS)),
                      dim3(LANES, ROWS), 0, stream, *p);
}
