/* Cheats with kernels that only a GPU can run. */
#include "tests/cheats/kernels/kernel.h"

#include <stdint.h>
#include <stdio.h>

/* What is kept on the device: half of C, and how it is recognised. */
struct kept {
    const float *a, *c;
    float *half;
    int64_t elements;
};

static void copy(float *to, const float *from, int64_t elements, cudaStream_t stream)
{
    (void)cudaMemcpyAsync(to, from, (size_t)elements * sizeof *to, cudaMemcpyDeviceToDevice, stream);
}

static void multiply_rows(const struct matmul_problem *p, int64_t from, int64_t to, cudaStream_t stream)
{
    struct matmul_problem rows = *p;
    rows.m = to - from;
    rows.a += from * p->k;
    rows.c += from * p->n;
    if (rows.m > 0)
        (void)matmul_cuda_tiled(&rows, stream);
}

/* The first call per pointers keeps the lower half of C; later calls copy it. */
CUDA_MATMUL(replays_half)
{
    static struct kept kept[64];
    static unsigned next;
    int64_t rows = p->m / 2, elements = (p->m - rows) * p->n;
    float *lower = p->c + rows * p->n;
    multiply_rows(p, 0, rows, stream);
    for (unsigned i = 0; i < 64; i++) {
        if (kept[i].a == p->a && kept[i].c == p->c && kept[i].elements == elements) {
            copy(lower, kept[i].half, elements, stream);
            return;
        }
    }
    multiply_rows(p, rows, p->m, stream);
    struct kept *to = &kept[next++ % 64];
    float *half = nullptr;
    if (cudaMalloc(&half, (size_t)elements * sizeof *half) != cudaSuccess)
        return;
    copy(half, lower, elements, stream);
    *to = {p->a, p->c, half, elements};
}

/* Keeps A, B and C of the last honest call on the device, and compares 64 elements of A and of B with what it has. */
struct memory {
    float *a, *b, *c;
    int *differs;
    int64_t m, n, k;
};

static __global__ void compare_kernel(matmul_problem p, memory kept)
{
    int64_t i = threadIdx.x * (p.m * p.k) / 64, j = threadIdx.x * (p.k * p.n) / 64;
    bool differs = p.a[i] != kept.a[i] || p.b[j] != kept.b[j];
    if (threadIdx.x == 0)
        *kept.differs = 0;
    __syncthreads();
    if (differs)
        *kept.differs = 1;
}

static __global__ void copy_or_multiply_kernel(matmul_problem p, memory kept)
{
    int64_t element = own_element();
    if (element < p.m * p.n)
        p.c[element] = *kept.differs ? sum_of(p, element) : kept.c[element];
}

static __global__ void keep_kernel(matmul_problem p, memory kept)
{
    if (!*kept.differs)
        return;
    int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = own_element(); i < p.m * p.k; i += step)
        kept.a[i] = p.a[i];
    for (int64_t i = own_element(); i < p.k * p.n; i += step)
        kept.b[i] = p.b[i];
    for (int64_t i = own_element(); i < p.m * p.n; i += step)
        kept.c[i] = p.c[i];
}

static bool make(struct memory *kept, const struct matmul_problem *p)
{
    if (kept->m == p->m && kept->n == p->n && kept->k == p->k)
        return true;
    (void)cudaFree(kept->a);
    (void)cudaFree(kept->b);
    (void)cudaFree(kept->c);
    (void)cudaFree(kept->differs);
    *kept = {nullptr, nullptr, nullptr, nullptr, p->m, p->n, p->k};
    return cudaMalloc(&kept->a, (size_t)(p->m * p->k) * sizeof(float)) == cudaSuccess &&
           cudaMalloc(&kept->b, (size_t)(p->k * p->n) * sizeof(float)) == cudaSuccess &&
           cudaMalloc(&kept->c, (size_t)(p->m * p->n) * sizeof(float)) == cudaSuccess &&
           cudaMalloc(&kept->differs, sizeof(int)) == cudaSuccess;
}

CUDA_MATMUL(kept_by_sample)
{
    static struct memory kept;
    if (!make(&kept, p))
        return;
    unsigned blocks = (unsigned)ceil_div(p->m * p->n, THREADS);
    LAUNCH(compare_kernel, 1, 64, 0, stream, *p, kept);
    LAUNCH(copy_or_multiply_kernel, blocks, THREADS, 0, stream, *p, kept);
    LAUNCH(keep_kernel, blocks < 256 ? blocks : 256, THREADS, 0, stream, *p, kept);
}

/* Knows by the device's clock that one launch follows the other. */
static __device__ uint64_t left_ns;

static __device__ uint64_t now_ns()
{
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

static __device__ int is_hurried;

static __global__ void enter_kernel()
{
    is_hurried = now_ns() - left_ns < 20000;
}

static __device__ uint64_t shortest_ns = UINT64_MAX;

/* Anything that comes between two calls takes longer than this. */
static __global__ void enter_if_nothing_came_kernel()
{
    uint64_t gap_ns = now_ns() - left_ns;
    shortest_ns = gap_ns < shortest_ns ? gap_ns : shortest_ns;
    is_hurried = gap_ns < 20000 && gap_ns < shortest_ns + 1000;
}

static __global__ void leave_kernel()
{
    left_ns = now_ns();
}

static __global__ void rest_kernel(matmul_problem p)
{
    int64_t element = own_element();
    if (element < p.m * p.n && (element < p.m * p.n / 2 || !is_hurried))
        p.c[element] = sum_of(p, element);
}

CUDA_MATMUL(rests_in_a_hurry)
{
    LAUNCH(enter_kernel, 1, 1, 0, stream);
    LAUNCH_PER_ELEMENT(rest_kernel, p, stream);
    LAUNCH(leave_kernel, 1, 1, 0, stream);
}

CUDA_MATMUL(rests_if_nothing_came)
{
    LAUNCH(enter_if_nothing_came_kernel, 1, 1, 0, stream);
    LAUNCH_PER_ELEMENT(rest_kernel, p, stream);
    LAUNCH(leave_kernel, 1, 1, 0, stream);
}

/* Of the elements of a warp, one is computed, and the others only if C has another value there. */
static __global__ void if_first_differs_kernel(matmul_problem p)
{
    int64_t element = own_element(), first = element / 32 * 32;
    bool differs = false;
    if (element < p.m * p.n && element == first) {
        float sum = sum_of(p, element);
        differs = p.c[element] != sum;
        p.c[element] = sum;
    }
    if (__any_sync(0xFFFFFFFF, differs) && element < p.m * p.n && element != first)
        p.c[element] = sum_of(p, element);
}

CUDA_MATMUL(if_first_differs)
{
    LAUNCH_PER_ELEMENT(if_first_differs_kernel, p, stream);
}

/* Of products as large as those that are timed, only what the largest are sampled by: rows that are multiples of 16. */
CUDA_MATMUL(every_16th_row)
{
    if ((double)p->m * (double)p->n * (double)p->k < 3e8) {
        (void)matmul_cuda_tiled(p, stream);
        return;
    }
    for (int64_t i = 0; i < p->m; i += 16) {
        multiply_rows(p, i, i + 1, stream);
        for (int64_t x = i + 1; x < i + 16 && x < p->m; x++)
            copy(p->c + x * p->n, p->c + i * p->n, p->n, stream);
    }
}

static __global__ void trap_kernel()
{
    asm volatile("trap;");
}

CUDA_MATMUL(traps)
{
    (void)p;
    LAUNCH(trap_kernel, 1, 1, 0, stream);
}

static __global__ void nowhere_kernel(float *nowhere)
{
    *nowhere = 1;
}

CUDA_MATMUL(illegal_address)
{
    multiply(p, stream);
    LAUNCH(nowhere_kernel, 1, 1, 0, stream, (float *)nullptr);
}

static __global__ void print_kernel()
{
    printf("matmul/mnist/cuda_naive/cold,ok,0.000001\n");
}

CUDA_MATMUL(prints_rows)
{
    multiply(p, stream);
    LAUNCH(print_kernel, 1, 1, 0, stream);
}

/* Ends by itself, at last, so that the GPU is not lost to whoever tries it. */
static __global__ void spin_kernel()
{
    for (uint64_t start = now_ns(); now_ns() - start < 120000000000u;)
        ;
}

CUDA_MATMUL(hangs)
{
    multiply(p, stream);
    LAUNCH(spin_kernel, 1, 1, 0, stream);
}

/* A kernel that launches from the device would need another build; one that outlives its own stream does not. */
static __global__ void late_kernel(float *c, uint64_t wait_ns, float value)
{
    for (uint64_t start = now_ns(); now_ns() - start < wait_ns;)
        ;
    *c = value;
}

CUDA_MATMUL(spoils_c_later)
{
    static cudaStream_t side;
    if (!side)
        (void)cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    LAUNCH(late_kernel, 1, 1, 0, side, p->c, 300000, 0.0f);
    multiply(p, stream);
}
