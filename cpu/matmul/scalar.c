/* matmul_cpu_scalar: the textbook i-j-k loop, one multiplication after the other, on one thread.
 *
 * Technique: each element of C is the dot product of a row of A and a column of B. It is what a speed-up is divided
 * by, so it stays what it says: the empty assembly in the inner loop keeps compilers from vectorising the loops or
 * exchanging them.
 *
 * What bounds it: each addition waits for the one before it, some four cycles; and as k advances B is read down a
 * column, so that with N large each element comes in a cache line of its own, and from a farther cache.
 *
 * Measured: matmul/mnist/cpu_scalar/cold 254.6 ms (results/h200/mnist.csv) */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"

#include <stddef.h>

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
