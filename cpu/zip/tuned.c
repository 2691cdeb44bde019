/* zip cpu_tuned: a loop for each view, vectors, all threads.
 *
 * Technique: a stride that the compiler knows, 0 or 1, makes vectors of a loop over a row. A transposed view goes
 * through tiles of 16 x 16 that are transposed in a buffer (transpose cpu_tuned), so that each line of z is read once,
 * and then is a row as any other. Threads share strips of 16 rows.
 *
 * What it fixes in cpu_scalar: several elements at a time, on all cores, and no line of z comes twice.
 *
 * What bounds it: memory bandwidth. A line of y is read before it is written (map cpu_tuned has the cure). */
#include "bench/table/rung.h"
#include "bench/table/zip.h"
#include "cpu/turned_tile.h"
#include "cpu/work.h"

enum {
    STRIP = 1024,                  /* columns */
    ELEMENTS_PER_THREAD = 1 << 15, /* at least: a thread is not woken for less */
};

static void zip_neighbours(int count, const float *restrict x, const float *restrict z, float *restrict y)
{
    for (int j = 0; j < count; ++j)
        y[j] = ZIP_A * x[j] + z[j];
}

static void zip_with_one(int count, const float *restrict x, float z, float *restrict y)
{
    for (int j = 0; j < count; ++j)
        y[j] = ZIP_A * x[j] + z;
}

static void zip_turned(const struct zip_problem *p, int64_t i, int rows, int64_t first, int strip)
{
    float tile[TURNED][TURNED];
    for (int64_t j = first; j < first + strip; j += TURNED) {
        const int columns = (int)smaller(first + strip - j, TURNED);
        turned_tile(columns, rows, p->z_column, p->z + j * p->z_column + i, tile);
        for (int k = 0; k < rows; ++k)
            zip_neighbours(columns, p->x + (i + k) * p->n + j, tile[k], p->y + (i + k) * p->n + j);
    }
}

/* Rows from `i` on, and columns from `j` on. */
static void zip_strip(const struct zip_problem *p, int64_t i, int64_t j)
{
    const int rows = (int)smaller(p->m - i, TURNED), columns = (int)smaller(p->n - j, STRIP);
    if (p->z_column > 1) {
        zip_turned(p, i, rows, j, columns);
        return;
    }
    for (int64_t row = i; row < i + rows; ++row) {
        const float *x = p->x + row * p->n + j, *z = p->z + row * p->z_row + j * p->z_column;
        float *y = p->y + row * p->n + j;
        if (p->z_column == 0)
            zip_with_one(columns, x, *z, y);
        else
            zip_neighbours(columns, x, z, y);
    }
}

const char *zip_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    const struct zip_problem *p = problem;
    const int threads = work_threads((double)(p->m * p->n), ELEMENTS_PER_THREAD);
#pragma omp parallel for collapse(2) num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < p->m; i += TURNED)
        for (int64_t j = 0; j < p->n; j += STRIP)
            zip_strip(p, i, j);
    return NULL;
}
