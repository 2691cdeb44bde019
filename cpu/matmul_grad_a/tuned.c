/* matmul_grad_a cpu_tuned: B packed, tiles of dA in registers, vectorised, all threads.
 *
 * Technique: dA is computed in tiles, some rows high and two vectors wide. A tile stays in registers while a loop over
 * n multiplies a column of dC by a row of B^T: the micro-kernels of matmul cpu_auto. For that B is transposed first,
 * into panels as wide as a tile; it is the small matrix. Then threads share the rows of dC. A thread computes all tiles
 * of a few rows before it goes to the next rows, so dA is written row by row. Vectors are AVX-512, AVX2 or the baseline
 * of the architecture, chosen at run time.
 *
 * What it fixes in cpu_scalar: additions do not wait for each other, each loaded element serves a whole tile, and all
 * cores work.
 *
 * What bounds it: the bandwidth of writing dA, once, if N is small. Processors read a line before they write to it, so
 * this is twice as much traffic as dA has bytes. For larger N the multiply-add units, as long as the packed B fits in
 * the caches: it is read again for each few rows. */
#include "bench/base/ceil_div.h"
#include "bench/table/matmul_grad_a.h"
#include "bench/table/rung.h"
#include "cpu/backend/cpu_isa.h"
#include "cpu/microkernels.h"
#include "cpu/work.h"

enum { FLOP_PER_THREAD = 2000000 };

/* As wide as so many columns need. */
static int vectors_of(const struct microkernels *kernels, int64_t columns)
{
    return columns > kernels->lanes ? 2 : 1;
}

/* panel[p][j] = b[j][p] of the rows of B from `first` on; zeros beyond the last. */
static void pack_panel(const struct matmul_grad_a_problem *p, int64_t first, int64_t width, float *panel)
{
    for (int64_t i = 0; i < p->n; ++i)
        for (int64_t j = 0; j < width; ++j)
            panel[i * width + j] = first + j < p->k ? p->b[(first + j) * p->n + i] : 0.0F;
}

/* Rows first to end - 1 of dA, as many as a tile has at most. */
static void multiply_rows(const struct matmul_grad_a_problem *p, const struct microkernels *kernels,
                          const float *panels, int64_t first, int64_t end)
{
    struct tile t = {.k = p->n, .a_row = p->n, .c_row = p->k, .a = p->dc + first * p->n, .rows = (int)(end - first)};
    const int64_t width = (int64_t)2 * kernels->lanes;
    for (int64_t column = 0; column < p->k; column += width) {
        t.b = panels + column * p->n;
        t.c = p->da + first * p->k + column;
        t.columns = (int)smaller(p->k - column, width);
        const int vectors = vectors_of(kernels, t.columns);
        t.b_row = (int64_t)vectors * kernels->lanes;
        kernels->tiles[t.rows - 1][vectors - 1](&t);
    }
}

const char *matmul_grad_a_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    const struct microkernels *kernels = microkernels_of(isa_best());
    const struct matmul_grad_a_problem *p = problem;
    const int64_t width = (int64_t)2 * kernels->lanes, panel_count = ceil_div(p->k, width);
    float *panels = work_memory((size_t)(panel_count * width) * (size_t)p->n);
    if (!panels)
        return "matmul_grad_a cpu_tuned: no memory for B, packed";
    const int threads = work_threads(2.0 * (double)p->m * (double)p->n * (double)p->k, FLOP_PER_THREAD);
    const int64_t tiles = ceil_div(ceil_div(p->m, kernels->mr), threads) * threads; /* as many for each thread */
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#pragma omp for schedule(static)
        for (int64_t panel = 0; panel < panel_count; ++panel) {
            const int64_t first = panel * width;
            pack_panel(p, first, (int64_t)vectors_of(kernels, p->k - first) * kernels->lanes, panels + first * p->n);
        }
#pragma omp for schedule(guided)
        for (int64_t tile = 0; tile < tiles; ++tile) {
            const int64_t first = p->m * tile / tiles, end = p->m * (tile + 1) / tiles;
            if (first < end)
                multiply_rows(p, kernels, panels, first, end);
        }
    }
    return NULL;
}
