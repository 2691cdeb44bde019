// Each thread computes 4 x 4 elements of C in registers, so that what it loads from shared memory serves four
// multiply-adds. In the form of the project's own rungs: sizes have 64 bits, and the words of kernels/device.h stand
// for launches and shared memory.
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/launch.h"

constexpr int BM = 64, BN = 32, BK = 16; // a block's tile of C, and how far it goes along k at a time
constexpr int TM = 4, TN = 4;            // a thread's part of the tile
constexpr int THREADS = (BM / TM) * (BN / TN);
static_assert(BM * BK % THREADS == 0 && BK * BN % THREADS == 0, "all threads load as much");

// a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide.
static __global__ void __launch_bounds__(THREADS)
    registers_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    __shared__ float As[BK][BM + 1];
    __shared__ float Bs[BK][BN];
    int64_t first_row = (int64_t)(blockIdx.x / tiles_n) * BM, first_column = (int64_t)(blockIdx.x % tiles_n) * BN;
    int thread = (int)threadIdx.x, ty = thread / (BN / TN), tx = thread % (BN / TN);
    float sum[TM][TN] = {};
    for (int64_t p0 = 0; p0 < k; p0 += BK) {
        for (int e = thread; e < BM * BK; e += THREADS) {
            int64_t row = first_row + e / BK, p = p0 + e % BK;
            As[e % BK][e / BK] = row < m && p < k ? a[row * k + p] : 0.0f;
        }
        for (int e = thread; e < BK * BN; e += THREADS) {
            int64_t p = p0 + e / BN, column = first_column + e % BN;
            Bs[e / BN][e % BN] = p < k && column < n ? b[p * n + column] : 0.0f;
        }
        __syncthreads();
        for (int p = 0; p < BK; p++)
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] = fmaf(As[p][ty * TM + i], Bs[p][tx + j * (BN / TN)], sum[i][j]);
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            int64_t row = first_row + ty * TM + i, column = first_column + tx + j * (BN / TN);
            if (row < m && column < n)
                c[row * n + column] = sum[i][j];
        }
}

const char *matmul_registers(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int64_t tiles_n = ceil_div(p->n, BN), tiles = ceil_div(p->m, BM) * tiles_n;
    const char *error = grid_x_error(__func__, tiles);
    if (error)
        return error;
    LAUNCH(registers_kernel, (unsigned)tiles, THREADS, 0, (cudaStream_t)stream, p->m, p->n, p->k, (unsigned)tiles_n,
           p->a, p->b, p->c);
    return launch_error(__func__);
}
