/* mnist_step cublas: NVIDIA's products, which the ladder is compared with.
 *
 * Technique: as cuda_steps, with cublasSgemm for each of the five products and the same kernels between them.
 *
 * What bounds it: launches, as in cuda_steps: products of this size take a few microseconds each.
 *
 * Measured, results/h200-x1/network.csv:
 *   mnist_step/mnist-step-64/cublas/cold 51.17 us
 *   mnist_step/mnist-step-64/cublas/cold ceiling_pct 7.63 % */
#include "by_products.h"
#include "kernels/cublas_sgemm.h"

const char *mnist_step_cublas(const void *problem, void *stream)
{
    const struct mnist_step_problem *p = (const struct mnist_step_problem *)problem;
    struct activations of;
    TRY_CALL(get_activations(p, 0, &of));
    return step_by_products(__func__, cublas_sgemm, p, &of, (cudaStream_t)stream);
}
