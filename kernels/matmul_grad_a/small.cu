/* matmul_grad_a cuda_small: for a small batch. All of dC and B that a block needs is in shared memory at once.
 *
 *                B^T  k                 A block has a tile of 16 x 32 of dA: it needs 16 rows of dC and 32 rows of
 *              +--+---+-+               B, up to 128 numbers each. It starts all of these copies, waits once, and
 *            n |  |###| |               then only multiplies. A thread has four elements of a row of dA, 8
 *              +--+---+-+               columns apart.
 *     dC   n   +--+---+-+
 *    +--------+|  |   | |
 *  m |########||  |###| |
 *    +--------++--+---+-+ dA
 *
 * Technique: rows of dC and of B are both read along n, so a thread takes four neighbours of each with one load of 16
 * bytes: 5 loads for 16 multiply-adds. Rows in shared memory have four elements more than they need; so the 8 rows of B
 * that lanes side by side read lie in different banks. n of more than 128 takes a turn for each 128.
 *
 * What it fixes in cuda_naive: rows of B are read in full lines, and there is one wait for memory. In cuda_stream rows
 * of B lie in registers, which hold 16 numbers of each.
 *
 * What bounds it: latency: of the launch, of one wait for memory, and of the stores. The large batch below is not what
 * it is for: each of 78,125 blocks waits, where memory would take 38 us, 159 MB at 4.2 TB/s.
 *
 * Measured, results/h200-x1/network.csv:
 *   matmul_grad_a/mnist-grad/cuda_small/cold 914.0 us
 *   matmul_grad_a/mnist-grad/cuda_small/cold ceiling_pct 4.09 % */
#include "bench/table/matmul_grad_a.h"
#include "kernels/launch.h"
#include "kernels/four.h"

constexpr int BM = 16, BK = 32, DEPTH = 128; /* a tile of dA; numbers of each row in shared memory */
constexpr int TK = 4, LANES_K = BK / TK;     /* elements of a thread, and threads in a row */
constexpr int THREADS = BM * LANES_K, PITCH = DEPTH / 4 + 1;

/* Copies `depth` numbers of each of `rows` rows; zeros elsewhere in ROWS rows of DEPTH. */
template <bool WIDE, int ROWS, typename Tile>
static __device__ __forceinline__ void fetch(Tile tile, const float *from, int64_t n, int rows, int depth)
{
    constexpr int UNIT = WIDE ? 4 : 1, UNITS = DEPTH / UNIT;
    float *flat = &tile[0][0].x;
    for (int i = (int)threadIdx.x; i < ROWS * UNITS; i += THREADS) {
        int row = i / UNITS, p = i % UNITS * UNIT;
        float *to = &flat[row * 4 * PITCH + p];
        const float *address = &from[row * n + p];
        bool there = row < rows && p < depth;
        if (WIDE)
            copy_async_or_zero((float4 *)to, (const float4 *)address, there);
        else
            copy_async_or_zero(to, address, there);
    }
}

static __device__ __forceinline__ float dot(float4 x, float4 y, float sum)
{
    return fmaf(x.w, y.w, fmaf(x.z, y.z, fmaf(x.y, y.y, fmaf(x.x, y.x, sum))));
}

/* dc is m x n, b is k x n, da is m x k, all row-major. da is tiles_k tiles wide. WIDE: n is a multiple of 4, and dc and
 * b are aligned to 16 bytes. */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS)
    matmul_grad_a_small_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_k, const float *dc, const float *b,
                               float *da)
{
    __shared__ float4 Cs[BM][PITCH];
    __shared__ float4 Bs[BK][PITCH];
    int tk = (int)threadIdx.x % LANES_K, tm = (int)threadIdx.x / LANES_K;
    int64_t row = (int64_t)(blockIdx.x / tiles_k) * BM, column = (int64_t)(blockIdx.x % tiles_k) * BK;
    int rows = (int)min(m - row, (int64_t)BM), columns = (int)min(k - column, (int64_t)BK);
    float sums[TK] = {};
    for (int64_t begin = 0; begin < n; begin += DEPTH) {
        int depth = (int)min(n - begin, (int64_t)DEPTH);
        fetch<WIDE, BM>(Cs, dc + row * n + begin, n, rows, depth);
        fetch<WIDE, BK>(Bs, b + column * n + begin, n, columns, depth);
        copy_async_commit();
        copy_async_wait(0);
        __syncthreads();
#pragma unroll 8
        for (int q = 0; q < DEPTH / 4; q++) {
            float4 x = Cs[tm][q];
#pragma unroll
            for (int i = 0; i < TK; i++)
                sums[i] = dot(x, Bs[tk + i * LANES_K][q], sums[i]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TK; i++)
        if (tm < rows && tk + i * LANES_K < columns)
            da[(row + tm) * k + column + tk + i * LANES_K] = sums[i];
}

const char *matmul_grad_a_cuda_small(const void *problem, void *stream)
{
    const struct matmul_grad_a_problem *p = (const struct matmul_grad_a_problem *)problem;
    int64_t tiles_k = ceil_div(p->k, BK), tiles = ceil_div(p->m, BM) * tiles_k;
    bool wide = p->n % 4 == 0 && is_aligned(p->dc, 16) && is_aligned(p->b, 16);
    auto kernel = wide ? matmul_grad_a_small_kernel<true> : matmul_grad_a_small_kernel<false>;
    return TRY_LAUNCH(__func__, kernel, tiles, THREADS, 0, stream, p->m, p->n, p->k, (unsigned)tiles_k, p->dc, p->b,
                      p->da);
}
