/* mnist_step cuda_naive: each operation by the kernel that one writes first.
 *
 * Technique: the five products are cuda_naive of matmul, matmul_grad_a and matmul_grad_b, one thread per element. What
 * lies between them has a small kernel each (by_products.h): bias and ReLU, softmax, the update with the sums for the
 * biases. The GPU's memory holds all that passes from one to the next.
 *
 * What it fixes in the CPU rungs: every operation has a thread per element, or per row.
 *
 * What bounds it: the products, each element of which is one long chain of additions; and nine launches, each of
 * which waits for the one before and does little.
 *
 * Measured, results/h200-x1/network.csv:
 *   mnist_step/mnist-step-64/cuda_naive/cold 272.9 us
 *   mnist_step/mnist-step-64/cuda_naive/cold ceiling_pct 1.43 % */
#include "by_products.h"

const char *mnist_step_cuda_naive(const void *problem, void *stream)
{
    const struct mnist_step_problem *p = (const struct mnist_step_problem *)problem;
    struct activations of;
    TRY_CALL(get_activations(p, 0, &of));
    const product_by_rungs product = {matmul_cuda_naive, matmul_grad_a_cuda_naive, matmul_grad_b_cuda_naive};
    return step_by_products(__func__, product, p, &of, (cudaStream_t)stream);
}
