/* matmul_batched cuda_shared: one block per product, whose factors are in shared memory.
 *
 * Technique: small factors need no tiles. A block copies both of its product whole to shared memory, in the order in
 * which they lie, waits once, and computes elements of C, each thread every 256th.
 *
 * What it fixes in cuda_grid: each element of A and B is loaded once from global memory, with full lines, and all other
 * loads are from shared memory. There is no barrier in the loop along k.
 *
 * What bounds it: shared memory: two loads for each multiply-add, where a load takes the time of four. With few
 * products, as below, latency: the launch and the wait for the factors. Where a product has fewer elements than the
 * block has threads, some are idle. Factors of more than 48 KiB together are left to cuda_grid.
 *
 * Measured, results/h200-x1/network.csv:
 *   matmul_batched/256-of-28x28/cuda_shared/cold 9.440 us
 *   matmul_batched/256-of-28x28/cuda_shared/cold ceiling_pct 42.4 % */
#include "bench/table/matmul_batched.h"
#include "kernels/launch.h"

constexpr int THREADS = 256, FLOATS_MAX = 12288; /* of both factors */
static_assert(FLOATS_MAX * sizeof(float) <= 48 * 1024, "more shared memory must be asked for");

static __device__ __forceinline__ void copy(float *to, const float *from, int count)
{
    for (int i = (int)threadIdx.x; i < count; i += THREADS)
        to[i] = from[i];
}

/* a is batch x m x k, b is batch x k x n, c is batch x m x n. */
static __global__ void __launch_bounds__(THREADS)
    matmul_batched_shared_kernel(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c)
{
    DYNAMIC_SHARED(float, As);
    int columns = (int)n, depth = (int)k;
    float *Bs = As + (int)m * depth;
    int64_t product = blockIdx.x;
    copy(As, a + product * m * k, (int)(m * k));
    copy(Bs, b + product * k * n, (int)(k * n));
    __syncthreads();
    for (int element = (int)threadIdx.x; element < m * n; element += THREADS) {
        int row = element / columns, column = element % columns;
        float sum = 0;
        for (int p = 0; p < depth; p++)
            sum = fmaf(As[row * depth + p], Bs[p * columns + column], sum);
        c[product * m * n + element] = sum;
    }
}

const char *matmul_batched_cuda_shared(const void *problem, void *stream)
{
    const struct matmul_batched_problem *p = (const struct matmul_batched_problem *)problem;
    int64_t floats = (p->m + p->n) * p->k;
    if (floats > FLOATS_MAX)
        return rung_hand_over(matmul_batched_cuda_grid, problem, stream);
    return TRY_LAUNCH(__func__, matmul_batched_shared_kernel, p->batch, THREADS, (size_t)floats * sizeof(float), stream,
                      p->m, p->n, p->k, p->a, p->b, p->c);
}
