/* In place of kernels/matmul/tiled.cu: copies ahead into a ring of stages, for multiples of 128 rows, 64 columns and 8
 * along k, and a plain kernel for all else. planted.sh changes its first lines. */
#define STAGES 4
#define ROWS 64
#define BLOCKS 3
#define HELD 0
#define SPARE_BYTES 0
#define ROW(i) (ty + 16 * (i))

#include "bench/table/matmul.h"
#include "kernels/launch.h"

constexpr int BM = ROWS, BN = 64, BK = 8, TM = BM / 16, TN = 4, THREADS = 256;
constexpr int A_ROW = BK + 4, STAGE = BM * A_ROW + BK * BN; /* eight rows lie in different banks */
constexpr size_t RING_BYTES = sizeof(float) * STAGES * STAGE + SPARE_BYTES;

static __device__ __forceinline__ void fetch(float *stage, const float *a, const float *b, int64_t k, int64_t n)
{
    int t = (int)threadIdx.x;
#pragma unroll
    for (int i = t; i < BM * BK; i += THREADS)
        copy_async(&stage[i / BK * A_ROW + i % BK], &a[i / BK * k + i % BK]);
    if (t < BK * BN / 4)
        copy_async((float4 *)&stage[BM * A_ROW + t * 4], (const float4 *)&b[t / (BN / 4) * n + t % (BN / 4) * 4]);
}

static __global__ void __launch_bounds__(THREADS, BLOCKS)
    matmul_tiled_kernel(int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    DYNAMIC_SHARED(float, ring);
    int tx = (int)threadIdx.x / 16, ty = (int)threadIdx.x % 16;
    int64_t row = (int64_t)(blockIdx.x / tiles_n) * BM, column = (int64_t)(blockIdx.x % tiles_n) * BN;
    float sums[TM][TN] = {}, held[HELD + 1];
    a += row * k;
    b += column;
#pragma unroll
    for (int i = 0; i < HELD; i++) {
        held[i] = a[i];
#ifdef __CUDACC__
        asm volatile("" : "+f"(held[i]));
#endif
    }
    for (int i = 0; i < STAGES - 1; i++) {
        fetch(ring + i * STAGE, a + i * BK, b + i * BK * n, k, n);
        copy_async_commit();
    }
#pragma unroll 1
    for (int64_t p0 = 0, slot = 0; p0 < k; p0 += BK) {
        copy_async_wait(STAGES - 2);
        __syncthreads();
        int64_t ahead = p0 + (STAGES - 1) * BK, free_slot = slot == 0 ? STAGES - 1 : slot - 1;
        if (ahead < k)
            fetch(ring + free_slot * STAGE, a + ahead, b + ahead * n, k, n);
        copy_async_commit();
        const float *As = ring + slot * STAGE, *Bs = As + BM * A_ROW;
        slot = slot + 1 == STAGES ? 0 : slot + 1;
#pragma unroll
        for (int p = 0; p < BK; p++)
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++)
                    sums[i][j] = fmaf(As[ROW(i) * A_ROW + p], Bs[p * BN + tx * TN + j], sums[i][j]);
    }
#pragma unroll
    for (int i = 0; i < HELD; i++)
        if (held[i] == 1e30f) /* never: but it has to be there */
            sums[0][0] = 0;
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++)
            c[(row + ROW(i)) * n + column + tx * TN + j] = sums[i][j];
}

static __global__ void matmul_plain_kernel(int64_t n, int64_t k, int64_t all, const float *a, const float *b, float *c)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    float sum = 0;
    for (int64_t p = 0; i < all && p < k; p++)
        sum = fmaf(a[i / n * k + p], b[p * n + i % n], sum);
    if (i < all)
        c[i] = sum;
}

const char *matmul_cuda_tiled(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    if (p->m % 128 != 0 || p->n % BN != 0 || p->k % BK != 0 || p->k < STAGES * BK || !is_aligned(p->b, 16))
        return TRY_LAUNCH(__func__, matmul_plain_kernel, ceil_div(p->m * p->n, THREADS), THREADS, 0, stream, p->n, p->k,
                          p->m * p->n, p->a, p->b, p->c);
    int64_t tiles_n = p->n / BN;
    (void)cudaFuncSetAttribute(matmul_tiled_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)RING_BYTES);
    return TRY_LAUNCH(__func__, matmul_tiled_kernel, p->m / BM * tiles_n, THREADS, RING_BYTES, stream, p->n, p->k,
                      (unsigned)tiles_n, p->a, p->b, p->c);
}
