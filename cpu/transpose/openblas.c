/* transpose openblas: cblas_somatcopy of OpenBLAS, which the ladder is compared with.
 *
 * Technique: a hand-written kernel per family of processors, on one thread.
 *
 * What bounds it: what a single core gets of the memory's bandwidth. */
#include "bench/table/rung.h"
#include "bench/table/transpose.h"

#include <assert.h>
#include <cblas.h>
#include <limits.h>

static_assert(RUNG_SIZE_MAX <= INT_MAX, "blasint has at least 32 bits");

const char *transpose_openblas(const void *problem, void *stream)
{
    (void)stream;
    const struct transpose_problem *p = problem;
    const blasint m = (blasint)p->m, n = (blasint)p->n;
    cblas_somatcopy(CblasRowMajor, CblasTrans, m, n, 1.0F, p->x, n, p->y, m);
    return NULL;
}
