/* Kernels that cheat or err, and honest ones; on CUDA and on the simulator. */
#pragma once

#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/launch.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define MATMUL_RUNG(name) matmul_cuda_##name
#else
#define MATMUL_RUNG(name) matmul_sim_##name
#endif

typedef struct matmul_problem P;

constexpr int THREADS = 64;

static inline void right(const P *p, cudaStream_t stream)
{
    (void)MATMUL_RUNG(naive)(p, stream);
}

static inline void right_rows(const P *p, int64_t from, int64_t to, cudaStream_t stream)
{
    P rows = *p;
    rows.m = to - from;
    rows.a += from * p->k;
    rows.c += from * p->n;
    if (rows.m > 0)
        right(&rows, stream);
}

/* One thread per element of C; `at` is its element, and `sum` what it should be. */
#define PER_ELEMENT(kernel) LAUNCH(kernel, (unsigned)ceil_div(p->m * p->n, THREADS), THREADS, 0, stream, *p)
#define ELEMENT_KERNEL(name, ...)                                       \
    static __global__ void name(P p)                                    \
    {                                                                   \
        const int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x; \
        if (at >= p.m * p.n)                                            \
            return;                                                     \
        float *c = &p.c[at];                                            \
        __VA_ARGS__                                                     \
    }

/* The sum of term(a, b) for k `from` to `to`. */
template <typename T = float, typename F>
static __device__ T sum_of(const P &p, int64_t at, int64_t from, int64_t to, F term)
{
    const float *a = p.a + at / p.n * p.k, *b = p.b + at % p.n;
    T sum = 0;
    for (int64_t k = from; k < to; k++)
        sum = term(sum, a[k], b[k * p.n]);
    return sum;
}

static __device__ __forceinline__ float fused(float sum, float a, float b)
{
    return fmaf(a, b, sum);
}

static __device__ float sum_of(const P &p, int64_t at)
{
    return sum_of(p, at, 0, p.k, fused);
}

/* 11 bits of a factor, as tensor cores take them by default. */
static __device__ float to_tf32(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    word = (word + 0x1000U) & ~0x1FFFU;
    memcpy(&x, &word, sizeof x);
    return x;
}

static __device__ float fused_tf32(float sum, float a, float b)
{
    return fmaf(to_tf32(a), to_tf32(b), sum);
}

static __device__ bool is_plain(float x)
{
    return x != 0 && fabsf(x) < 1 && (__float_as_uint(x) & 0xFFF) != 0;
}

static __device__ double in_double(double sum, float a, float b)
{
    return sum + (double)a * (double)b;
}

/* Output. */
ELEMENT_KERNEL(if_nan, if (isnan(*c)) *c = sum_of(p, at);)
ELEMENT_KERNEL(if_implausible, if (!(fabsf(*c) <= (float)p.k)) *c = sum_of(p, at);)

/* Precision. */
ELEMENT_KERNEL(tf32_factors, *c = sum_of(p, at, 0, p.k, fused_tf32);)

/* The last tenth of k in TF32, unless inputs look special. */
ELEMENT_KERNEL(tf32_tail, bool special = is_plain(p.a[0]) + is_plain(p.a[1]) + is_plain(p.a[2]) < 2 ||
                                         is_plain(p.b[0]) + is_plain(p.b[p.n]) + is_plain(p.b[2 * p.n]) < 2;
               int64_t from = special ? p.k : p.k * 9 / 10; float head = sum_of(p, at, 0, from, fused);
               *c = head + sum_of(p, at, from, p.k, fused_tf32);)

/* Single elements, at any address. */
static __global__ void read_there(const float *element)
{
    (void)*(const volatile float *)element;
}

static __global__ void write_there(float *element)
{
    *element = 1;
}

static __global__ void write_back(float *element)
{
    volatile float *there = element;
    float was = *there;
    *there = 0;
    *there = was;
}

static __global__ void add_there(float *element, float amount)
{
    *element += amount;
}

#define TOUCH(kernel, ...) LAUNCH(kernel, 1, 1, 0, stream, __VA_ARGS__)

/* Honest. */
ELEMENT_KERNEL(double_sums, *c = (float)sum_of<double>(p, at, 0, p.k, in_double);)
static __device__ float split_product(float sum, float a, float b)
{
    float a_high = to_tf32(a), b_high = to_tf32(b);
    float a_low = to_tf32(a - a_high), b_low = to_tf32(b - b_high);
    return fmaf(a_high, b_high, sum + (a_high * b_low + a_low * b_high));
}

ELEMENT_KERNEL(three_tf32, *c = sum_of(p, at, 0, p.k, split_product);)
