/* matmul_grad_a cpu_tuned: B packed, tiles of dA in registers, vectorised, all threads.
 *
 * Technique: dA is computed in tiles, some rows high and two vectors wide. A tile stays in registers while a loop over
 * n multiplies a column of dC by a row of B^T. For that B is transposed first, into panels as wide as a tile; it is the
 * small matrix. Then threads share the rows of dC. A thread computes all tiles of a few rows before it goes to the next
 * rows, so dA is written row by row. Vectors are AVX-512, AVX2 or the baseline of the architecture, chosen at run time.
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

#include <assert.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_MAX = 14,
    WIDTH_MAX = 32, /* of a tile */
    FLOP_PER_THREAD = 2000000,
    CACHE_LINE = 64,
};

/* da[rows, width] = dc[rows, n] b[n, width]; `b` is a packed panel. */
struct tile {
    int64_t n, da_row;
    const float *dc, *b;
    float *da;
};

/* Per instruction set. */
struct tiles {
    int64_t rows, width;
    void (*whole)(const struct tile *t);
    void (*one_row)(const struct tile *t);
};

#define ISA_TEMPLATE "cpu/matmul_grad_a/tile_isa.h"
#include "cpu/backend/cpu_each_isa.h"

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Memory for B, packed, which is kept for later calls. NULL: there is none. */
static float *reserve_panels(size_t floats)
{
    static float *memory;
    static size_t capacity;
    size_t bytes = (size_t)ceil_div((int64_t)(floats * sizeof(float)), CACHE_LINE) * CACHE_LINE;
    if (bytes > capacity) {
        free(memory);
        memory = aligned_alloc(CACHE_LINE, bytes);
        capacity = memory == NULL ? 0 : bytes;
    }
    return memory;
}

/* panel[p][j] = b[j][p] of the rows of B from `first` on; zeros beyond the last. */
static void pack_panel(const struct matmul_grad_a_problem *p, int64_t first, int64_t width, float *panel)
{
    for (int64_t i = 0; i < p->n; ++i)
        for (int64_t j = 0; j < width; ++j)
            panel[i * width + j] = first + j < p->k ? p->b[(first + j) * p->n + i] : 0.0F;
}

/* A tile, by way of a buffer where dA is narrower. */
static void run_tile(void (*kernel)(const struct tile *t), struct tile t, int64_t rows, int64_t width, int64_t inside)
{
    float buffer[ROWS_MAX * WIDTH_MAX], *da = t.da;
    const int64_t da_row = t.da_row;
    if (inside == width) {
        kernel(&t);
        return;
    }
    t.da = buffer;
    t.da_row = width;
    kernel(&t);
    for (int64_t i = 0; i < rows; ++i)
        memcpy(da + i * da_row, buffer + i * width, (size_t)inside * sizeof *da);
}

/* `rows` rows of dA: as many as a tile has, or one. */
static void multiply_rows(const struct matmul_grad_a_problem *p, const struct tiles *tiles, const float *panels,
                          int64_t row, int64_t rows)
{
    for (int64_t first = 0; first < p->k; first += tiles->width) {
        struct tile t = {.n = p->n, .da_row = p->k, .dc = p->dc + row * p->n, .b = panels + first * p->n};
        t.da = p->da + row * p->k + first;
        run_tile(rows == 1 ? tiles->one_row : tiles->whole, t, rows, tiles->width, smaller(p->k - first, tiles->width));
    }
}

const char *matmul_grad_a_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    static const struct tiles *const by_isa[] = ISA_TABLE(tiles);
    const struct tiles *tiles = by_isa[isa_best()];
    const struct matmul_grad_a_problem *p = problem;
    const int64_t panel_count = ceil_div(p->k, tiles->width), whole = p->m / tiles->rows;
    float *panels = reserve_panels((size_t)(panel_count * tiles->width) * (size_t)p->n);
    if (panels == NULL)
        return "matmul_grad_a cpu_tuned: no memory for B, packed";
    const double wanted = 1 + 2.0 * (double)p->m * (double)p->n * (double)p->k / FLOP_PER_THREAD;
    const int available = omp_get_max_threads(), threads = wanted < available ? (int)wanted : available;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#pragma omp for schedule(static)
        for (int64_t panel = 0; panel < panel_count; ++panel)
            pack_panel(p, panel * tiles->width, tiles->width, panels + panel * tiles->width * p->n);
#pragma omp for schedule(guided) nowait
        for (int64_t tile = 0; tile < whole; ++tile)
            multiply_rows(p, tiles, panels, tile * tiles->rows, tiles->rows);
#pragma omp for schedule(static)
        for (int64_t row = whole * tiles->rows; row < p->m; ++row)
            multiply_rows(p, tiles, panels, row, 1);
    }
    return NULL;
}
