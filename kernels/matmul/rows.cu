/* matmul cuda_rows: many rows, few columns, short k. A lane has whole rows of C.
 *
 * Technique: where k and n are short, rows of A and C are, too: a tile of 64 x 128 is mostly empty, and where they are
 * no multiples of four floats, copies of 16 bytes do not fit them. But rows follow each other without a gap, so that
 * those of a warp are one long piece of memory, which begins at a multiple of 128 bytes. A warp copies it as that:
 *
 *      A: 64 rows of k = 3, 768 bytes          in shared memory            C: 64 rows of n = 5, 1,280 bytes
 *      | 0 0 0 1 1 1 2 2 | 2 3 3 3 ...   ->   lane 0 reads 0 0 0   ->      through shared memory, then a warp
 *      one copy: 16 bytes                     lane 1 reads 1 1 1           stores 32 neighbours at a time
 *
 * A lane multiplies its rows by all columns of B, which lie in shared memory too: all lanes read the same 16 bytes at
 * once. With two rows to a lane these serve eight multiply-adds. Lanes read A at a distance of k floats, which hit
 * different banks if k is odd, or 16 bytes at a time if k is an odd multiple of four. If k is a multiple of eight, the
 * copies leave a gap of 16 bytes after each row.
 *
 * What it fixes in cuda_skinny: k is not shared by 16 lanes, of which most have nothing for a short k; and copies of 4
 * bytes.
 *
 * What bounds it: reading A and writing C; for n and k near their limits, the multiply-adds. With a longer k, or more
 * columns, cuda_skinny or cuda_fitted runs, and the row says so. */
#include "bench/table/matmul.h"
#include "kernels/four.h"
#include "kernels/launch.h"
#include "takes.h"

constexpr int WARP = 32, MOST_WARPS = 4;

/* Floats between a lane's row and the next one: 16 bytes more where all rows would begin in the same banks. */
static __host__ __device__ __forceinline__ int row_floats(int k, bool wide)
{
    return wide && k / 4 % 2 == 0 ? k + 4 : k;
}

/* What a warp has of shared memory, in floats: its rows of A, and a panel of its rows of C. */
template <int ROWS, int PANEL>
static __host__ __device__ __forceinline__ int warp_floats(int k, bool wide)
{
    return WARP * ROWS * (row_floats(k, wide) + PANEL + 4);
}

/* A place in rows of `width`, which a lane finds without a division for each of its elements. */
struct walk {
    int row, column;

    __device__ __forceinline__ walk(int lane, int width) : row(lane / width), column(lane % width)
    {
    }
    /* `rows` and `columns`: 32 elements further. */
    __device__ __forceinline__ void advance(int rows, int columns, int width)
    {
        row += rows;
        column += columns;
        if (column >= width)
            column -= width, row++;
    }
};

/* Starts the copies of `rows` rows of A. */
static __device__ __forceinline__ void fetch_rows(float *to, const float *a, int rows, int k, bool wide, bool aligned)
{
    const int lane = (int)threadIdx.x % WARP, floats = rows * k, row_of_to = row_floats(k, wide);
    if (wide) {
        const int width = k / 4, lines = WARP / width, rest = WARP % width;
        walk at(lane, width);
        for (int i = lane; i < floats / 4; i += WARP, at.advance(lines, rest, width))
            copy_async((float4 *)(to + at.row * row_of_to) + at.column, (const float4 *)a + i);
    } else {
        const int whole = aligned ? floats / 4 * 4 : 0;
        for (int i = 4 * lane; i < whole; i += 4 * WARP)
            copy_async((float4 *)(to + i), (const float4 *)(a + i));
        for (int i = whole + lane; i < floats; i += WARP)
            copy_async(to + i, a + i);
    }
    copy_async_commit();
}

/* sums += a step of the lane's rows times PANEL columns of a row of B. */
template <int ROWS, int PANEL>
static __device__ __forceinline__ void add_step(const float (&x)[ROWS], const float *row_of_b,
                                                float (&sums)[ROWS][PANEL])
{
#pragma unroll
    for (int j = 0; j < PANEL; j += 4) {
        float y[4];
        unpack(*(const float4 *)(row_of_b + j), y);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                sums[r][j + e] = fmaf(x[r], y[e], sums[r][j + e]);
    }
}

/* A panel of the lane's rows of C: from `As`, whose rows are row_of_a floats apart, and Bs, row_of_b floats wide. Rows
 * that are not there repeat the last one. */
template <int ROWS, int PANEL>
static __device__ __forceinline__ void multiply_panel(const float *As, int rows, int row_of_a, bool wide,
                                                      const float *Bs, int row_of_b, int k, float (&sums)[ROWS][PANEL])
{
    const float *mine[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        mine[r] = As + min((int)threadIdx.x % WARP + r * WARP, rows - 1) * row_of_a;
    if (wide) {
#pragma unroll 1
        for (int p = 0; p < k; p += 4) {
            float four[ROWS][4];
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                unpack(*(const float4 *)(mine[r] + p), four[r]);
#pragma unroll
            for (int e = 0; e < 4; e++) {
                float x[ROWS];
#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    x[r] = four[r][e];
                add_step<ROWS, PANEL>(x, Bs + (p + e) * row_of_b, sums);
            }
        }
        return;
    }
#pragma unroll 4
    for (int p = 0; p < k; p++) {
        float x[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            x[r] = mine[r][p];
        add_step<ROWS, PANEL>(x, Bs + p * row_of_b, sums);
    }
}

/* Stores `columns` columns of a panel of the warp's rows, of which `rows` are there, to c, n columns wide. */
template <int ROWS, int PANEL>
static __device__ __forceinline__ void store_panel(float *panel, const float (&sums)[ROWS][PANEL], int rows,
                                                   int columns, int n, float *c)
{
    constexpr int LINE = PANEL + 4; /* lanes side by side hit different banks */
    const int lane = (int)threadIdx.x % WARP, lines = WARP / columns, rest = WARP % columns;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int j = 0; j < PANEL; j += 4)
            *(float4 *)(panel + (lane + r * WARP) * LINE + j) = pack(&sums[r][j]);
    __syncwarp();
    walk at(lane, columns);
#pragma unroll 4
    for (int i = lane; i < rows * columns; i += WARP, at.advance(lines, rest, columns))
        c[(int64_t)at.row * n + at.column] = panel[at.row * LINE + at.column];
    __syncwarp();
}

/* a is m x k, b is k x n, c is m x n, all row-major. A warp has ROWS rows per lane. `wide`: k is a multiple of 4 and a
 * is aligned to 16 bytes; `aligned`: a is. */
template <int ROWS, int PANEL>
static __global__ void __launch_bounds__(WARP *MOST_WARPS)
    matmul_rows_kernel(int64_t m, int n, int k, bool wide, bool aligned, const float *a, const float *b, float *c)
{
    DYNAMIC_SHARED(float4, shared);
    const int threads = (int)blockDim.x, warp = (int)threadIdx.x / WARP, panels = (n + PANEL - 1) / PANEL;
    const int64_t row = ((int64_t)blockIdx.x * (threads / WARP) + warp) * WARP * ROWS;
    const int rows = (int)min((int64_t)WARP * ROWS, m - row), row_of_b = panels * PANEL; /* or no rows at all */
    float *As = (float *)shared + warp * warp_floats<ROWS, PANEL>(k, wide);
    float *panel = As + WARP * ROWS * row_floats(k, wide);
    float *Bs = (float *)shared + threads / WARP * warp_floats<ROWS, PANEL>(k, wide);
    if (rows > 0)
        fetch_rows(As, a + row * k, rows, k, wide, aligned);
    for (int p = warp; p < k; p += threads / WARP)
        for (int j = (int)threadIdx.x % WARP; j < row_of_b; j += WARP)
            copy_async_or_zero(Bs + p * row_of_b + j, b + p * n + j, j < n);
    copy_async_commit();
    copy_async_wait(0);
    __syncthreads();
    for (int first = 0; first < n && rows > 0; first += PANEL) {
        float sums[ROWS][PANEL] = {};
        multiply_panel<ROWS, PANEL>(As, rows, row_floats(k, wide), wide, Bs + first, row_of_b, k, sums);
        store_panel<ROWS, PANEL>(panel, sums, rows, min(PANEL, n - first), n, c + row * n + first);
    }
}

template <int ROWS, int PANEL>
static const char *launch(const struct matmul_problem *p, cudaStream_t stream)
{
    const int n = (int)p->n, k = (int)p->k, few = gpu_attribute(cudaDevAttrMultiProcessorCount) * MOST_WARPS;
    const bool aligned = is_aligned(p->a, 16), wide = aligned && k % 4 == 0;
    const int64_t warps = ceil_div(p->m, WARP * ROWS), of_b = (int64_t)k * ceil_div(n, PANEL) * PANEL;
    const int64_t room = gpu_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) / 4;
    int in_block = warps < 2 * few ? 1 : MOST_WARPS;
    while (in_block > 1 && in_block * warp_floats<ROWS, PANEL>(k, wide) + of_b > room)
        in_block /= 2; /* which is enough for GPUs whose blocks have 99 KiB */
    const int64_t floats = in_block * warp_floats<ROWS, PANEL>(k, wide) + of_b;
    auto kernel = matmul_rows_kernel<ROWS, PANEL>;
    (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)floats * 4);
    return TRY_LAUNCH("matmul_cuda_rows", kernel, ceil_div(warps, in_block), WARP * in_block, (size_t)floats * 4,
                      stream, p->m, n, k, wide, aligned, p->a, p->b, p->c);
}

template <int ROWS>
static const char *launch_panels(const struct matmul_problem *p, cudaStream_t stream)
{
    return p->n <= 8                                   ? launch<ROWS, 8>(p, stream)
           : ceil_div(p->n, 16) % 2 == 1 && p->n <= 48 ? launch<ROWS, 16>(p, stream)
                                                       : launch<ROWS, 32>(p, stream);
}

const char *matmul_cuda_rows(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    if (!rows_takes(p))
        return rung_hand_over(matmul_cuda_skinny, problem, stream);
    const int64_t many = (int64_t)gpu_attribute(cudaDevAttrMultiProcessorCount) * 4 * WARP;
    return p->m < many ? launch_panels<1>(p, (cudaStream_t)stream) : launch_panels<2>(p, (cudaStream_t)stream);
}
