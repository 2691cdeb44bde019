/* matmul cuda_rows: many rows, few columns, short k. A lane has rows of C, or a panel of their columns.
 *
 * Technique: where k and n are short, rows of A and C are, too: a tile of 64 x 128 is mostly empty, and where they are
 * no multiples of four floats, copies of 16 bytes do not fit them. But rows follow each other without a gap, so that
 * those of a team of warps are one long piece of memory, which begins at a multiple of 128 bytes. They copy it as that:
 *
 *      A: 64 rows of k = 3, 768 bytes          in shared memory            C: 64 rows of n = 5, 1,280 bytes
 *      | 0 0 0 1 1 1 2 2 | 2 3 3 3 ...   ->   lane 0 reads 0 0 0   ->      through shared memory, then a warp
 *      one copy: 16 bytes                     lane 1 reads 1 1 1           stores 32 neighbours at a time
 *
 * The warps of a team have panels of columns of the same rows, as many as keep all multiprocessors busy. B lies in
 * shared memory too: all lanes read the same 16 bytes at once. With two rows to a lane these serve eight multiply-adds.
 * Lanes read A at a distance of k floats, which hit different banks if k is odd, or 16 bytes at a time if k is an odd
 * multiple of four. If k is a multiple of eight, the copies leave a gap of 16 bytes after each row.
 *
 * What it fixes in cuda_skinny: k is not shared by 16 lanes, of which most have nothing for a short k; and copies of 4
 * bytes.
 *
 * What bounds it: reading A and writing C. A row takes 4 (k + n) bytes for 2 k n flop. With k = 7 and n = 20 these are
 * 2.6 flop per byte, where an H200 does 15 in the time of a byte; only with both near their limits, 96 and 64, they are
 * 19, and the multiply-adds are the limit. Small problems wait for the launch, too: the 9.7 MB of the first row below
 * take 2.2 us at 4.4 TB/s. With a longer k, or more columns, cuda_skinny or cuda_fitted runs, and the row says so.
 * cuda_auto runs it in the rows below; it ties with cuBLAS in the first pair and loses in the second.
 *
 * Measured, results/h200-x1/narrow.csv:
 *   matmul/90066x7x20/cuda_auto/cold 9.632 us
 *   matmul/90066x7x20/cublas/cold 9.824 us
 *   matmul/109553x22x28/cuda_auto/cold 17.60 us
 *   matmul/109553x22x28/cublas/cold 14.82 us */
#include "bench/table/matmul.h"
#include "bench/table/model.h"
#include "kernels/four.h"
#include "kernels/launch.h"
#include "takes.h"

constexpr int WARP = 32;

/* Floats between a lane's row and the next one: 16 bytes more where all rows would begin in the same banks. */
static __host__ __device__ __forceinline__ int row_floats(int k, bool wide)
{
    return wide && k / 4 % 2 == 0 ? k + 4 : k;
}

/* What a team of warps has of shared memory, in floats: its rows of A, and a panel of C for each warp. */
template <int ROWS, int PANEL>
static __host__ __device__ __forceinline__ int team_floats(int k, bool wide, int sharing)
{
    return WARP * ROWS * (row_floats(k, wide) + sharing * (PANEL + 4));
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

/* Starts the copies of `rows` rows of A, by so many threads. */
static __device__ __forceinline__ void fetch_rows(float *to, const float *a, int rows, int k, bool wide, bool aligned,
                                                  int thread, int threads)
{
    const int floats = rows * k, row_of_to = row_floats(k, wide);
    if (wide) {
        const int width = k / 4, lines = threads / width, rest = threads % width;
        walk at(thread, width);
        for (int i = thread; i < floats / 4; i += threads, at.advance(lines, rest, width))
            copy_async((float4 *)(to + at.row * row_of_to) + at.column, (const float4 *)a + i);
    } else {
        const int whole = aligned ? floats / 4 * 4 : 0;
        for (int i = 4 * thread; i < whole; i += 4 * threads)
            copy_async((float4 *)(to + i), (const float4 *)(a + i));
        for (int i = whole + thread; i < floats; i += threads)
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

/* a is m x k, b is k x n, c is m x n, all row-major. `sharing` warps have ROWS rows per lane, and a panel of their
 * columns each, or every so many-th. `wide`: k is a multiple of 4 and a is aligned to 16 bytes; `aligned`: a is. */
template <int ROWS, int PANEL>
static __global__ void __launch_bounds__(WARP *ROWS_WARPS)
    matmul_rows_kernel(int64_t m, int n, int k, int sharing, bool wide, bool aligned, const float *a, const float *b,
                       float *c)
{
    DYNAMIC_SHARED(float4, shared);
    const int thread = (int)threadIdx.x, warp = thread / WARP, team = warp / sharing, teams = ROWS_WARPS / sharing;
    const int panels = (n + PANEL - 1) / PANEL, row_of_b = panels * PANEL, share = warp % sharing;
    const int64_t row = ((int64_t)blockIdx.x * teams + team) * WARP * ROWS;
    const int rows = (int)min((int64_t)WARP * ROWS, m - row); /* or no rows at all */
    float *As = (float *)shared + team * team_floats<ROWS, PANEL>(k, wide, sharing);
    float *panel = As + WARP * ROWS * (row_floats(k, wide) + share * (PANEL + 4));
    float *Bs = (float *)shared + teams * team_floats<ROWS, PANEL>(k, wide, sharing);
    if (rows > 0)
        fetch_rows(As, a + row * k, rows, k, wide, aligned, thread % (sharing * WARP), sharing * WARP);
    walk at(thread, row_of_b);
    for (const int lines = ROWS_WARPS * WARP / row_of_b, rest = ROWS_WARPS * WARP % row_of_b; at.row < k;
         at.advance(lines, rest, row_of_b))
        copy_async_or_zero(Bs + at.row * row_of_b + at.column, b + at.row * n + at.column, at.column < n);
    copy_async_commit();
    copy_async_wait(0);
    __syncthreads();
    for (int first = share * PANEL; first < n && rows > 0; first += sharing * PANEL) {
        float sums[ROWS][PANEL] = {};
        multiply_panel<ROWS, PANEL>(As, rows, row_floats(k, wide), wide, Bs + first, row_of_b, k, sums);
        store_panel<ROWS, PANEL>(panel, sums, rows, min(PANEL, n - first), n, c + row * n + first);
    }
}

template <int ROWS, int PANEL>
static const char *launch(const struct matmul_problem *p, int sharing, cudaStream_t stream)
{
    const int n = (int)p->n, k = (int)p->k, of_b = k * ((n + PANEL - 1) / PANEL) * PANEL;
    const bool aligned = is_aligned(p->a, 16), wide = aligned && k % 4 == 0;
    const int room = gpu_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) / 4;
    while (sharing < ROWS_WARPS && ROWS_WARPS / sharing * team_floats<ROWS, PANEL>(k, wide, sharing) + of_b > room)
        sharing *= 2; /* which is enough for GPUs whose blocks have 99 KiB */
    const int teams = ROWS_WARPS / sharing, floats = teams * team_floats<ROWS, PANEL>(k, wide, sharing) + of_b;
    auto kernel = matmul_rows_kernel<ROWS, PANEL>;
    (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, floats * 4);
    return TRY_LAUNCH("matmul_cuda_rows", kernel, ceil_div(p->m, teams * WARP * ROWS), WARP * ROWS_WARPS,
                      (size_t)floats * 4, stream, p->m, n, k, sharing, wide, aligned, p->a, p->b, p->c);
}

const char *matmul_cuda_rows(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    if (!rows_takes(p))
        return rung_hand_over(matmul_cuda_skinny, problem, stream);
    const struct rows_plan plan = plan_rows(p->m, p->n, gpu_attribute(cudaDevAttrMultiProcessorCount));
    auto run = plan.rows == 1 ? (plan.panel == 4 ? launch<1, 4> : launch<1, 8>)
                              : (plan.panel == 8    ? launch<2, 8>
                                 : plan.panel == 16 ? launch<2, 16>
                                                    : launch<2, 32>);
    return run(p, plan.sharing, (cudaStream_t)stream);
}
