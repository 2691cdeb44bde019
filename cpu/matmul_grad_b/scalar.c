/* matmul_grad_b cpu_scalar: the textbook loops, on one thread.
 *
 * Technique: each row of the batch adds its share: the outer product of a row of A and a row of dC. Speed-ups are
 * divided by this rung, so it stays scalar: the empty assembly in the inner loop keeps the compiler from vectorising or
 * exchanging the loops. The other textbook form, each element of dB as the dot product of two columns, is far slower
 * where the batch is long: each step of it touches a cache line that the caches have lost since.
 *
 * What bounds it: the load, the addition and the store per product. A dB that is larger than the caches is read and
 * written again for each row of the batch. */
#include "bench/table/matmul_grad_b.h"
#include "bench/table/rung.h"

const char *matmul_grad_b_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_grad_b_problem *p = problem;
    const int64_t batch = p->m, rows = p->k, columns = p->n;
    const float *a = p->a, *dc = p->dc;
    float *db = p->db;
    for (int64_t e = 0; e < rows * columns; ++e)
        db[e] = 0;
    for (int64_t r = 0; r < batch; ++r) {
        for (int64_t i = 0; i < rows; ++i) {
            for (int64_t j = 0; j < columns; ++j) {
                db[i * columns + j] += a[r * rows + i] * dc[r * columns + j];
                __asm__ volatile("");
            }
        }
    }
    return NULL;
}
