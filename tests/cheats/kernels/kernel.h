/* What the cheats' kernels share, on CUDA and on the simulator. */
#pragma once

#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/launch.h"

#ifdef __CUDACC__
#define MATMUL_RUNG(name) matmul_cuda_##name
#else
#define MATMUL_RUNG(name) matmul_sim_##name
#endif

/* The rung <name> on this backend, whose body follows: it has the problem `p` and the stream. */
#define CUDA_MATMUL(name)                                                           \
    static void cheat_##name(const struct matmul_problem *p, cudaStream_t stream);  \
    const char *MATMUL_RUNG(name)(const void *problem, void *stream)                \
    {                                                                               \
        const struct matmul_problem *p = (const struct matmul_problem *)problem;    \
        const char *error = grid_x_error(__func__, ceil_div(p->m * p->n, THREADS)); \
        if (error)                                                                  \
            return error;                                                           \
        cheat_##name(p, (cudaStream_t)stream);                                      \
        return launch_error(__func__);                                              \
    }                                                                               \
    static void cheat_##name(const struct matmul_problem *p, cudaStream_t stream)

constexpr int THREADS = 64;

/* Launches a kernel with one thread per element of C, for the rung's own stream and problem. */
#define LAUNCH_PER_ELEMENT(kernel, p, stream) \
    LAUNCH(kernel, (unsigned)ceil_div((p)->m *(p)->n, THREADS), THREADS, 0, stream, *(p))

static inline void multiply(const struct matmul_problem *p, cudaStream_t stream)
{
    (void)MATMUL_RUNG(naive)(p, stream);
}

/* The number of this thread's element of C, at or above m n if it has none. */
static __device__ __forceinline__ int64_t own_element(void)
{
    return (int64_t)blockIdx.x * THREADS + threadIdx.x;
}

static __device__ __forceinline__ float sum_of(const struct matmul_problem &p, int64_t element)
{
    const float *a = p.a + element / p.n * p.k, *b = p.b + element % p.n;
    float sum = 0;
    for (int64_t i = 0; i < p.k; i++)
        sum = fmaf(a[i], b[i * p.n], sum);
    return sum;
}
