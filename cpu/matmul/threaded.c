/* matmul_cpu_threaded: cpu_packed on all threads.
 *
 *                        +----+----+----+----+
 *      threads pack B:   | 0  | 1  | 2  | 3  |    a panel each, then wait for the others
 *                        +----+----+----+----+
 *      and multiply:     | rows of thread 0  |
 *                        | rows of thread 1  |    C
 *                        | ...               |
 *
 * Technique: threads share the panels of a block of B, and when all are packed, the rows of C. No two write the same
 * element, so none needs a lock.
 *
 * What it fixes in cpu_packed: one core works, and the others sleep.
 *
 * What bounds it: the multiply-add units, if all sizes are large. Else that it treats all shapes alike: threads are
 * woken for products that take less time than that, wait for each other twice per block, and share nothing if C has
 * rows for one tile only. cpu_auto chooses blocks, packing and threads by size. */
#include "bench/table/rung.h"
#include "blocks.h"

const char *matmul_cpu_threaded(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    float *packed = work_memory((size_t)KC * NC);
    if (!packed)
        return "matmul cpu_threaded: no memory for a block of B";
#pragma omp parallel
    for (int64_t k = 0; k < p->k; k += KC)
        for (int64_t j = 0; j < p->n; j += NC) {
            const struct block block = block_of(p, k, j, packed);
#pragma omp for
            for (int64_t panel = 0; panel < block.columns; panel += block.nr)
                block_pack(&block, panel);
#pragma omp for
            for (int64_t i = 0; i < p->m; i += block.kernels->mr)
                block_multiply_copied(&block, i);
        }
    return NULL;
}
