/* matmul_grad_a cuda_stream: for a narrow dC. A thread keeps its rows of B in registers and writes column after column
 * of dA.
 *
 *              dC        B^T in registers         dA
 *           +------+   +----+----+----+----+     +----+----+----+----+
 *    row -> | N    | x |    |    |    |    |  =  |    |    |    |    | -> one store of 16 bytes per thread
 *           +------+   +----+----+----+----+     +----+----+----+----+
 *       read by all     thread 0, 1, 2, ...       each writes 4 columns
 *
 * Technique: dA has as many columns as B has rows, and each needs one row of B, N numbers. A thread takes four columns
 * and keeps their 4 N numbers of B in registers to the end. For each row of dA it reads the row of dC from shared
 * memory, the same address in all lanes, multiplies, and stores 16 bytes; lanes side by side store neighbours. Stores
 * are not waited for, so nothing has to be read ahead but dC, a chunk of rows at a time.
 *
 * What it fixes in cuda_naive: B is read once per block, and neighbours in a row of dC with one load.
 *
 * What bounds it: writing dA, if dC is narrow: 157 of 159 MB in the row below, 38 us at 4.2 TB/s. A dC of more than 16
 * columns runs cuda_small; the row then says `= cuda_small`.
 *
 * Measured, results/h200-x1/network.csv:
 *   matmul_grad_a/mnist-grad/cuda_stream/cold 52.86 us
 *   matmul_grad_a/mnist-grad/cuda_stream/cold ceiling_pct 70.6 % */
#include "bench/table/matmul_grad_a.h"
#include "kernels/launch.h"
#include "kernels/four.h"

constexpr int THREADS = 256, WIDEST = 16;
constexpr int CHUNK = 64;                     /* rows of dC in shared memory */
constexpr int PART_MIN = 16, PART_MAX = 1024; /* rows of a block */
constexpr int BLOCKS = 3;                     /* per multiprocessor: some load while others store */

/* dc is m x n, b is k x n, da is m x k, all row-major; n <= BN. A block has `quads` threads side by side, with four
 * columns each, and part_rows rows. WIDE: rows of da are aligned to 16 bytes; else a thread's columns lie `quads`
 * apart, so that lanes side by side store neighbours. */
template <int BN, bool WIDE>
static __global__ void __launch_bounds__(THREADS)
    matmul_grad_a_stream_kernel(int64_t m, int64_t n, int64_t k, unsigned panels, int quads, int64_t part_rows,
                                const float *dc, const float *b, float *da)
{
    constexpr int PITCH = (BN + 3) / 4 * 4;
    __shared__ float4 dCs[CHUNK][PITCH / 4];
    float *flat = &dCs[0][0].x;
    int thread = (int)threadIdx.x, quad = thread % quads, group = thread / quads, groups = THREADS / quads;
    int64_t first = (int64_t)(blockIdx.x % panels) * 4 * quads, begin = blockIdx.x / panels * part_rows;
    int64_t end = min(begin + part_rows, m);
    auto column_of = [&](int e) { return first + (WIDE ? 4 * quad + e : quad + e * quads); };
    float w[4][BN];
#pragma unroll
    for (int e = 0; e < 4; e++)
#pragma unroll
        for (int j = 0; j < BN; j++)
            w[e][j] = column_of(e) < k && j < n ? b[column_of(e) * n + j] : 0.0f;
    for (; begin < end; begin += CHUNK) {
        int rows = (int)min(end - begin, (int64_t)CHUNK);
        for (int i = thread; i < rows * BN; i += THREADS)
            copy_async_or_zero(&flat[i / BN * PITCH + i % BN], &dc[(begin + i / BN) * n + i % BN], i % BN < n);
        copy_async_commit();
        copy_async_wait(0);
        __syncthreads();
        for (int row = group; row < rows && group < groups; row += groups) {
            float x[PITCH], sums[4] = {};
#pragma unroll
            for (int j = 0; j < BN; j += 4)
                unpack(dCs[row][j / 4], &x[j]);
#pragma unroll
            for (int e = 0; e < 4; e++)
#pragma unroll
                for (int j = 0; j < BN; j++)
                    sums[e] = fmaf(x[j], w[e][j], sums[e]);
            float *to = da + (begin + row) * k;
            if (WIDE)
                store_four<true>(to + column_of(0), pack(sums), column_of(0) < k ? 4 : 0);
#pragma unroll
            for (int e = 0; e < 4; e++)
                if (!WIDE && column_of(e) < k)
                    to[column_of(e)] = sums[e];
        }
        __syncthreads();
    }
}

template <int BN, bool WIDE>
static const char *launch(const char *rung, const struct matmul_grad_a_problem *p, cudaStream_t stream)
{
    int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount);
    int64_t quads = ceil_div(p->k, 4), panels = ceil_div(quads, THREADS);
    int64_t parts = ceil_div((int64_t)multiprocessors * BLOCKS, panels), rows = ceil_div(p->m, parts);
    rows = rows < PART_MIN ? PART_MIN : rows > PART_MAX ? PART_MAX : rows;
    int64_t blocks = ceil_div(p->m, rows) * panels;
    return TRY_LAUNCH(rung, (matmul_grad_a_stream_kernel<BN, WIDE>), blocks, THREADS, 0, stream, p->m, p->n, p->k,
                      (unsigned)panels, (int)ceil_div(quads, panels), rows, p->dc, p->b, p->da);
}

template <int BN>
static const char *launch(const char *rung, const struct matmul_grad_a_problem *p, cudaStream_t stream)
{
    bool is_wide = p->k % 4 == 0 && is_aligned(p->da, 16);
    return is_wide ? launch<BN, true>(rung, p, stream) : launch<BN, false>(rung, p, stream);
}

const char *matmul_grad_a_cuda_stream(const void *problem, void *stream)
{
    const struct matmul_grad_a_problem *p = (const struct matmul_grad_a_problem *)problem;
    if (p->n > WIDEST)
        return rung_hand_over(matmul_grad_a_cuda_small, problem, stream);
    return p->n <= 4    ? launch<4>(__func__, p, (cudaStream_t)stream)
           : p->n <= 10 ? launch<10>(__func__, p, (cudaStream_t)stream) /* MNIST has ten digits */
                        : launch<WIDEST>(__func__, p, (cudaStream_t)stream);
}
