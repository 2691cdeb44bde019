/* reduce_columns cuda_vector: the loads of cuda_split, and its sums of parts added by atomic operations on four
 * columns.
 *
 * Technique: half as many blocks as in cuda_split, so there are fewer parts (parts.h), and each adds its row of sums to
 * y. From sm_90 on, one atomic operation adds four floats. A small kernel sets y to zero before; the large one is an
 * early launch (kernels/device.h): it reads x meanwhile, and waits for the end of the small one only when it has sums
 * to add.
 *
 * What it fixes in cuda_split: nothing follows the last load but the addition of one row per part. The second launch of
 * cuda_split, which reads the sums of the parts, comes last; this one comes first, where it costs nothing.
 *
 * What it costs: the order in which parts arrive is not fixed, and neither are the last bits of the sums.
 *
 * What bounds it: reading x, 4 bytes per element: 1.1 GB in the row below, 230 us at 4.6 TB/s. Small problems are bound
 * by the launches.
 *
 * Measured, results/h200-x1/network.csv:
 *   reduce_columns/large/cuda_vector/cold 241.4 us
 *   reduce_columns/large/cuda_vector/cold ceiling_pct 97.3 % */
#include "parts.h"

constexpr int ZERO_THREADS = 256;
constexpr int BLOCKS = 1; /* of THREADS_MAX threads, that a multiprocessor is to hold at a time */
static_assert(RUNG_SIZE_MAX + ZERO_THREADS <= INT32_MAX, "32 bits hold the number of a column");

static __global__ void reduce_columns_vector_zero_kernel(int n, float *y)
{
    int column = (int)blockIdx.x * ZERO_THREADS + (int)threadIdx.x;
    allow_early_launch();
    if (column < n)
        y[column] = 0;
}

/* x is m x n, in `panels` panels of columns and so many parts. WIDE: rows of x are aligned. Where it is not told that
 * so few blocks will do, nvcc saves registers, and the loads wait for each other. */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS_MAX, BLOCKS)
    reduce_columns_vector_kernel(int m, int64_t n, unsigned panels, int parts, const float *x, float *y)
{
    place p = place_of(n, panels);
    float4 sum = sum_of_part<WIDE>(m, n, p, parts, x);
    wait_for_last_launch();
    if (threadIdx.y == 0)
        add_four(y + p.column, sum, p.there);
}

const char *reduce_columns_cuda_vector(const void *problem, void *stream)
{
    const struct reduce_columns_problem *p = (const struct reduce_columns_problem *)problem;
    int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount);
    cut c = cut_of(p->m, p->n, WIDTH, multiprocessors, BLOCKS * THREADS_MAX);
    auto kernel = is_wide(p->n, p->x) ? reduce_columns_vector_kernel<true> : reduce_columns_vector_kernel<false>;
    LAUNCH(reduce_columns_vector_zero_kernel, (unsigned)ceil_div(p->n, ZERO_THREADS), ZERO_THREADS, 0,
           (cudaStream_t)stream, (int)p->n, p->y);
    LAUNCH_EARLY(kernel, (unsigned)(c.panels * c.parts), dim3((unsigned)c.width, (unsigned)c.height), 0,
                 (cudaStream_t)stream, (int)p->m, p->n, (unsigned)c.panels, (int)c.parts, p->x, p->y);
    return launch_error(__func__);
}
