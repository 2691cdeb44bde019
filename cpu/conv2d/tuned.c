/* conv2d cpu_tuned: outputs of several filters and rows in registers, vectorised, all threads.
 *
 * Technique: a tile is one vector of neighbours in a row of the answer, for 4 filters and 2 rows, or for one filter and
 * 8 rows; its 8 vectors of sums stay in registers through all channels and the whole window. For each place in the
 * window a vector of the image is loaded per row, and multiplied by an element of each filter. The last tile of a row
 * or column is moved back to where it ends with it, so outputs before it are computed twice. Answers narrower than a
 * vector are summed one by one. Vectors are AVX-512, AVX2 or the baseline of the architecture, chosen at run time.
 * Threads share images, filters and rows of tiles.
 *
 * What it fixes in cpu_scalar: additions do not wait for each other, a loaded element serves several sums, and all
 * cores work.
 *
 * What bounds it: with many channels the multiply-adds: 6 loads serve 8 of them, and processors start two of each per
 * clock. A large image and one small filter, or few channels and many filters, are bound by memory bandwidth. */
#include "bench/base/ceil_div.h"
#include "bench/table/conv2d.h"
#include "bench/table/rung.h"
#include "cpu/backend/cpu_isa.h"
#include "cpu/work.h"

#include <assert.h>

enum {
    SUMS = 8, /* vectors */
    MANY_FILTERS = 4,
    MANY_ROWS = SUMS / MANY_FILTERS,
    FLOP_PER_THREAD = 2000000, /* at least */
};

/* x and f are where the sums of the tile's first output begin, y is that output. */
struct tile {
    const struct conv2d_problem *p;
    const float *x, *f;
    float *y;
};

typedef void tile_function(const struct tile *t);

/* Per instruction set. */
struct tiles {
    int64_t width;
    tile_function *many_filters, *many_rows, *single;
};

#define ISA_TEMPLATE "cpu/conv2d/tile_isa.h"
#include "cpu/backend/cpu_each_isa.h"

/* One output. */
static void sum_window(const struct tile *t)
{
    const struct conv2d_problem *p = t->p;
    float sum = 0;
    for (int64_t c = 0; c < p->c; ++c)
        for (int64_t i = 0; i < p->r; ++i)
            for (int64_t j = 0; j < p->r; ++j)
                sum += t->x[(c * p->h + i) * p->w + j] * t->f[(c * p->r + i) * p->r + j];
    *t->y = sum;
}

/* A tile's outputs: `filters` planes, `rows` rows, `width` columns. */
struct cut {
    int64_t filters, rows, width;
    tile_function *run;
};

/* Which tiles suit filters `k` and those behind it. */
static struct cut choose_cut(const struct tiles *tiles, const struct conv2d_problem *p, int64_t k)
{
    const int64_t rows = p->h - p->r + 1, columns = p->w - p->r + 1;
    if (columns < tiles->width)
        return (struct cut){1, 1, 1, sum_window};
    if (p->k - k >= MANY_FILTERS && rows >= MANY_ROWS)
        return (struct cut){MANY_FILTERS, MANY_ROWS, tiles->width, tiles->many_filters};
    if (rows >= SUMS)
        return (struct cut){1, SUMS, tiles->width, tiles->many_rows};
    return (struct cut){1, 1, tiles->width, tiles->single};
}

/* The tiles of one image and `cut->filters` filters whose first row is `row`, or as far down as they can be. */
static void convolve_rows(const struct conv2d_problem *p, const struct cut *cut, int64_t n, int64_t k, int64_t row)
{
    const int64_t rows = p->h - p->r + 1, columns = p->w - p->r + 1;
    const int64_t i = smaller(row, rows - cut->rows);
    for (int64_t first = 0; first < columns; first += cut->width) {
        const int64_t j = smaller(first, columns - cut->width);
        cut->run(&(struct tile){p, p->x + (n * p->c * p->h + i) * p->w + j, p->f + k * p->c * p->r * p->r,
                                p->y + ((n * p->k + k) * rows + i) * columns + j});
    }
}

/* Rows of the answer that one thread computes: SUMS at least, if there are as many. The last band has the rest. */
static int64_t count_bands(int64_t rows)
{
    return rows < SUMS ? 1 : rows / SUMS;
}

/* One band of one image, for MANY_FILTERS filters or those that are left. */
static void convolve_band(const struct conv2d_problem *p, const struct tiles *tiles, int64_t n, int64_t group,
                          int64_t band)
{
    const int64_t rows = p->h - p->r + 1, last_filter = smaller(p->k, (group + 1) * MANY_FILTERS);
    const int64_t last_row = band + 1 < count_bands(rows) ? (band + 1) * SUMS : rows;
    struct cut cut;
    for (int64_t k = group * MANY_FILTERS; k < last_filter; k += cut.filters) {
        cut = choose_cut(tiles, p, k);
        for (int64_t row = band * SUMS; row < last_row; row += cut.rows)
            convolve_rows(p, &cut, n, k, row);
    }
}

const char *conv2d_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    static const struct tiles *const by_isa[] = ISA_TABLE(tiles);
    const struct tiles *tiles = by_isa[isa_best()];
    const struct conv2d_problem *p = problem;
    const int64_t rows = p->h - p->r + 1, columns = p->w - p->r + 1;
    const int64_t groups = ceil_div(p->k, MANY_FILTERS), bands = count_bands(rows);
    const double flop = 2.0 * (double)(p->n * p->k * rows * columns) * (double)(p->c * p->r * p->r);
    const int threads = work_threads(flop, FLOP_PER_THREAD);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int64_t job = 0; job < p->n * groups * bands; ++job)
        convolve_band(p, tiles, job / (groups * bands), job / bands % groups, job % bands);
    return NULL;
}
