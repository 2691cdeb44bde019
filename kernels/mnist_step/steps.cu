/* mnist_step cuda_steps: as cuda_naive, with rungs that are made for these shapes.
 *
 * Technique: the products of a small batch are cuda_split of matmul, which splits each sum across a block, and
 * cuda_small of the gradients, whose blocks wait for memory once. A large batch is long and narrow: cuda_skinny,
 * cuda_stream and cuda_split. The kernels between the products are those of cuda_naive.
 *
 * What it fixes in cuda_naive: the long chains of additions in its products.
 *
 * What bounds it: launches. What one kernel writes the next reads, after it has waited for all of it. The 26 Mflop of
 * the row below would take less than half a microsecond, its 1 MB less than that.
 *
 * Measured, results/h200-x1/network.csv:
 *   mnist_step/mnist-step-64/cuda_steps/cold 39.20 us
 *   mnist_step/mnist-step-64/cuda_steps/cold ceiling_pct 9.96 % */
#include "by_products.h"

const char *mnist_step_cuda_steps(const void *problem, void *stream)
{
    const struct mnist_step_problem *p = (const struct mnist_step_problem *)problem;
    struct activations of;
    TRY_CALL(get_activations(p, 0, &of));
    const product_by_rungs small = {matmul_cuda_split, matmul_grad_a_cuda_small, matmul_grad_b_cuda_small};
    const product_by_rungs large = {matmul_cuda_skinny, matmul_grad_a_cuda_stream, matmul_grad_b_cuda_split};
    return step_by_products(__func__, p->batch <= SMALL_BATCH ? small : large, p, &of, (cudaStream_t)stream);
}
