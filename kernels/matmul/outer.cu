/* matmul cuda_outer: for a short k, where the work is to write C.
 *
 * Technique: a sum of outer products, one for each step along k. A thread has eight rows of C by four columns in
 * registers. For each step it takes four neighbours of a row of B and eight elements of a column of A straight from
 * memory, where all but the first to ask find them in a cache. There is no stage to fill and no barrier. A row of a
 * tile is 8, 16 or 32 threads wide, so that a narrow C leaves few without columns.
 *
 * Its four columns are those whose elements of C share 16 bytes, so that a row is stored 16 bytes at a time wherever it
 * begins. With n = 7, row 1 begins one float before a multiple of 16 bytes, row 2 two, and row 4 at one, as row 0 does.
 * Rows four apart begin alike, so a thread has every fourth row, and others those between:
 *
 *      16 bytes of C  | 0 0 0 0 | 0 0 0 1 | 1 1 1 1 | 1 1 2 2 | 2 2 2 2 | 2 3 3 3 | 3 3 3 3 | 4 4 4 4 | ...
 *      columns of     0 1 2 3   4 5 6 0   1 2 3 4   5 6 0 1   2 3 4 5   6 0 1 2   3 4 5 6   0 1 2 3      (n = 7)
 *
 * What it fixes in cuda_fitted: there a block waits for its first stage, however short k is, and where rows begin
 * anywhere it stores 4 bytes per thread.
 *
 * What bounds it: stores to C. Of the 30 MB of the row below, 7 us at 4.4 TB/s, nearly all are C; cuda_auto runs this
 * rung there. With more than a few steps, the wait for what each loads.
 *
 * Measured, results/h200-x1/general.csv:
 *   matmul/11152x2x673/cuda_auto/cold 14.43 us
 *   matmul/11152x2x673/cublas/cold 16.93 us */
#include "bench/table/matmul.h"
#include "bench/table/model.h"
#include "kernels/four.h"
#include "kernels/launch.h"

constexpr int ALIKE = 4, TN = OUTER_COLUMNS, ROWS = OUTER_EACH;
static_assert(TN == 4, "a thread stores 16 bytes");
static_assert(OUTER_THREADS / 32 % ALIKE == 0, "rows of a tile begin in each of the ways");

/* a is m x k, b is k x n, c is m x n, all row-major. LANES share a row of a tile. c is tiles_n tiles wide, of which the
 * first may begin before it. */
template <int LANES>
static __global__ void __launch_bounds__(OUTER_THREADS, OUTER_BLOCKS)
    matmul_outer_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    const int lane = (int)threadIdx.x % LANES, line = (int)threadIdx.x / LANES;
    const int64_t first_row = (int64_t)(blockIdx.x / tiles_n) * (OUTER_THREADS / LANES * ROWS);
    const int64_t first = first_row + line / ALIKE * (ALIKE * ROWS) + line % ALIKE; /* of the thread's rows */
    const int64_t before = (int64_t)((size_t)(c + first * n) / sizeof(float) % TN);
    const int64_t column = ((int64_t)(blockIdx.x % tiles_n) * LANES + lane) * TN - before;
    const float *from_a[ROWS];
    float sums[ROWS][TN] = {};
#pragma unroll
    for (int i = 0; i < ROWS; i++) /* the last row stands for those beyond */
        from_a[i] = a + min(first + i * ALIKE, m - 1) * k;
#pragma unroll 4
    for (int64_t p = 0; p < k; p++) {
        float y[TN];
#pragma unroll
        for (int j = 0; j < TN; j++)
            y[j] = column + j >= 0 && column + j < n ? b[p * n + column + j] : 0.0f;
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const float x = from_a[i][p];
#pragma unroll
            for (int j = 0; j < TN; j++)
                sums[i][j] = fmaf(x, y[j], sums[i][j]);
        }
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int64_t row = first + i * ALIKE;
        float *to = c + row * n + column;
        if (row >= m)
            return;
        if (column >= 0 && column + TN <= n)
            store_four<true>(to, pack(sums[i]), TN);
        else
#pragma unroll
            for (int j = 0; j < TN; j++)
                if (column + j >= 0 && column + j < n)
                    to[j] = sums[i][j];
    }
}

const char *matmul_cuda_outer(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    const bool wide = p->n % 4 == 0 && is_aligned(p->c, 16);
    const struct outer_plan plan = plan_outer(p->m, p->n, wide);
    auto kernel = plan.lanes == 8    ? matmul_outer_kernel<8>
                  : plan.lanes == 16 ? matmul_outer_kernel<16>
                                     : matmul_outer_kernel<32>;
    return TRY_LAUNCH(__func__, kernel, plan.blocks, OUTER_THREADS, 0, stream, p->m, p->n, p->k, (unsigned)plan.tiles_n,
                      p->a, p->b, p->c);
}
