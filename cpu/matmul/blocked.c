/* matmul_cpu_blocked: a tile of C in registers, a block of B in the cache, on one thread.
 *
 *                      . NC ........
 *                      +----+------+ .
 *                      |    |      | . KC    the block of B stays in the L2 cache, while all rows of A meet it
 *          .. KC ..    | NR |      | .
 *          +-------+   +----+------+
 *          |  A    | > |tile|  C   | . MR    sums in registers, for KC steps
 *          +-------+   +----+------+
 *
 * Technique: the loops are cut into blocks. The innermost three compute a tile of C in variables of its own, which the
 * compiler keeps in registers: MR + NR loads serve MR * NR multiply-adds. MR rows of A stay in the L1 cache, while they
 * meet the block of B from left to right.
 *
 * What it fixes in cpu_reordered: that loads and stores a number of C for each multiply-add, and reads all of B for
 * each row of A. Here both happen once per KC steps and per MR rows.
 *
 * What bounds it: the vectors of the baseline of an architecture. On x86 they hold four numbers, and a multiply-add
 * takes two instructions. */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "cpu/work.h"

enum { MR = 4, NR = 8, KC = 256, NC = 256 };

/* C += A B for rows x columns elements from C[i,j] on and for k to k_end - 1; the first time, for k = 0, C = A B. Calls
 * with constant rows and columns unroll the loops over them. */
static inline __attribute__((always_inline)) void add_tile(const struct matmul_problem *p, int64_t i, int64_t j,
                                                           int rows, int columns, int64_t k, int64_t k_end)
{
    const float *a = p->a + i * p->k, *b = p->b + j;
    float *c = p->c + i * p->n + j, sum[MR][NR];
    for (int r = 0; r < rows; ++r)
        for (int s = 0; s < columns; ++s)
            sum[r][s] = k == 0 ? 0 : c[r * p->n + s];
    for (; k < k_end; ++k)
        for (int r = 0; r < rows; ++r)
#pragma omp simd
            for (int s = 0; s < columns; ++s)
                sum[r][s] += a[r * p->k + k] * b[k * p->n + s];
    for (int r = 0; r < rows; ++r)
        for (int s = 0; s < columns; ++s)
            c[r * p->n + s] = sum[r][s];
}

const char *matmul_cpu_blocked(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    for (int64_t k = 0; k < p->k; k += KC)
        for (int64_t block = 0; block < p->n; block += NC) {
            const int64_t k_end = smaller(k + KC, p->k), j_end = smaller(block + NC, p->n);
            for (int64_t i = 0, rows; i < p->m; i += rows) {
                rows = i + MR <= p->m ? MR : 1;
                for (int64_t j = block, columns; j < j_end; j += columns) {
                    columns = j + NR <= j_end ? NR : 1;
                    if (rows == MR && columns == NR)
                        add_tile(p, i, j, MR, NR, k, k_end);
                    else if (rows == MR)
                        add_tile(p, i, j, MR, 1, k, k_end);
                    else
                        add_tile(p, i, j, 1, (int)columns, k, k_end);
                }
            }
        }
    return NULL;
}
