/* matmul_cpu_packed: blocks of A and B copied so that they are read with stride one, on one thread.
 *
 *      a block of B in memory, N numbers per row          packed
 *      | 0  1 |20 21 |..                                  | 0  1 |
 *      | 2  3 |22 23 |..                     ->           | 2  3 |    panel after panel, each row by row:
 *      | 4  5 |24 25 |..                                  | 4  5 |    0 1 2 3 4 5 ... 20 21 22 23 24 25 ...
 *
 * Technique: before a block of B is multiplied it is packed, in the order in which the micro-kernel reads it. The rows
 * of A of one tile are copied side by side, too. A number of B that was copied once serves all M rows, one of A serves
 * NC columns.
 *
 * What it fixes in cpu_vectorised: each cache line and each page is used as a whole, the processor prefetches what is
 * read next, and nothing evicts its neighbours, whatever N and K are.
 *
 * What bounds it: one core. With few rows the copy of B is not worth its time. */
#include "bench/table/rung.h"
#include "blocks.h"

const char *matmul_cpu_packed(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    float *packed = work_memory((size_t)KC * NC);
    if (!packed)
        return "matmul cpu_packed: no memory for a block of B";
    for (int64_t k = 0; k < p->k; k += KC)
        for (int64_t j = 0; j < p->n; j += NC) {
            const struct block block = block_of(p, k, j, packed);
            for (int64_t panel = 0; panel < block.columns; panel += block.nr)
                block_pack(&block, panel);
            for (int64_t i = 0; i < p->m; i += block.kernels->mr)
                block_multiply_copied(&block, i);
        }
    return NULL;
}
