/* In place of kernels/map/naive.cu: eight elements per thread. planted.sh changes its first lines. */
#define RESTRICT __restrict__
constexpr int UNROLL = 8;
#define PLACE(i) (threadIdx.x + THREADS * (i))

#include "bench/table/map.h"
#include "kernels/launch.h"
#include "relu.h"

constexpr int THREADS = 128, EACH = 8;

/* y and x have n elements. */
static __global__ void map_naive_kernel(int64_t n, const float *RESTRICT x, float *RESTRICT y)
{
    int64_t first = (int64_t)blockIdx.x * THREADS * EACH;
    if (first + THREADS * EACH <= n) {
#pragma unroll UNROLL
        for (int i = 0; i < EACH; i++)
            y[first + PLACE(i)] = relu(x[first + PLACE(i)]);
    } else {
#pragma unroll 1
        for (int64_t i = first + threadIdx.x; i < n; i += THREADS)
            y[i] = relu(x[i]);
    }
}

const char *map_cuda_naive(const void *problem, void *stream)
{
    const struct map_problem *p = (const struct map_problem *)problem;
    return TRY_LAUNCH(__func__, map_naive_kernel, ceil_div(p->n, THREADS * EACH), THREADS, 0, stream, p->n, p->x, p->y);
}
