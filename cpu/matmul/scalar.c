/* matmul_cpu_scalar: the textbook i-j-k loop, on one thread.
 *
 * Technique: each element of C is the dot product of a row of A and a column of B. Speed-ups are divided by this rung,
 * so it stays scalar: the empty assembly in the inner loop keeps the compiler from vectorising or exchanging the loops.
 *
 * What bounds it: latency. Each addition waits for the one before it, two to four cycles. And k walks down a column of
 * B, so with a large N each element lies in a cache line of its own, in a cache farther away.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   matmul/mnist/cpu_scalar/cold 291.0 ms */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"

const char *matmul_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    const int64_t rows = p->m, columns = p->n, depth = p->k;
    const float *a = p->a, *b = p->b;
    float *c = p->c;
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
            float sum = 0;
            for (int64_t k = 0; k < depth; ++k) {
                sum += a[i * depth + k] * b[k * columns + j];
                __asm__ volatile("");
            }
            c[i * columns + j] = sum;
        }
    }
    return NULL;
}
