/* mnist_step cuda_fused: the whole step in two kernels.
 *
 * Technique: the first kernel takes an image, or four, from its pixels to the gradient by its hidden units. All that it
 * needs on the way lies in shared memory: pixels, hidden units, classes. A warp's lanes have neighbouring hidden units,
 * so loads of weights are coalesced; its warps share the pixels, and their sums are added in shared memory. With four
 * images a weight that was loaded serves four times; a small batch has too few images for that. The second kernel
 * multiplies for both layers at once what the first one left, transposed, by the gradients: a block has a tile of
 * parameters and subtracts its sums from them. The bias is the weight of an input that is always 1.
 *
 * What it fixes in cuda_steps: nine launches become two, and only hidden units and gradients pass through memory.
 *
 * What bounds it: latency: of two launches, of the loads of weights, which every block reads, and of the barriers. At
 * this size cuda_steps is faster, with nine launches.
 *
 * Measured, results/h200-x1/network.csv:
 *   mnist_step/mnist-step-64/cuda_fused/cold 43.07 us
 *   mnist_step/mnist-step-64/cuda_steps/cold 39.20 us
 *   mnist_step/mnist-step-64/cuda_fused/cold ceiling_pct 9.06 % */
#include "kernels/launch.h"
#include "step.h"

constexpr int LANES = 32, WARPS = 8, THREADS = WARPS * LANES; /* of the first kernel */
constexpr int SHARED_FLOATS = 4096;                           /* of a block, beside those for sums */

constexpr int TILE = 32, DEPTH = 32, ROWS = 4, TILE_ROWS = TILE / ROWS; /* of the second; a thread has 4 elements */

/* The hidden units of a block's images, to shared memory and to `hidden`. */
template <int IMAGES>
static __device__ __forceinline__ void hidden_layer(const struct mnist_step_problem &p, int first, int images,
                                                    const float *pixels, float *units, float *hidden)
{
    static_assert(IMAGES <= WARPS, "a warp per image adds the sums of all warps");
    __shared__ float sums_of[WARPS][IMAGES][LANES];
    const int lane = (int)threadIdx.x % LANES, warp = (int)threadIdx.x / LANES;
    const float *weights = p.parameters, *bias = weights + p.inputs * p.hidden;
    for (int column = 0; column < p.hidden; column += LANES) {
        const int unit = column + lane;
        float sums[IMAGES] = {};
        if (unit < p.hidden)
#pragma unroll 8 /* loads in flight */
            for (int input = warp; input < p.inputs; input += WARPS) {
                const float weight = weights[input * p.hidden + unit];
                for (int image = 0; image < IMAGES; image++)
                    sums[image] = fmaf(pixels[image * p.inputs + input], weight, sums[image]);
            }
        for (int image = 0; image < IMAGES; image++)
            sums_of[warp][image][lane] = sums[image];
        __syncthreads();
        if (warp < images && unit < p.hidden) {
            float sum = bias[unit];
            for (int other = 0; other < WARPS; other++)
                sum += sums_of[other][warp][lane];
            sum = fmaxf(sum, 0);
            units[warp * p.hidden + unit] = sum;
            hidden[(first + warp) * p.hidden + unit] = sum;
        }
        __syncthreads();
    }
}

/* Writes hidden, hidden_gradient and class_gradient of IMAGES images per block. The second layer's parameters begin at
 * `second`. */
template <int IMAGES>
static __global__ void __launch_bounds__(THREADS)
    /* cppcheck-suppress passedByValue ; a kernel takes its arguments by value */
    mnist_step_fused_gradient_kernel(const struct mnist_step_problem p, const struct activations of, int second)
{
    DYNAMIC_SHARED(float, memory);
    const int tid = (int)threadIdx.x, lane = tid % LANES, warp = tid / LANES;
    const int first = (int)blockIdx.x * IMAGES, images = min(p.batch - first, IMAGES);
    float *pixels = memory, *units = pixels + IMAGES * p.inputs, *logits = units + IMAGES * p.hidden;

    for (int e = tid; e < images * p.inputs; e += THREADS)
        pixels[e] = p.images[first * p.inputs + e];
    __syncthreads();

    hidden_layer<IMAGES>(p, first, images, pixels, units, of.hidden);

    const float *weights = p.parameters + second, *bias = weights + p.hidden * p.classes;
    for (int e = warp; e < images * p.classes; e += WARPS) {
        const int image = e / p.classes, c = e % p.classes;
        float sum = lane == 0 ? bias[c] : 0;
        for (int unit = lane; unit < p.hidden; unit += LANES)
            sum = fmaf(units[image * p.hidden + unit], weights[unit * p.classes + c], sum);
        sum = warp_sum<LANES>(sum);
        if (lane == 0)
            logits[e] = sum;
    }
    __syncthreads();

    if (warp < images)
        softmax_gradient(p.classes, p.labels + (first + warp) * p.classes, logits + warp * p.classes);
    __syncthreads();

    for (int e = tid; e < images * p.classes; e += THREADS)
        of.class_gradient[first * p.classes + e] = logits[e];
    for (int e = tid; e < images * p.hidden; e += THREADS) {
        const int image = e / p.hidden, unit = e % p.hidden;
        float sum = 0;
        if (units[e] > 0)
            for (int c = 0; c < p.classes; c++)
                sum = fmaf(logits[image * p.classes + c], weights[unit * p.classes + c], sum);
        of.hidden_gradient[first * p.hidden + e] = sum;
    }
}

/* A tile of a layer's parameters - rate * [in 1]^T gradient. in is batch x inputs, gradient batch x outputs. */
static __device__ void update_tile(int batch, int inputs, int outputs, int tile, float rate, const float *in,
                                   const float *gradient, const float *parameters, float *updated)
{
    __shared__ float Xs[DEPTH][TILE];
    __shared__ float Gs[DEPTH][TILE];
    const int tiles = (outputs + TILE - 1) / TILE, row = tile / tiles * TILE, column = tile % tiles * TILE;
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    float sums[ROWS] = {};
    for (int begin = 0; begin < batch; begin += DEPTH) {
        const int depth = min(batch - begin, DEPTH);
        for (int d = ty; d < depth; d += TILE_ROWS) {
            const int image = begin + d;
            Xs[d][tx] = row + tx < inputs ? in[image * inputs + row + tx] : 1;
            Gs[d][tx] = column + tx < outputs ? gradient[image * outputs + column + tx] : 0;
        }
        __syncthreads();
#pragma unroll 8
        for (int d = 0; d < depth; d++)
            for (int i = 0; i < ROWS; i++)
                sums[i] = fmaf(Xs[d][ty + i * TILE_ROWS], Gs[d][tx], sums[i]);
        __syncthreads();
    }
    for (int i = 0; i < ROWS; i++) {
        const int parameter = row + ty + i * TILE_ROWS;
        if (parameter <= inputs && column + tx < outputs)
            updated[parameter * outputs + column + tx] = parameters[parameter * outputs + column + tx] - rate * sums[i];
    }
}

/* Blocks from `first_tiles` on have the second layer. */
static __global__ void __launch_bounds__(TILE *TILE_ROWS)
    /* cppcheck-suppress passedByValue ; a kernel takes its arguments by value */
    mnist_step_fused_update_kernel(const struct mnist_step_problem p, const struct activations of, int second,
                                   int first_tiles, float rate)
{
    const int tile = blockIdx.x;
    if (tile < first_tiles)
        update_tile(p.batch, p.inputs, p.hidden, tile, rate, p.images, of.hidden_gradient, p.parameters, p.updated);
    else
        update_tile(p.batch, p.hidden, p.classes, tile - first_tiles, rate, of.hidden, of.class_gradient,
                    p.parameters + second, p.updated + second);
}

static int tiles_of(int inputs, int outputs)
{
    return (int)(ceil_div(inputs + 1, TILE) * ceil_div(outputs, TILE));
}

const char *mnist_step_cuda_fused(const void *problem, void *stream)
{
    const struct mnist_step_problem *p = (const struct mnist_step_problem *)problem;
    int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount);
    const int second = mnist_step_second(p), images = p->batch >= 2 * multiprocessors ? 4 : 1;
    const int floats = p->inputs + p->hidden + p->classes; /* of an image */
    if (floats > SHARED_FLOATS / images)
        return rung_hand_over(mnist_step_cuda_steps, problem, stream);
    struct activations of;
    TRY_CALL(get_activations(p, 0, &of));
    const size_t bytes = (size_t)(images * floats) * sizeof(float);
    auto kernel = images == 4 ? mnist_step_fused_gradient_kernel<4> : mnist_step_fused_gradient_kernel<1>;
    LAUNCH(kernel, (unsigned)ceil_div(p->batch, images), THREADS, bytes, (cudaStream_t)stream, *p, of, second);
    const int first_tiles = tiles_of(p->inputs, p->hidden), tiles = first_tiles + tiles_of(p->hidden, p->classes);
    return TRY_LAUNCH(__func__, mnist_step_fused_update_kernel, tiles, dim3(TILE, TILE_ROWS), 0, stream, *p, of, second,
                      first_tiles, MNIST_STEP_RATE / (float)p->batch);
}
