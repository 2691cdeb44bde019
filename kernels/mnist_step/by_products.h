/* The step as five products of matrices, and a small kernel for each operation between them: nine launches. The
 * gradient of the weights lies where the updated ones will be. A rung includes this with the products that it has. */
#pragma once

#include "bench/table/matmul.h"
#include "bench/table/matmul_grad_a.h"
#include "bench/table/matmul_grad_b.h"
#include "kernels/launch.h"
#include "step.h"

constexpr int STEP_THREADS = 256;                           /* one per element */
constexpr int WARPS = 8;                                    /* one per image */
constexpr int COLUMNS = 8, SHARES = STEP_THREADS / COLUMNS; /* of a sum over the batch: per block, threads per column */
static_assert(STEP_THREADS % COLUMNS == 0, "a block has as many threads for each column");
static_assert(MNIST_STEP_ELEMENTS_MAX <= GRID_X_MAX && MNIST_STEP_ACTIVATIONS_MAX <= GRID_X_MAX,
              "a grid has a thread for each element");

/* z becomes relu(z + bias), row by row. */
static __global__ void add_bias_and_relu_kernel(int elements, int columns, const float *bias, float *z)
{
    int e = (int)blockIdx.x * STEP_THREADS + threadIdx.x;
    if (e < elements)
        z[e] = fmaxf(z[e] + bias[e % columns], 0);
}

/* Each row of z becomes softmax(z + bias) * (the sum of its labels) - its labels. One warp per row. */
static __global__ void softmax_gradient_kernel(int rows, int columns, const float *bias, const float *labels, float *z)
{
    int row = (int)blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows)
        return;
    for (int c = threadIdx.x % 32; c < columns; c += 32)
        z[row * columns + c] += bias[c];
    softmax_gradient(columns, labels + row * columns, z + row * columns);
}

static __global__ void back_through_relu_kernel(int elements, const float *output, float *gradient)
{
    int e = (int)blockIdx.x * STEP_THREADS + threadIdx.x;
    if (e < elements && output[e] <= 0)
        gradient[e] = 0;
}

/* Updates what is one block's of a layer: weights, whose gradient lies in `updated`, or, in the blocks behind theirs,
 * biases. The gradient of a bias is the sum of its column of `gradient`, batch x outputs. Without STEPS the gradients
 * of biases come to lie in `updated`, too, and that is all. */
template <bool STEPS>
static __device__ void update_layer(int block, int batch, int weights, int outputs, float rate, const float *gradient,
                                    const float *parameters, float *updated)
{
    __shared__ float shares[SHARES][COLUMNS];
    const int tid = (int)threadIdx.x, weight_blocks = STEPS ? (weights - 1) / STEP_THREADS + 1 : 0;
    if (block < weight_blocks) {
        const int e = block * STEP_THREADS + tid;
        if (e < weights)
            updated[e] = parameters[e] - rate * updated[e];
        return;
    }
    const int column = (block - weight_blocks) * COLUMNS + tid % COLUMNS;
    float sum = 0;
    if (column < outputs)
#pragma unroll 8 /* loads in flight */
        for (int row = tid / COLUMNS; row < batch; row += SHARES)
            sum += gradient[row * outputs + column];
    shares[tid / COLUMNS][tid % COLUMNS] = sum;
    __syncthreads();
    if (tid >= COLUMNS || column >= outputs)
        return;
    for (int share = 1; share < SHARES; share++)
        sum += shares[share][tid];
    updated[weights + column] = STEPS ? parameters[weights + column] - rate * sum : sum;
}

/* Blocks from `first_blocks` on have the second layer, whose parameters begin at `second`. */
template <bool STEPS>
/* cppcheck-suppress passedByValue ; a kernel takes its arguments by value */
static __global__ void update_kernel(const struct mnist_step_problem p, const struct activations of, int second,
                                     int first_blocks, float rate)
{
    const int block = (int)blockIdx.x;
    if (block < first_blocks)
        update_layer<STEPS>(block, p.batch, p.inputs * p.hidden, p.hidden, rate, of.hidden_gradient, p.parameters,
                            p.updated);
    else
        update_layer<STEPS>(block - first_blocks, p.batch, p.hidden * p.classes, p.classes, rate, of.class_gradient,
                            p.parameters + second, p.updated + second);
}

static inline unsigned blocks_for(int elements, int of)
{
    return (unsigned)ceil_div(elements, of);
}

/* Updates all parameters, or sums up the gradients of the biases. */
template <bool STEPS>
static const char *update(const char *rung, const struct mnist_step_problem *p, const struct activations *of,
                          cudaStream_t stream)
{
    const unsigned first_weights = STEPS ? blocks_for(p->inputs * p->hidden, STEP_THREADS) : 0;
    const unsigned second_weights = STEPS ? blocks_for(p->hidden * p->classes, STEP_THREADS) : 0;
    const unsigned first_blocks = first_weights + blocks_for(p->hidden, COLUMNS);
    const unsigned second_blocks = second_weights + blocks_for(p->classes, COLUMNS);
    return TRY_LAUNCH(rung, update_kernel<STEPS>, first_blocks + second_blocks, STEP_THREADS, 0, stream, *p, *of,
                      mnist_step_second(p), (int)first_blocks, MNIST_STEP_RATE / (float)p->batch);
}

/* All but the gradient of the first layer's weights, which is X^T times hidden_gradient. `product` queues C = A B, C m
 * x n, all row-major; a transposed factor lies as A^T, k x m, or as B^T, n x k: const char *product(stream,
 * a_transposed, b_transposed, m, n, k, a, b, c). */
template <typename Product>
static const char *most_products(const char *rung, Product product, const struct mnist_step_problem *p,
                                 const struct activations *of, cudaStream_t stream)
{
    const int batch = p->batch, hidden_units = batch * p->hidden, bias1 = p->inputs * p->hidden;
    const int second = mnist_step_second(p), bias2 = second + p->hidden * p->classes;
    const float *weights = p->parameters;

    TRY_CALL(product(stream, false, false, batch, p->hidden, p->inputs, p->images, weights, of->hidden));
    LAUNCH(add_bias_and_relu_kernel, blocks_for(hidden_units, STEP_THREADS), STEP_THREADS, 0, stream, hidden_units,
           p->hidden, weights + bias1, of->hidden);
    TRY_CALL(
        product(stream, false, false, batch, p->classes, p->hidden, of->hidden, weights + second, of->class_gradient));
    LAUNCH(softmax_gradient_kernel, blocks_for(batch, WARPS), WARPS * 32, 0, stream, batch, p->classes, weights + bias2,
           p->labels, of->class_gradient);
    TRY_CALL(product(stream, true, false, p->hidden, p->classes, batch, of->hidden, of->class_gradient,
                     p->updated + second));
    TRY_CALL(product(stream, false, true, batch, p->hidden, p->classes, of->class_gradient, weights + second,
                     of->hidden_gradient));
    return TRY_LAUNCH(rung, back_through_relu_kernel, blocks_for(hidden_units, STEP_THREADS), STEP_THREADS, 0, stream,
                      hidden_units, of->hidden, of->hidden_gradient);
}

template <typename Product>
static const char *step_by_products(const char *rung, Product product, const struct mnist_step_problem *p,
                                    const struct activations *of, cudaStream_t stream)
{
    TRY_CALL(most_products(rung, product, p, of, stream));
    TRY_CALL(product(stream, true, false, p->inputs, p->hidden, p->batch, p->images, of->hidden_gradient, p->updated));
    return update<true>(rung, p, of, stream);
}

constexpr int SMALL_BATCH = 64; /* rows that cuda_small of the gradients has in shared memory at once */

/* Such products by rungs of matmul and its gradients. */
struct product_by_rungs {
    rung_function *matmul, *grad_a, *grad_b;

    const char *operator()(cudaStream_t stream, bool a_transposed, bool b_transposed, int64_t m, int64_t n, int64_t k,
                           const float *a, const float *b, float *c) const
    {
        const struct matmul_grad_b_problem by_b = {k, m, n, a, b, c};
        const struct matmul_grad_a_problem by_a = {m, n, k, a, b, c};
        const struct matmul_problem forward = {m, k, n, a, b, c};
        return a_transposed   ? rung_run_part(grad_b, &by_b, stream)
               : b_transposed ? rung_run_part(grad_a, &by_a, stream)
                              : rung_run_part(matmul, &forward, stream);
    }
};
