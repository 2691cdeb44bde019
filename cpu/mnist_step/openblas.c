/* mnist_step openblas: OpenBLAS's products, which the ladder is compared with.
 *
 * Technique: as in cpu_tuned, with cblas_sgemm for each of the five products and the same loops between them.
 *
 * What bounds it: the multiply-add units in the first layer; and each call packs its factors anew. */
#include "bench/table/rung.h"
#include "by_products.h"
#include "cpu/openblas_sgemm.h"

const char *mnist_step_openblas(const void *problem, void *stream)
{
    (void)stream;
    return step_by_products(openblas_sgemm, problem);
}
