/* matmul_cpu_vectorised: the tile of C in the widest vectors, on one thread.
 *
 *                         +---------+---------+
 *      one row of B:      |  b  b  b  b  b  b |     two vectors
 *                         +---------+---------+
 *      a, in all lanes    | += a*b  | += a*b  |
 *      a                  | += a*b  | += a*b  |     MR x 2 vectors of C: 6 x 16 floats by AVX2, 14 x 32 by AVX-512
 *      ...                | ...     | ...     |
 *
 * Technique: the blocks of cpu_blocked, whose innermost loop is written with vectors (cpu/microkernels_isa.h) and
 * compiled per instruction set; the processor's best one runs. The tile fills its registers, but for two vectors of B
 * and one of A.
 *
 * What it fixes in cpu_blocked: vectors are two or four times as wide, a multiply-add is one instruction, and more of
 * them share a load.
 *
 * What bounds it: how B lies in memory. From row to row a panel jumps by N numbers, often to another page, and where N
 * is a power of two its rows evict each other from the L1 cache. */
#include "bench/table/rung.h"
#include "blocks.h"

const char *matmul_cpu_vectorised(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    float *packed = work_memory((size_t)KC * NC);
    if (!packed)
        return "matmul cpu_vectorised: no memory for a copy";
    for (int64_t k = 0; k < p->k; k += KC)
        for (int64_t j = 0; j < p->n; j += NC) {
            struct block block = block_of(p, k, j, packed);
            /* Vectors must not reach beyond the end of B: of columns that fill none there is a copy. */
            block.packed_from = block.columns / block.nr * block.nr;
            if (block.packed_from < block.columns)
                block_pack(&block, block.packed_from);
            for (int64_t i = 0; i < p->m; i += block.kernels->mr)
                block_multiply(&block, i, p->a + i * p->k + k, p->k);
        }
    return NULL;
}
