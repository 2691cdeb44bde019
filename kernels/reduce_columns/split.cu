/* reduce_columns cuda_split: loads of four columns, blocks shaped like the matrix, and a fixed order.
 *
 * Technique: as many blocks as the multiprocessors hold at a time cut the matrix into parts (parts.h). The sums of the
 * parts are a matrix with the same columns and few rows, which the same kernel sums in a second launch. It is an early
 * one (kernels/device.h): its blocks wait for the end of the first launch, not for the time that a launch takes after
 * it.
 *
 * What it fixes in cuda_atomic: a quarter of the loads, and many more bytes in flight. No atomic operation:
 * the order depends on the sizes and the GPU alone.
 *
 * What it costs: the second launch, of few blocks, begins when the first has ended.
 *
 * What bounds it: reading x, 4 bytes per element: 1.1 GB in the row below, 230 us at 4.6 TB/s. Small problems are bound
 * by the launches.
 *
 * Measured, results/h200-x1/network.csv:
 *   reduce_columns/large/cuda_split/cold 243.2 us
 *   reduce_columns/large/cuda_split/cold ceiling_pct 96.6 % */
#include "kernels/workspace.h"
#include "parts.h"

constexpr int FINAL_WIDTH = 8;
constexpr int BLOCKS = 2, THREADS = BLOCKS * THREADS_MAX; /* that a multiprocessor is to hold at a time */
static_assert(FINAL_WIDTH * HEIGHT <= THREADS_MAX, "a block has the threads");

/* x is m x n, in `panels` panels of columns and so many parts; y has a row of sums for each part. WIDE: rows of x are
 * aligned. */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS_MAX, BLOCKS)
    reduce_columns_split_kernel(int m, int64_t n, unsigned panels, int parts, const float *x, float *y)
{
    wait_for_last_launch();
    allow_early_launch();
    place p = place_of(n, panels);
    float4 sum = sum_of_part<WIDE>(m, n, p, parts, x);
    if (threadIdx.y == 0)
        store_four<false>(y + p.part * n + p.column, sum, p.there);
}

static auto kernel_for(int64_t n, const float *x)
{
    return is_wide(n, x) ? reduce_columns_split_kernel<true> : reduce_columns_split_kernel<false>;
}

const char *reduce_columns_cuda_split(const void *problem, void *stream)
{
    const struct reduce_columns_problem *p = (const struct reduce_columns_problem *)problem;
    int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount);
    cut c = cut_of(p->m, p->n, WIDTH, multiprocessors, THREADS);
    void *sums = p->y;
    if (c.parts > 1)
        TRY_CALL(workspace_get((size_t)(c.parts * p->n) * sizeof(float), &sums));
    LAUNCH(kernel_for(p->n, p->x), (unsigned)(c.panels * c.parts), dim3((unsigned)c.width, (unsigned)c.height), 0,
           (cudaStream_t)stream, (int)p->m, p->n, (unsigned)c.panels, (int)c.parts, p->x, (float *)sums);
    if (c.parts > 1) {
        cut f = cut_of(c.parts, p->n, FINAL_WIDTH, 0, 0);
        LAUNCH_EARLY(kernel_for(p->n, (const float *)sums), (unsigned)f.panels,
                     dim3((unsigned)f.width, (unsigned)f.height), 0, (cudaStream_t)stream, (int)c.parts, p->n,
                     (unsigned)f.panels, 1, (const float *)sums, p->y);
    }
    return launch_error(__func__);
}
