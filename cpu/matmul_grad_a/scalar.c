/* matmul_grad_a cpu_scalar: the textbook loops, on one thread.
 *
 * Technique: each element of dA is the dot product of a row of dC and a row of B. Speed-ups are divided by this rung,
 * so it stays scalar: the empty assembly in the inner loop keeps the compiler from vectorising or exchanging the loops.
 *
 * What bounds it: latency. Each addition waits for the one before it, two to four cycles. Memory does not: both rows
 * are read with stride one. */
#include "bench/table/matmul_grad_a.h"
#include "bench/table/rung.h"

const char *matmul_grad_a_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_grad_a_problem *p = problem;
    const int64_t rows = p->m, columns = p->k, depth = p->n;
    const float *dc = p->dc, *b = p->b;
    float *da = p->da;
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
            float sum = 0;
            for (int64_t r = 0; r < depth; ++r) {
                sum += dc[i * depth + r] * b[j * depth + r];
                __asm__ volatile("");
            }
            da[i * columns + j] = sum;
        }
    }
    return NULL;
}
