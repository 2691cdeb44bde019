/* matmul cuda_split: for small C: all threads of a block work on one row of C, and share k.
 *
 * Technique: where C has fifty elements, a thread for each is fifty of the 270,000 that an H200 can have, and
 * each has 784 multiplications to do, one after the other. But a sum can be split: thread (lane, column) takes every
 * `lanes`th product of its element. That is `lanes` times as many threads, with that much less to do each. A row of up
 * to 32 columns takes a block; neighbouring threads have neighbouring columns, so B is read as it lies. A thread has
 * its loads on the way all at once, BATCH of each matrix, before it multiplies: memory is waited for once and not for
 * each product. Then the partial sums meet in shared memory, and are added up in two rounds, up to GROUPS threads a
 * column in the first.
 *
 * What it fixes in cuda_tiled and cuda_skinny: on small problems these have one block, or a few, and long chains.
 *
 * What bounds it: the way to the second-level cache and back, which is waited for once; two barriers; the launch. On
 * larger problems the traffic: each row of C reads all of B again.
 *
 * Measured: matmul/mnist-valid5/cuda_split/graph 2.444 us (results/h200/mnist.csv) */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/launch.h"

#include <math.h>

constexpr int THREADS = 640, WIDEST = 32, GROUPS = 16;
constexpr int BATCH = 13; /* with 640 threads, one batch is enough for k = 784 and ten columns */
static_assert(THREADS <= 1024, "a block has at most 1024 threads");

/* a is m x k, b is k x n, c is m x n, all row-major; C is `panels` panels of `width` columns wide, and a block has
 * `lanes` threads for each column. */
static __global__ void __launch_bounds__(THREADS)
    matmul_split_kernel(int64_t n, int64_t k, int width, int lanes, unsigned panels, const float *a, const float *b,
                        float *c)
{
    SHARED_ARRAY(float, products, THREADS);
    SHARED_ARRAY(float, sums, GROUPS, WIDEST);
    int thread = (int)threadIdx.x, tx = thread % width, lane = thread / width, groups = min(lanes, GROUPS);
    int64_t row = blockIdx.x / panels, column = (int64_t)(blockIdx.x % panels) * width + tx;
    float sum = 0;
    if (column < n) {
        const float *from_a = a + row * k + lane, *from_b = b + lane * n + column;
        for (int64_t left = k - lane; left > 0; left -= BATCH * lanes) {
            float x[BATCH], y[BATCH];
#pragma unroll
            for (int i = 0; i < BATCH; i++) {
                x[i] = i * lanes < left ? *from_a : 0.0f;
                y[i] = i * lanes < left ? *from_b : 0.0f;
                from_a += lanes;
                from_b += lanes * n;
            }
#pragma unroll
            for (int i = 0; i < BATCH; i++)
                sum = fmaf(x[i], y[i], sum);
        }
    }
    products[thread] = sum;
    __syncthreads();
    if (lane < groups) {
        sum = 0;
        for (int i = lane; i < lanes; i += groups)
            sum += products[i * width + tx];
        sums[lane][tx] = sum;
    }
    __syncthreads();
    if (lane == 0 && column < n) {
        sum = 0;
        for (int i = 0; i < groups; i++)
            sum += sums[i][tx];
        c[row * n + column] = sum;
    }
}

const char *matmul_cuda_split(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int width = (int)min(p->n, (int64_t)WIDEST), lanes = (int)min(ceil_div(p->k, BATCH), (int64_t)THREADS / width);
    int64_t panels = ceil_div(p->n, width), blocks = p->m * panels;
    const char *error = grid_x_error(__func__, blocks);
    if (error)
        return error;
    LAUNCH(matmul_split_kernel, (unsigned)blocks, (unsigned)(width * lanes), 0, (cudaStream_t)stream, p->n, p->k, width,
           lanes, (unsigned)panels, p->a, p->b, p->c);
    return launch_error(__func__);
}
