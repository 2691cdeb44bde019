/* matmul cuda_coalesced: one thread per element of C; neighbouring threads take neighbouring columns.
 *
 * Technique: C is cut into panels of at most 32 columns, as high as C. The 256 threads of a block fill the rows of a
 * panel one after the other, as text fills a page: 8 rows of 32 columns or, where C has only 10 columns (MNIST's
 * digits), 25 rows of 10 and part of the next. So no lane is idle where C is narrower than a warp.
 *
 * What it fixes in cuda_naive: the lanes of a warp have neighbouring columns. Their loads from B and their stores to C
 * fall into one line (they are coalesced). Their loads from A have the same address, which is sent to all lanes at
 * once. The arithmetic and the loop are the same; only the index has changed.
 *
 * What bounds it: instructions. Each multiply-add needs two loads and their 64-bit addresses: the compiler's loop has
 * 37 instructions for four multiply-adds. In the row below 12 million multiply-adds of a warp need 113 million
 * instructions: 110 us for the four schedulers of each of 132 multiprocessors at 1980 MHz, where memory would take 38
 * us. The threads of a block read the same elements of A and B again and again, from the L1 cache if they are lucky.
 * cuda_tiled leaves nothing to luck.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   matmul/mnist/cuda_coalesced/cold 212.4 us */
#include "bench/table/matmul.h"
#include "kernels/launch.h"

constexpr int WARP = 32;
constexpr int THREADS = 256;
static_assert(THREADS % WARP == 0, "a block is whole warps");

/* a is m x k, b is k x n, c is m x n, all row-major. c has `panels` panels of `width` columns; the last one may be
 * narrower. */
static __global__ void matmul_coalesced_kernel(int64_t m, int64_t n, int64_t k, unsigned panels, unsigned width,
                                               const float *a, const float *b, float *c)
{
    /* Neighbouring blocks take the same rows of neighbouring panels, so that A is read from the cache. */
    int64_t element = (int64_t)(blockIdx.x / panels) * THREADS + threadIdx.x;
    int64_t row = element / width;
    int64_t column = (int64_t)(blockIdx.x % panels) * width + element % width;
    if (row >= m || column >= n)
        return;
    float sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum = fmaf(a[row * k + p], b[p * n + column], sum);
    c[row * n + column] = sum;
}

const char *matmul_cuda_coalesced(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int64_t panels = ceil_div(p->n, WARP);
    int64_t width = ceil_div(p->n, panels); /* even panels: 65 columns are 3 x 22, not 32 + 32 + 1 */
    int64_t blocks = panels * ceil_div(p->m * width, THREADS);
    return TRY_LAUNCH(__func__, matmul_coalesced_kernel, blocks, THREADS, 0, stream, p->m, p->n, p->k, (unsigned)panels,
                      (unsigned)width, p->a, p->b, p->c);
}
