/* matmul_batched cpu_tuned: a part of the products per thread, each in tiles of registers, vectorised.
 *
 * Technique: small factors stay in the L1 cache, so nothing is packed. A tile of C is 4 rows high and one or two
 * vectors wide, and stays in registers while a loop over k multiplies elements of A by rows of B. The last tile of a
 * row or column is moved back to where it ends with it, so elements before it are computed twice. Products narrower
 * than a vector are computed element by element. Vectors are AVX-512, AVX2 or the baseline of the architecture, chosen
 * at run time.
 *
 * What it fixes in cpu_scalar: additions do not wait for each other, a loaded vector serves four rows, and all cores
 * work.
 *
 * What bounds it: the multiply-adds: 6 loads serve 8 of them, and processors start two of each per clock. */
#include "bench/table/matmul_batched.h"
#include "bench/table/rung.h"
#include "cpu/backend/cpu_isa.h"
#include "cpu/work.h"

enum {
    ROWS = 4,
    VECTORS = 2,
    FLOP_PER_THREAD = 2000000, /* at least */
};

/* a is the first row of A that the tile needs, b the first column of B, c the tile's first element. */
struct tile {
    int64_t k, n;
    const float *a, *b;
    float *c;
};

/* Per instruction set. */
struct tiles {
    int64_t lanes;
    void (*run[2][VECTORS])(const struct tile *t); /* one row or ROWS, one vector or two */
};

#define ISA_TEMPLATE "cpu/matmul_batched/tile_isa.h"
#include "cpu/backend/cpu_each_isa.h"

static void multiply_narrow(const struct matmul_batched_problem *p, const float *a, const float *b, float *c)
{
    for (int64_t i = 0; i < p->m; ++i) {
        for (int64_t j = 0; j < p->n; ++j) {
            float sum = 0;
            for (int64_t q = 0; q < p->k; ++q)
                sum += a[i * p->k + q] * b[q * p->n + j];
            c[i * p->n + j] = sum;
        }
    }
}

static void multiply(const struct matmul_batched_problem *p, const struct tiles *tiles, const float *a, const float *b,
                     float *c)
{
    if (p->n < tiles->lanes) {
        multiply_narrow(p, a, b, c);
        return;
    }
    const int64_t vectors = p->n >= 2 * tiles->lanes ? 2 : 1, width = vectors * tiles->lanes;
    const int64_t rows = p->m >= ROWS ? ROWS : 1;
    for (int64_t row = 0; row < p->m; row += rows) {
        for (int64_t column = 0; column < p->n; column += width) {
            const int64_t i = smaller(row, p->m - rows), j = smaller(column, p->n - width);
            tiles->run[rows == ROWS][vectors - 1](&(struct tile){p->k, p->n, a + i * p->k, b + j, c + i * p->n + j});
        }
    }
}

const char *matmul_batched_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    static const struct tiles *const by_isa[] = ISA_TABLE(tiles);
    const struct tiles *tiles = by_isa[isa_best()];
    const struct matmul_batched_problem *p = problem;
    const double flop = 2.0 * (double)p->batch * (double)p->m * (double)p->n * (double)p->k;
    const int threads = work_threads(flop, FLOP_PER_THREAD);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < p->batch; ++i)
        multiply(p, tiles, p->a + i * p->m * p->k, p->b + i * p->k * p->n, p->c + i * p->m * p->n);
    return NULL;
}
