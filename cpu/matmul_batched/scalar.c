/* matmul_batched cpu_scalar: the textbook i-j-k loop for one product after the other, on one thread.
 *
 * Technique: that of matmul cpu_scalar. Speed-ups are divided by this rung, so it stays scalar: the empty assembly in
 * the inner loop keeps the compiler from vectorising or exchanging the loops.
 *
 * What bounds it: latency. Each addition waits for the one before it, two to four cycles. Small matrices stay in the L1
 * cache, so memory does not. */
#include "bench/table/matmul_batched.h"
#include "bench/table/rung.h"

static void multiply(const struct matmul_batched_problem *p, const float *a, const float *b, float *c)
{
    for (int64_t i = 0; i < p->m; ++i) {
        for (int64_t j = 0; j < p->n; ++j) {
            float sum = 0;
            for (int64_t q = 0; q < p->k; ++q) {
                sum += a[i * p->k + q] * b[q * p->n + j];
                __asm__ volatile("");
            }
            c[i * p->n + j] = sum;
        }
    }
}

const char *matmul_batched_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_batched_problem *p = problem;
    for (int64_t i = 0; i < p->batch; ++i)
        multiply(p, p->a + i * p->m * p->k, p->b + i * p->k * p->n, p->c + i * p->m * p->n);
    return NULL;
}
