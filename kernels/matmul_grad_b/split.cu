/* matmul_grad_b cuda_split: m split across blocks, their sums added by a second kernel in a fixed order.
 *
 * Technique: the blocks sum parts of the rows, as in cuda_atomic (parts.h). But each writes its sums to a place of its
 * own. A second kernel then adds up the parts of each element: 8 threads share the parts, and a tree adds their 8 sums.
 * The order depends on the sizes and the GPU alone, so the same input gives the same bits each time.
 *
 * What it fixes in cuda_atomic: the answer that changes from call to call. And nothing has to be zeroed before.
 *
 * What it costs: the parts are written and read again, 4 bytes per element of dB and part, most of it in the L2 cache;
 * and a second launch.
 *
 * What bounds it: reading A, if dC is narrow: 157 of 159 MB in the row below, 38 us at 4.2 TB/s.
 *
 * Measured, results/h200-x1/network.csv:
 *   matmul_grad_b/mnist-grad/cuda_split/cold 54.24 us
 *   matmul_grad_b/mnist-grad/cuda_split/cold ceiling_pct 68.8 % */
#include "parts.h"

constexpr int64_t SUMS_MAX = 4 << 20; /* 16 MiB */
static __device__ float part_sums[SUMS_MAX];

constexpr int COLUMNS = 32, LANES = 8; /* of the second kernel: elements per block, threads per element */

/* a is m x k, dc is m x n, all row-major. Each part of the sums is k x n; with a single part they are db itself. */
template <int BN, bool WIDE>
static __global__ void __launch_bounds__(THREADS_MAX)
    matmul_grad_b_split_kernel(int64_t m, int64_t n, int64_t k, unsigned panels_k, unsigned panels_n, int quads,
                               int64_t part_rows, const float *a, const float *dc, float *db)
{
    part_place place = part_place_of<BN>(blockIdx.x, m, n, panels_k, panels_n, quads, part_rows);
    float *sums = part_rows < m ? part_sums + place.row / part_rows * k * n : db;
    sum_part<BN, WIDE>(place, n, k, a, dc,
                       [=](int64_t row, int64_t column, float sum) { sums[row * n + column] = sum; });
}

static __global__ void matmul_grad_b_split_add_kernel(int64_t parts, int64_t elements, float *db)
{
    __shared__ float shares[LANES][COLUMNS];
    int64_t element = (int64_t)blockIdx.x * COLUMNS + threadIdx.x;
    int lane = (int)threadIdx.y;
    float sum = 0;
    if (element < elements)
#pragma unroll 8 /* loads in flight */
        for (int64_t part = lane; part < parts; part += LANES)
            sum += part_sums[part * elements + element];
    shares[lane][threadIdx.x] = sum;
    for (int half = LANES / 2; half > 0; half /= 2) {
        __syncthreads();
        if (lane < half)
            shares[lane][threadIdx.x] += shares[lane + half][threadIdx.x];
    }
    if (lane == 0 && element < elements)
        db[element] = shares[0][threadIdx.x];
}

struct split_launch {
    const char *rung;
    cudaStream_t stream;

    template <int BN, bool WIDE>
    const char *run(const struct matmul_grad_b_problem *p) const
    {
        int64_t elements = p->k * p->n, parts_max = elements <= SUMS_MAX ? SUMS_MAX / elements : 1;
        part_grid grid = part_grid_of(p, BN, ROWS_OF<BN>, parts_max);
        int64_t blocks = grid.parts * grid.panels_k * grid.panels_n;
        const char *error = TRY_LAUNCH(rung, (matmul_grad_b_split_kernel<BN, WIDE>), blocks, (unsigned)grid.threads, 0,
                                       stream, p->m, p->n, p->k, (unsigned)grid.panels_k, (unsigned)grid.panels_n,
                                       grid.quads, grid.rows, p->a, p->dc, p->db);
        if (error || grid.parts == 1)
            return error;
        return TRY_LAUNCH(rung, matmul_grad_b_split_add_kernel, ceil_div(elements, COLUMNS), dim3(COLUMNS, LANES), 0,
                          stream, grid.parts, elements, p->db);
    }
};

const char *matmul_grad_b_cuda_split(const void *problem, void *stream)
{
    return launch_width((const struct matmul_grad_b_problem *)problem, split_launch{__func__, (cudaStream_t)stream});
}
