/* reduce_rows cub: NVIDIA's library of parallel building blocks, which the ladder is compared with.
 *
 * Technique: cub::DeviceReduce::Sum for a single row, cub::DeviceSegmentedReduce::Sum for several, one segment per row.
 * CUB is headers alone: its kernels are compiled here, for the types of this call. A first call asks how much memory it
 * needs; the workspace is kept.
 *
 * What bounds it: memory, where rows are long: 1.1 GB in the row below, 230 us at 4.6 TB/s.
 *
 * Measured, results/h200-x1/network.csv:
 *   reduce_rows/large/cub/cold 242.8 us
 *   reduce_rows/large/cub/cold ceiling_pct 96.7 % */
#include "bench/table/reduce_rows.h"
#include "kernels/launch.h"
#include "kernels/workspace.h"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

/* Where row i begins. */
struct row_begin {
    int64_t n;

    __host__ __device__ int64_t operator()(int64_t i) const
    {
        return i * n;
    }
};

/* Without memory, only sets `bytes` to what it needs. */
static cudaError_t sum_rows(const struct reduce_rows_problem *p, void *memory, size_t *bytes, cudaStream_t stream)
{
    if (p->m == 1)
        return cub::DeviceReduce::Sum(memory, *bytes, p->x, p->y, p->n, stream);
    auto begin = thrust::make_transform_iterator(thrust::make_counting_iterator<int64_t>(0), row_begin{p->n});
    return cub::DeviceSegmentedReduce::Sum(memory, *bytes, p->x, p->y, p->m, begin, begin + 1, stream);
}

const char *reduce_rows_cub(const void *problem, void *stream)
{
    const struct reduce_rows_problem *p = (const struct reduce_rows_problem *)problem;
    size_t bytes = 0;
    void *memory;
    if (sum_rows(p, NULL, &bytes, (cudaStream_t)stream) != cudaSuccess)
        return launch_error(__func__);
    TRY_CALL(workspace_get(bytes, &memory));
    (void)sum_rows(p, memory, &bytes, (cudaStream_t)stream); /* launch_error() has its error */
    return launch_error(__func__);
}
