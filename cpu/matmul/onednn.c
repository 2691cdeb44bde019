/* matmul onednn: dnnl_sgemm of oneDNN, which the ladder is compared with.
 *
 * Technique: machine code that is generated at the first call, for the instruction set that the processor has.
 *
 * What bounds it: the multiply-add units on large matrices. */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "cpu/backend/opened_blas.h"

const char *matmul_onednn(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    return opened_blas_multiply(RUNG_ONEDNN, p->m, p->n, p->k, p->a, p->b, p->c);
}
