/* What only the simulator can be expected to see: on a GPU these kernels are right most of the time, or do not run. */
#include "tests/cheats/kernels.cuh"

/* On a GPU this would need memory that the host may touch. */
static inline void right_on_host(const P *p)
{
    for (int64_t at = 0; at < p->m * p->n; at++) {
        p->c[at] = 0;
        for (int64_t k = 0; k < p->k; k++)
            p->c[at] += p->a[at / p->n * p->k + k] * p->b[k * p->n + at % p->n];
    }
}

static __global__ void idle()
{
}

/* One row of A per block goes through shared memory: with the first barrier, the second one, and all copies waited for,
 * if they are asked for. */
constexpr int DEPTH = 32;
enum { FIRST_BARRIER = 1, SECOND_BARRIER = 2, COPIES = 4 };

static __global__ void row_in_shared(P p, int what)
{
    __shared__ float row[DEPTH];
    const int64_t i = blockIdx.x;
    for (int64_t first = 0; first < p.n; first += THREADS) {
        const int64_t j = first + threadIdx.x;
        float sum = 0;
        for (int64_t k = 0; k < p.k; k += DEPTH) {
            const bool mine = threadIdx.x < DEPTH && k + threadIdx.x < p.k;
            if (mine && (what & COPIES))
                copy_async(&row[threadIdx.x], &p.a[i * p.k + k + threadIdx.x]);
            else if (mine)
                row[threadIdx.x] = p.a[i * p.k + k + threadIdx.x];
            copy_async_commit();
            copy_async_wait(1); /* 0 is meant */
            if (what & FIRST_BARRIER)
                __syncthreads();
            for (int64_t x = 0; x < DEPTH && k + x < p.k && j < p.n; x++)
                sum = fmaf(row[x], p.b[(k + x) * p.n + j], sum);
            if (what & SECOND_BARRIER)
                __syncthreads();
        }
        if (j < p.n)
            p.c[i * p.n + j] = sum;
    }
}

#define ROWS(what) LAUNCH(row_in_shared, (unsigned)p->m, THREADS, 0, stream, *p, what)

/* In the last block some threads do not come to the barrier. */
ELEMENT_KERNEL(half_barrier, float sum = sum_of(p, at); __syncthreads(); *c = sum;)

/* Blocks of both halves of k add by load and store. */
ELEMENT_KERNEL(racing_blocks, int64_t half = blockIdx.y; float before = half == 0 ? 0 : *c;
               *c = before + sum_of(p, at, p.k *half / 2, p.k *(half + 1) / 2, fused);)

#define TWICE_PER_ELEMENT(kernel) \
    LAUNCH(kernel, dim3((unsigned)ceil_div(p->m * p->n, THREADS), 2), THREADS, 0, stream, *p)
