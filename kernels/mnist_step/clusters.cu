/* mnist_step cuda_clusters: as cuda_steps, with products whose sums are split across the blocks of clusters.
 *
 * Technique: the wide products of a small batch are cuda_cluster of matmul, those of a large one cuda_fitted; blocks of
 * a cluster share the additions of an element. Products of a few columns are cuda_split, which splits them across a
 * block. The gradient of the weights is a product with a transposed factor. For a large batch it is transposed first:
 * then the rung of matmul that suits the shape is there for it, too. A small batch has cuda_small of the gradients as
 * it is.
 *
 * What it fixes in cuda_steps: its products have few blocks for a large batch. The gradient of the hidden layer has a
 * long row of few elements: cuda_naive of matmul_grad_a.
 *
 * What bounds it: launches, as in cuda_steps.
 *
 * Measured, results/h200-x1/network.csv:
 *   mnist_step/mnist-step-64/cuda_clusters/cold 34.05 us
 *   mnist_step/mnist-step-64/cuda_clusters/cold ceiling_pct 11.5 % */
#include "bench/table/transpose.h"
#include "by_products.h"

constexpr int64_t NARROW = 16; /* columns that leave a tile of cuda_fitted empty for the most part */

namespace
{ /* the simulated twin has its own */
struct product_by_clusters {
    bool small_batch;
    float *transposed; /* room for A of a large batch */

    const char *operator()(cudaStream_t stream, bool a_transposed, bool b_transposed, int64_t m, int64_t n, int64_t k,
                           const float *a, const float *b, float *c) const
    {
        rung_function *wide = small_batch ? matmul_cuda_cluster : matmul_cuda_fitted;
        const product_by_rungs product = {n <= NARROW ? matmul_cuda_split : wide,
                                          small_batch ? matmul_grad_a_cuda_small : matmul_grad_a_cuda_naive,
                                          matmul_grad_b_cuda_small};
        if (!a_transposed || small_batch)
            return product(stream, a_transposed, b_transposed, m, n, k, a, b, c);
        const struct transpose_problem turn = {k, m, a, transposed};
        TRY_CALL(rung_run_part(transpose_cuda_vector, &turn, stream));
        return product(stream, false, b_transposed, m, n, k, transposed, b, c);
    }
};
} // namespace

const char *mnist_step_cuda_clusters(const void *problem, void *stream)
{
    const struct mnist_step_problem *p = (const struct mnist_step_problem *)problem;
    const bool small_batch = p->batch <= SMALL_BATCH;
    struct activations of;
    const size_t floats = small_batch ? 0 : (size_t)p->batch * (size_t)max(p->inputs, p->hidden);
    TRY_CALL(get_activations(p, floats, &of));
    return step_by_products(__func__, product_by_clusters{small_batch, of.more}, p, &of, (cudaStream_t)stream);
}
