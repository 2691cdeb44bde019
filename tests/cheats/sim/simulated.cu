/* What only the simulator can be expected to see: on a GPU these kernels are right most of the time, or do not run. */
#include "tests/cheats/kernels/kernel.h"

#include <string.h>

/* On a GPU this would need memory that the host may touch. */
static void multiply_on_host(const struct matmul_problem *p)
{
    for (int64_t i = 0; i < p->m; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            float sum = 0;
            for (int64_t k = 0; k < p->k; k++)
                sum += p->a[i * p->k + k] * p->b[k * p->n + j];
            p->c[i * p->n + j] = sum;
        }
    }
}

static __global__ void idle_kernel()
{
}

CUDA_MATMUL(host_computes)
{
    multiply_on_host(p);
    LAUNCH(idle_kernel, 1, 1, 0, stream);
}

CUDA_MATMUL(host_computes_alone)
{
    (void)stream;
    multiply_on_host(p);
}

CUDA_MATMUL(host_reads_a)
{
    if (p->a[0] == 0)
        memset(p->c, 0, sizeof *p->c);
    multiply(p, stream);
}

CUDA_MATMUL(host_reads_b)
{
    multiply(p, stream);
    if (p->b[p->k * p->n - 1] == 2)
        multiply(p, stream);
}

CUDA_MATMUL(host_reads_c)
{
    if (p->c[0] != p->c[0])
        multiply(p, stream);
}

CUDA_MATMUL(host_clears_c)
{
    memset(p->c, 0, (size_t)(p->m * p->n) * sizeof *p->c);
    multiply(p, stream);
}

/* One row of A per block goes through shared memory. */
constexpr int DEPTH = 32;

static __global__ void no_barrier_kernel(matmul_problem p, int barriers)
{
    SHARED_ARRAY(float, row, DEPTH);
    int64_t i = blockIdx.x;
    for (int64_t first = 0; first < p.n; first += THREADS) {
        int64_t j = first + threadIdx.x;
        float sum = 0;
        for (int64_t k = 0; k < p.k; k += DEPTH) {
            if (threadIdx.x < DEPTH)
                row[threadIdx.x] = k + threadIdx.x < p.k ? p.a[i * p.k + k + threadIdx.x] : 0;
            if ((barriers & 1) != 0)
                __syncthreads();
            for (int64_t x = 0; x < DEPTH && k + x < p.k && j < p.n; x++)
                sum = fmaf(row[x], p.b[(k + x) * p.n + j], sum);
            if ((barriers & 2) != 0)
                __syncthreads();
        }
        if (j < p.n)
            p.c[i * p.n + j] = sum;
    }
}

CUDA_MATMUL(no_first_barrier)
{
    LAUNCH(no_barrier_kernel, (unsigned)p->m, THREADS, 0, stream, *p, 2);
}

CUDA_MATMUL(no_second_barrier)
{
    LAUNCH(no_barrier_kernel, (unsigned)p->m, THREADS, 0, stream, *p, 1);
}

/* A barrier in one half of the block only. */
static __global__ void half_barrier_kernel(matmul_problem p)
{
    int64_t element = own_element();
    if (element >= p.m * p.n)
        return; /* in the last block, without the barrier */
    float sum = sum_of(p, element);
    __syncthreads();
    p.c[element] = sum;
}

CUDA_MATMUL(half_barrier)
{
    LAUNCH_PER_ELEMENT(half_barrier_kernel, p, stream);
}

/* The lanes of a warp hand over their sums in pairs, through shared memory. */
static __global__ void no_syncwarp_kernel(matmul_problem p)
{
    SHARED_ARRAY(float, sums, THREADS);
    int64_t element = own_element();
    sums[threadIdx.x] = element < p.m * p.n ? sum_of(p, element) : 0;
    if ((element ^ 1) < p.m * p.n)
        p.c[element ^ 1] = sums[threadIdx.x ^ 1];
}

CUDA_MATMUL(no_syncwarp)
{
    LAUNCH_PER_ELEMENT(no_syncwarp_kernel, p, stream);
}

static __global__ void no_copy_wait_kernel(matmul_problem p)
{
    SHARED_ARRAY(float, row, DEPTH);
    int64_t i = blockIdx.x;
    for (int64_t first = 0; first < p.n; first += THREADS) {
        int64_t j = first + threadIdx.x;
        float sum = 0;
        for (int64_t k = 0; k < p.k; k += DEPTH) {
            if (threadIdx.x < DEPTH && k + threadIdx.x < p.k)
                copy_async(&row[threadIdx.x], &p.a[i * p.k + k + threadIdx.x]);
            copy_async_commit();
            copy_async_wait(1); /* 0 is meant */
            __syncthreads();
            for (int64_t x = 0; x < DEPTH && k + x < p.k && j < p.n; x++)
                sum = fmaf(row[x], p.b[(k + x) * p.n + j], sum);
            __syncthreads();
        }
        if (j < p.n)
            p.c[i * p.n + j] = sum;
    }
}

CUDA_MATMUL(no_copy_wait)
{
    LAUNCH(no_copy_wait_kernel, (unsigned)p->m, THREADS, 0, stream, *p);
}

static __global__ void unwritten_shared_kernel(matmul_problem p)
{
    SHARED_ARRAY(float, sums, THREADS + 1);
    int64_t element = own_element();
    if (element < p.m * p.n)
        p.c[element] = sum_of(p, element) + 0 * sums[threadIdx.x + 1];
}

CUDA_MATMUL(unwritten_shared)
{
    LAUNCH_PER_ELEMENT(unwritten_shared_kernel, p, stream);
}

/* Both halves of k are added by load and store. */
static __global__ void racing_blocks_kernel(matmul_problem p)
{
    int64_t element = own_element(), half = blockIdx.y;
    if (element >= p.m * p.n)
        return;
    const float *a = p.a + element / p.n * p.k, *b = p.b + element % p.n;
    float sum = half == 0 ? 0 : p.c[element];
    for (int64_t i = p.k * half / 2; i < p.k * (half + 1) / 2; i++)
        sum = fmaf(a[i], b[i * p.n], sum);
    p.c[element] = sum;
}

CUDA_MATMUL(racing_blocks)
{
    LAUNCH(racing_blocks_kernel, dim3((unsigned)ceil_div(p->m * p->n, THREADS), 2), THREADS, 0, stream, *p);
}

/* Two blocks write each element, and the same value. */
static __global__ void written_twice_kernel(matmul_problem p)
{
    int64_t element = own_element() / 2;
    if (element < p.m * p.n)
        p.c[element] = sum_of(p, element) * (blockIdx.y == 0 ? 1 : 1.00001f);
}

CUDA_MATMUL(blocks_write_the_same)
{
    LAUNCH(written_twice_kernel, dim3((unsigned)ceil_div(2 * p->m * p->n, THREADS), 2), THREADS, 0, stream, *p);
}

static __global__ void int_index_kernel(matmul_problem p)
{
    int element = (int)own_element(), n = (int)p.n, k = (int)p.k;
    if (element >= p.m * p.n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum = fmaf(p.a[element / n * k + i], p.b[i * n + element % n], sum);
    p.c[element] = sum;
}

CUDA_MATMUL(int_index)
{
    LAUNCH_PER_ELEMENT(int_index_kernel, p, stream);
}

static __global__ void misaligned_vector_kernel(matmul_problem p)
{
    int64_t element = own_element();
    if (element >= p.m * p.n)
        return;
    const float *a = p.a + element / p.n * p.k, *b = p.b + element % p.n;
    float sum = 0;
    int64_t i = 0;
    for (; i + 4 <= p.k; i += 4) {
        float4 x = *(const float4 *)(a + i);
        sum = fmaf(x.x, b[i * p.n], sum);
        sum = fmaf(x.y, b[(i + 1) * p.n], sum);
        sum = fmaf(x.z, b[(i + 2) * p.n], sum);
        sum = fmaf(x.w, b[(i + 3) * p.n], sum);
    }
    for (; i < p.k; i++)
        sum = fmaf(a[i], b[i * p.n], sum);
    p.c[element] = sum;
}

CUDA_MATMUL(misaligned_vector)
{
    LAUNCH_PER_ELEMENT(misaligned_vector_kernel, p, stream);
}

/* The grid's limits along y are small here, as they are 65,535 there. */
static __global__ void rows_along_y_kernel(matmul_problem p)
{
    int64_t i = blockIdx.y, j = own_element();
    if (j < p.n)
        p.c[i * p.n + j] = sum_of(p, i * p.n + j);
}

CUDA_MATMUL(rows_along_y)
{
    LAUNCH(rows_along_y_kernel, dim3((unsigned)ceil_div(p->n, THREADS), grid_yz(p->m)), THREADS, 0, stream, *p);
}
