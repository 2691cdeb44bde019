/* dot openblas: cblas_sdot of OpenBLAS, which the ladder is compared with.
 *
 * Technique: a hand-written kernel per family of processors; the backend sets the number of threads.
 *
 * What bounds it: reading x and y. */
#include "bench/table/dot.h"
#include "bench/table/rung.h"

#include <assert.h>
#include <cblas.h>
#include <limits.h>

static_assert(RUNG_SIZE_MAX <= INT_MAX, "blasint has at least 32 bits");

const char *dot_openblas(const void *problem, void *stream)
{
    (void)stream;
    const struct dot_problem *p = problem;
    *p->dot = cblas_sdot((blasint)p->n, p->x, 1, p->y, 1);
    return NULL;
}
