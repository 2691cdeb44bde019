/* Honest kernels that a harness might suspect. */
#include "tests/cheats/kernels/kernel.h"

#include <string.h>

static __global__ void zero_kernel(matmul_problem p)
{
    int64_t element = own_element();
    if (element < p.m * p.n)
        p.c[element] = 0;
}

/* Each block has a quarter of k. */
static __global__ void add_quarter_kernel(matmul_problem p)
{
    int64_t element = own_element(), quarter = blockIdx.y;
    if (element >= p.m * p.n)
        return;
    const float *a = p.a + element / p.n * p.k, *b = p.b + element % p.n;
    float sum = 0;
    for (int64_t i = p.k * quarter / 3; i < p.k * (quarter + 1) / 3; i++)
        sum = fmaf(a[i], b[i * p.n], sum);
    atomicAdd(&p.c[element], sum);
}

CUDA_MATMUL(honest_split)
{
    unsigned blocks = (unsigned)ceil_div(p->m * p->n, THREADS);
    LAUNCH(zero_kernel, blocks, THREADS, 0, stream, *p);
    LAUNCH(add_quarter_kernel, dim3(blocks, 3), THREADS, 0, stream, *p);
}

static __device__ float to_tf32(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    word = (word + 0x1000U) & ~0x1FFFU;
    memcpy(&x, &word, sizeof x);
    return x;
}

static __global__ void three_tf32_kernel(matmul_problem p)
{
    int64_t element = own_element();
    if (element >= p.m * p.n)
        return;
    const float *a = p.a + element / p.n * p.k, *b = p.b + element % p.n;
    float sum = 0, small = 0;
    for (int64_t i = 0; i < p.k; i++) {
        float a_high = to_tf32(a[i]), b_high = to_tf32(b[i * p.n]);
        float a_low = to_tf32(a[i] - a_high), b_low = to_tf32(b[i * p.n] - b_high);
        sum = fmaf(a_high, b_high, sum);
        small += a_high * b_low + a_low * b_high;
    }
    p.c[element] = sum + small;
}

CUDA_MATMUL(honest_3xtf32)
{
    LAUNCH_PER_ELEMENT(three_tf32_kernel, p, stream);
}

static __global__ void double_kernel(matmul_problem p)
{
    int64_t element = own_element();
    if (element >= p.m * p.n)
        return;
    const float *a = p.a + element / p.n * p.k, *b = p.b + element % p.n;
    double sum = 0;
    for (int64_t i = 0; i < p.k; i++)
        sum += (double)a[i] * (double)b[i * p.n];
    p.c[element] = (float)sum;
}

CUDA_MATMUL(honest_double)
{
    LAUNCH_PER_ELEMENT(double_kernel, p, stream);
}

/* Two launches for one product. */
CUDA_MATMUL(honest_two_launches)
{
    struct matmul_problem upper = *p, lower = *p;
    upper.m = p->m / 2;
    lower.m = p->m - upper.m;
    lower.a += upper.m * p->k;
    lower.c += upper.m * p->n;
    if (upper.m > 0)
        multiply(&upper, stream);
    multiply(&lower, stream);
}

/* Rows say which rung's kernel this is: its own, or the other's twin. */
const char *MATMUL_RUNG(honest_hand_over)(const void *problem, void *stream)
{
    return rung_hand_over(matmul_cuda_tiled, problem, stream);
}
