/* matmul cuda_skinny_tensor: tensor cores multiply, A streams through a ring buffer, B stays in registers.
 *
 *                       ring in shared memory          steps of 16 along k
 *      A, 16 rows  ->  | stage 0 | stage 1 | stage 2 |    0  1  2  3  4  5  6  7  8 ...
 *      at a time            |                             w0 w1 w2 w3 w4 w5 w6 w0 w1 ... the warp that takes a step,
 *                           +-> part of A x part of B                                    and has its rows of B
 *                               in the registers of 7 warps -> 7 sums for each element -> added up -> C
 *
 * Technique: three ideas, each against one of the waits of cuda_skinny.
 *
 * A ring buffer. There is one block per multiprocessor, which runs to the end. One of its threads starts bulk copies of
 * A into shared memory, BM whole rows each; such rows are contiguous in A and in a stage of the ring. The copies run by
 * themselves: they hold no registers and no other thread takes part. While the warps work on one stage, the next ones
 * fill up. A barrier that counts bytes tells when a stage is full.
 *
 * Tensor cores. The product is C^T = B^T A^T, because an instruction takes 16 rows by 8 columns, and B has fewer
 * columns than A has rows. FP32 results come from TF32 by splitting each factor in two (factor_parts.h). That takes
 * three instructions instead of one, and still fewer than FFMAs would. The instruction sums over k itself: no shuffles.
 *
 * B in registers. The warps share k: each takes every WARPS-th step of 16, and keeps its part of B, already split, all
 * the time. So shared memory has to deliver A alone. The warps add up their sums through shared memory, with one
 * barrier per BM rows.
 *
 * The order of k is free as long as A and B agree. A lane loads a float4 of A, four neighbours in a row; the first two
 * are factors of one instruction, the last two of the next. So A is read 16 bytes at a time.
 *
 * What it fixes in cuda_skinny: the warps that multiply no longer wait for memory, except at the start.
 *
 * What bounds it: device memory, 159 MB in the row below, 38 us at 4.2 TB/s, and what does not overlap with it: loading
 * B at the start, multiplying the last rows at the end. Other shapes run cuda_skinny or cuda_fitted: a k below STEP,
 * above K_MAX or not a multiple of 4, a wider B, an A that is not aligned to 16 bytes. So do GPUs with too little
 * shared memory. The row then says so.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   matmul/mnist/cuda_skinny_tensor/cold 43.78 us
 *   matmul/mnist/cublas/cold 72.66 us */
#include "bench/table/matmul.h"
#include "hopper.h"
#include "kernels/launch.h"
#include "kernels/mma.h"
#include "factor_parts.h"
#include "takes.h"

constexpr int WARP = 32, WARPS = 7, THREADS = WARPS * WARP;
constexpr int FRAGMENT = 8, WIDEST = 16; /* rows of A and columns of B that an instruction takes */
constexpr int FRAGMENTS = 2, BM = FRAGMENTS * FRAGMENT;
constexpr int STEP = 16; /* along k: four lanes share a row, with one float4 each */
constexpr int STEPS = 7; /* per warp */
constexpr int K_MAX = WARPS * STEPS * STEP;
constexpr int STAGES = 3; /* at K_MAX, 150 KB are on their way */
constexpr int SHARED_BYTES_MAX = (STAGES * BM * K_MAX + 2 * WARPS * BM * WIDEST) * (int)sizeof(float) + 64;
static_assert(SHARED_BYTES_MAX <= 227 * 1024, "a block has at most 227 KiB");
static_assert(WIDEST == SKINNY_TENSOR_WIDEST && STEP == SKINNY_TENSOR_STEP && K_MAX == SKINNY_TENSOR_K_MAX &&
                  SHARED_BYTES_MAX == SKINNY_TENSOR_SHARED_BYTES,
              "it takes what it says");

/* A warp's part of B, in the layout of the instruction: two instructions per step. */
struct part_of_b {
    uint32_t high[STEPS][2][4], low[STEPS][2][4];
};

/* b is k x n; zeros outside it. */
static __device__ void load_part(part_of_b &part, int n, int k, int warp, int r, int c, const float *b)
{
#pragma unroll
    for (int s = 0; s < STEPS; s++)
#pragma unroll
        for (int i = 0; i < 8; i++) {
            int p = STEP * (warp + WARPS * s) + 4 * c + i / 2, column = r + i % 2 * 8;
            tf32_pair pair = tf32_split(p < k && column < n ? b[p * n + column] : 0.0f);
            part.high[s][i / 4][i % 4] = pair.high;
            part.low[s][i / 4][i % 4] = pair.low;
        }
}

/* The warp's part of B times BM rows of A: one result of 16 columns by 8 rows per FRAGMENT rows. `row` is the lane's
 * row in the first of these. */
static __device__ void multiply(const part_of_b &part, int k, int warp, int c, const float *row,
                                float (&sums)[FRAGMENTS][4])
{
    float high_low[FRAGMENTS][4] = {}, low_high[FRAGMENTS][4] = {};
#pragma unroll
    for (int s = 0; s < STEPS; s++) {
        int p = STEP * (warp + WARPS * s) + 4 * c;
#pragma unroll
        for (int f = 0; f < FRAGMENTS; f++) {
            float4 four = p < k ? *(const float4 *)&row[f * FRAGMENT * k + p] : make_float4(0, 0, 0, 0);
            tf32_pair x[4] = {tf32_split(four.x), tf32_split(four.y), tf32_split(four.z), tf32_split(four.w)};
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const tf32_pair &x0 = x[2 * i], &x1 = x[2 * i + 1];
                mma_tf32(sums[f], part.high[s][i], x0.high, x1.high);
                mma_tf32(high_low[f], part.high[s][i], x0.low, x1.low);
                mma_tf32(low_high[f], part.low[s][i], x0.high, x1.high);
            }
        }
    }
#pragma unroll
    for (int f = 0; f < FRAGMENTS; f++)
#pragma unroll
        for (int i = 0; i < 4; i++)
            sums[f][i] += high_low[f][i] + low_high[f][i];
}

/* a is m x k, b is k x n, c is m x n, all row-major. n <= WIDEST, k <= K_MAX, and k is a multiple of 4. */
static __global__ void __launch_bounds__(THREADS, 1)
    matmul_skinny_tensor_kernel(int64_t m, int n, int k, const float *a, const float *b, float *c)
{
    __shared__ uint64_t filled[STAGES];
    __shared__ float shares[2][WARPS][BM * WIDEST];
    DYNAMIC_SHARED(float, ring);
    int warp = (int)threadIdx.x / WARP, lane = (int)threadIdx.x % WARP, lane_row = lane / 4, lane_k = lane % 4;
    int64_t tiles = (m + BM - 1) / BM;
    auto fetch = [&](int64_t tile, int stage) {
        if (tile < tiles && threadIdx.x == 0)
            copy_bulk(ring + stage * BM * k, a + tile * BM * k,
                      (uint32_t)min(m - tile * BM, (int64_t)BM) * (uint32_t)k * 4, &filled[stage]);
    };
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++)
            barrier_make(&filled[stage], 1);
        barriers_made();
    }
    for (int stage = 0; stage < STAGES; stage++)
        fetch(blockIdx.x + (int64_t)stage * gridDim.x, stage);
    part_of_b part;
    load_part(part, n, k, warp, lane_row, lane_k, b);
    __syncthreads();
    int stage = 0, turn = 0;
    uint32_t phase = 0;
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        float sums[FRAGMENTS][4] = {};
        barrier_wait(&filled[stage], phase);
        multiply(part, k, warp, lane_k, ring + (stage * BM + lane_row) * k, sums);
#pragma unroll
        for (int f = 0; f < FRAGMENTS; f++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                int row = f * FRAGMENT + 2 * lane_k + i % 2, column = lane_row + i / 2 * 8;
                if (column < n)
                    shares[turn][warp][row * n + column] = sums[f][i];
            }
        __syncthreads(); /* now all shares are stored, and all warps have read the stage */
        fetch(tile + (int64_t)STAGES * gridDim.x, stage);
        for (int i = (int)threadIdx.x; i < BM * n; i += THREADS) {
            float sum = 0;
#pragma unroll
            for (int w = 0; w < WARPS; w++)
                sum += shares[turn][w][i];
            if (tile * BM * n + i < m * n)
                c[tile * BM * n + i] = sum;
        }
        turn ^= 1; /* two buffers: the next turn need not wait until this one is read */
        stage = (stage + 1) % STAGES;
        phase ^= stage == 0;
    }
}

const char *matmul_cuda_skinny_tensor(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int64_t tiles = ceil_div(p->m, BM);
    int blocks = gpu_attribute(cudaDevAttrMultiProcessorCount);
    int shared_bytes = gpu_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    if (!skinny_tensor_takes(p, shared_bytes))
        return rung_hand_over(matmul_cuda_skinny, problem, stream);
    int ring_bytes = STAGES * BM * (int)p->k * (int)sizeof(float);
    (void)cudaFuncSetAttribute(matmul_skinny_tensor_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ring_bytes);
    return TRY_LAUNCH(__func__, matmul_skinny_tensor_kernel, min(tiles, (int64_t)blocks), THREADS, (size_t)ring_bytes,
                      stream, p->m, (int)p->n, (int)p->k, p->a, p->b, p->c);
}
