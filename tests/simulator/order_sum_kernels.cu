/* Sums by atomics, which round otherwise in each order; the other kinds are wrong. */
#include "order_kernels.h"

#include "bench/table/matmul.h"
#include "kernels/launch.h"

enum sum_kind { ATOMIC, WITHOUT_LAST, ZEROED_BY_THREAD_0 };

/* A block an element of C, and its threads the terms. */
template <enum sum_kind KIND>
static __global__ void sum(int64_t n, int64_t k, const float *a, const float *b, float *c)
{
    int64_t row = blockIdx.x / n, column = blockIdx.x % n;
    float *to = c + blockIdx.x;
    if (threadIdx.x == 0)
        *to = 0;
    if (KIND != ZEROED_BY_THREAD_0)
        __syncthreads();
    for (int64_t p = threadIdx.x; p < (KIND == WITHOUT_LAST ? k - 1 : k); p += blockDim.x)
        atomicAdd(to, a[row * k + p] * b[p * n + column]);
}

#define SUM_RUNG(name, KIND)                                                                                   \
    const char *name(const void *problem, void *stream)                                                        \
    {                                                                                                          \
        const struct matmul_problem *p = (const struct matmul_problem *)problem;                               \
        LAUNCH(sum<KIND>, (unsigned)(p->m * p->n), 32, 0, (cudaStream_t)stream, p->n, p->k, p->a, p->b, p->c); \
        return launch_error("a rung");                                                                         \
    }
SUM_RUNG(sums_atomically, ATOMIC)
SUM_RUNG(sums_without_last, WITHOUT_LAST)
SUM_RUNG(sums_zeroed_by_thread_0, ZEROED_BY_THREAD_0)
