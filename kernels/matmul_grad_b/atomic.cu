/* matmul_grad_b cuda_atomic: m split across blocks, their sums added by atomic operations.
 *
 * Technique: dB is small and its sums are long. So the rows of A and dC are cut into parts, one per multiprocessor, and
 * each block sums its part for all of dB in registers (parts.h). At the end it adds its sums to dB in memory, with one
 * atomicAdd() per element, which the L2 cache carries out. dB is set to zero before.
 *
 * What it fixes in cuda_naive: that one has a thread per element of dB, and so few that most of the GPU is idle. Here
 * all multiprocessors read A, and each element of A is read once.
 *
 * What it costs: the order in which the blocks arrive is not fixed, and neither are the last bits of the sums: two
 * calls with the same input may differ. cuda_split adds up in a fixed order.
 *
 * What bounds it: reading A, if dC is narrow: 157 of 159 MB in the row below, 38 us at 4.2 TB/s.
 *
 * Measured, results/h200-x1/network.csv:
 *   matmul_grad_b/mnist-grad/cuda_atomic/cold 54.48 us
 *   matmul_grad_b/mnist-grad/cuda_atomic/cold ceiling_pct 68.5 % */
#include "parts.h"

/* a is m x k, dc is m x n, db is k x n, all row-major. db is zero. */
template <int BN, bool WIDE>
static __global__ void __launch_bounds__(THREADS_MAX)
    matmul_grad_b_atomic_kernel(int64_t m, int64_t n, int64_t k, unsigned panels_k, unsigned panels_n, int quads,
                                int64_t part_rows, const float *a, const float *dc, float *db)
{
    part_place place = part_place_of<BN>(blockIdx.x, m, n, panels_k, panels_n, quads, part_rows);
    sum_part<BN, WIDE>(place, n, k, a, dc,
                       [=](int64_t row, int64_t column, float sum) { atomicAdd(&db[row * n + column], sum); });
}

struct atomic_launch {
    const char *rung;
    cudaStream_t stream;

    template <int BN, bool WIDE>
    const char *run(const struct matmul_grad_b_problem *p) const
    {
        part_grid grid = part_grid_of(p, BN, ROWS_OF<BN>, p->m);
        int64_t blocks = grid.parts * grid.panels_k * grid.panels_n;
        (void)cudaMemsetAsync(p->db, 0, (size_t)p->k * (size_t)p->n * sizeof(float), stream);
        return TRY_LAUNCH(rung, (matmul_grad_b_atomic_kernel<BN, WIDE>), blocks, (unsigned)grid.threads, 0, stream,
                          p->m, p->n, p->k, (unsigned)grid.panels_k, (unsigned)grid.panels_n, grid.quads, grid.rows,
                          p->a, p->dc, p->db);
    }
};

const char *matmul_grad_b_cuda_atomic(const void *problem, void *stream)
{
    return launch_width((const struct matmul_grad_b_problem *)problem, atomic_launch{__func__, (cudaStream_t)stream});
}
