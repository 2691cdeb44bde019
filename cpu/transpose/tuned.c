/* transpose cpu_tuned: tiles of one cache line, on all threads, with stores past the caches.
 *
 * Technique: 16 elements are a line. A tile of 16 x 16 reads 16 lines of x and writes 16 lines of y, all of each, so
 * none has to come twice. It is transposed in registers, 4 x 4 elements at a time, into a buffer of 1 KiB, from which
 * whole lines go to y: not through the caches if y is larger than those, since a processor reads a line before it
 * changes a part of it (map cpu_tuned; x86 only). Threads share strips of 16 rows.
 *
 * What it fixes in cpu_scalar: every line is moved once, and its elements go four at a time.
 *
 * What bounds it: memory bandwidth. Where rows of y do not begin at multiples of 16 bytes, their stores go through the
 * caches. */
#include "bench/table/rung.h"
#include "bench/table/transpose.h"
#include "cpu/turned_tile.h"
#include "cpu/work.h"

#include <stdbool.h>
#include <string.h>

#ifdef __SSE__
#include <immintrin.h>
#endif

enum {
    STRIP = 1024,                  /* columns */
    ELEMENTS_PER_THREAD = 1 << 15, /* at least: a thread is not woken for less */
    STREAMED = 1 << 24,            /* elements of a y that is larger than caches are */
};

static void store_line(int count, const float *from, float *to, bool is_streamed)
{
#ifdef __SSE__
    if (is_streamed && count == TURNED && (uintptr_t)to % sizeof(__m128) == 0) {
        for (int i = 0; i < TURNED; i += 4)
            _mm_stream_ps(to + i, _mm_loadu_ps(from + i));
        return;
    }
#else
    (void)is_streamed;
#endif
    memcpy(to, from, (size_t)count * sizeof *to);
}

/* Rows from `i` on, and columns from `first` on. */
static void transpose_strip(const struct transpose_problem *p, int64_t i, int64_t first)
{
    const int rows = (int)smaller(p->m - i, TURNED), strip = (int)smaller(p->n - first, STRIP);
    const bool is_streamed = p->m * p->n >= STREAMED;
    float tile[TURNED][TURNED];
    for (int64_t j = first; j < first + strip; j += TURNED) {
        const int columns = (int)smaller(first + strip - j, TURNED);
        turned_tile(rows, columns, p->n, p->x + i * p->n + j, tile);
        for (int k = 0; k < columns; ++k)
            store_line(rows, tile[k], p->y + (j + k) * p->m + i, is_streamed);
    }
#ifdef __SSE__
    _mm_sfence();
#endif
}

const char *transpose_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    const struct transpose_problem *p = problem;
    const int threads = work_threads((double)(p->m * p->n), ELEMENTS_PER_THREAD);
#pragma omp parallel for collapse(2) num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < p->m; i += TURNED)
        for (int64_t j = 0; j < p->n; j += STRIP)
            transpose_strip(p, i, j);
    return NULL;
}
