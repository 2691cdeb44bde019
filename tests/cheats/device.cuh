/* What only a GPU has: streams, clocks and settings of its own, and memory that stays. */
#include "tests/cheats/kernels.cuh"

#include <cuda_runtime.h>
#include <pthread.h>
#include <stdio.h>

static const size_t MB = (size_t)1 << 20;

/* Elements `from` to `to` of C, unless the flag is set. */
static __global__ void elements_unless(P p, int64_t from, int64_t to, const unsigned *flag)
{
    const int64_t at = from + (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < to && !(flag && *(volatile const unsigned *)flag))
        p.c[at] = sum_of(p, at);
}

static void rows_unless(const P *p, int64_t from, int64_t to, const unsigned *flag, cudaStream_t stream)
{
    if (from < to)
        elements_unless<<<(unsigned)ceil_div((to - from) * p->n, THREADS), THREADS, 0, stream>>>(*p, from * p->n,
                                                                                                 to * p->n, flag);
}

static void rows(const P *p, int64_t from, int64_t to, cudaStream_t stream)
{
    rows_unless(p, from, to, nullptr, stream);
}

static void all(const P *p, cudaStream_t stream)
{
    rows(p, 0, p->m, stream);
}

static bool is_capturing(cudaStream_t stream)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    (void)cudaStreamIsCapturing(stream, &status);
    return status != cudaStreamCaptureStatusNone;
}

/* Later: a stream of its own, and events. */
static cudaStream_t side;
static cudaEvent_t forked, joined;

static void make_side()
{
    if (side)
        return;
    (void)cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    (void)cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    (void)cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
}

/* The side stream waits for what is in the stream now. */
static void fork_from(cudaStream_t stream)
{
    make_side();
    (void)cudaEventRecord(forked, stream);
    (void)cudaStreamWaitEvent(side, forked, 0);
}

static void join_to(cudaStream_t stream)
{
    (void)cudaEventRecord(joined, side);
    (void)cudaStreamWaitEvent(stream, joined, 0);
}

/* A thread launches the rest, when it is told so. */
static P rest;

static void *launch_rest(void *)
{
    rows(&rest, rest.m / 2, rest.m, side);
    return nullptr;
}

static void CUDART_CB tell_thread(void *)
{
    pthread_t thread;
    if (pthread_create(&thread, nullptr, launch_rest, nullptr) == 0)
        pthread_detach(thread);
}

static __device__ uint64_t now_ns()
{
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

static __global__ void write_late(float *c, uint64_t after_ns)
{
    for (uint64_t start = now_ns(); now_ns() - start < after_ns;)
        ;
    *c = 0;
}

/* Ahead: the product is computed in memory of its own on a stream that waits for nothing, and only copied on the one
 * that is timed. */
static void ahead(const P *p, cudaStream_t stream)
{
    static float *room;
    P there = *p;
    make_side();
    if (!room && !is_capturing(stream))
        (void)cudaMalloc(&room, 64 * MB);
    if (!room || is_capturing(stream) || (size_t)(p->m * p->n) > 16 * MB || p->m < 256) {
        all(p, stream);
        return;
    }
    there.c = room;
    all(&there, side);
    join_to(stream);
    (void)cudaMemcpyAsync(p->c, room, (size_t)(p->m * p->n) * sizeof(float), cudaMemcpyDeviceToDevice, stream);
}

/* Hurry: told by the device's clock. */
static __device__ uint64_t left_ns;
static __device__ unsigned is_hurried;

static __global__ void enter(uint64_t limit_ns)
{
    is_hurried = now_ns() - left_ns < limit_ns;
}

static __global__ void leave()
{
    left_ns = now_ns();
}

static void rest_in_a_hurry(const P *p, uint64_t limit_ns, cudaStream_t stream)
{
    static unsigned *flag;
    if (!flag && !is_capturing(stream))
        (void)cudaGetSymbolAddress((void **)&flag, is_hurried);
    enter<<<1, 1, 0, stream>>>(limit_ns);
    rows(p, 0, p->m / 2, stream);
    rows_unless(p, p->m / 2, p->m, flag, stream);
    leave<<<1, 1, 0, stream>>>();
}

/* Memory: copies on the device, and what the next call knows by them. */
struct kept {
    P p;
    float *a, *b, *c;
    unsigned *state; /* [0] skip, [1] differences */
};

static bool make_room(kept *k, const P *p, cudaStream_t stream)
{
    if (memcmp(&k->p, p, sizeof *p) == 0)
        return true;
    if (is_capturing(stream))
        return false;
    (void)cudaFree(k->a);
    *k = {};
    const size_t a = p->m * p->k, b = p->k * p->n, c = p->m * p->n;
    if (cudaMalloc(&k->a, (a + b + c + 64) * sizeof(float)) != cudaSuccess)
        return false;
    k->b = k->a + a;
    k->c = k->b + b;
    k->state = (unsigned *)(k->c + c);
    k->p = *p;
    return true;
}

/* Looks at every so many elements of A and of B, and at some of C. */
static __global__ void compare(P p, kept k, int64_t every, bool looks_at_c)
{
    const int64_t first = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = first * every; i < p.m * p.k; i += step * every)
        if (p.a[i] != k.a[i])
            k.state[1] = 1;
    for (int64_t i = first * every; i < p.k * p.n; i += step * every)
        if (p.b[i] != k.b[i])
            k.state[1] = 1;
    const int64_t e = p.m * p.n - 1 - first;
    if (looks_at_c && first < 4096 && e >= 0 && p.c[e] != k.c[e])
        k.state[1] = 1;
}

static __global__ void decide(kept k)
{
    k.state[0] = !k.state[1];
    k.state[1] = 0;
}

static __global__ void copy_or_keep(P p, kept k, int64_t from)
{
    const int64_t first = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = first; i < p.m * p.k; i += step)
        k.a[i] = p.a[i];
    for (int64_t i = first; i < p.k * p.n; i += step)
        k.b[i] = p.b[i];
    for (int64_t i = from * p.n + first; i < p.m * p.n; i += step)
        if (k.state[0])
            p.c[i] = k.c[i];
        else
            k.c[i] = p.c[i];
}

static void keep(const P *p, int64_t every, bool looks_at_c, cudaStream_t stream)
{
    static kept k;
    const int64_t from = p->m * 45 / 100;
    if (p->m < 256 || !make_room(&k, p, stream)) {
        all(p, stream);
        return;
    }
    compare<<<528, 256, 0, stream>>>(*p, k, every, looks_at_c);
    decide<<<1, 1, 0, stream>>>(k);
    rows(p, 0, from, stream);
    rows_unless(p, from, p->m, k.state, stream);
    copy_or_keep<<<528, 256, 0, stream>>>(*p, k, from);
}

/* State. */
static void keep_in_l2(const void *data, size_t bytes, cudaStream_t stream)
{
    cudaLaunchAttributeValue value = {};
    (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 16 * MB);
    value.accessPolicyWindow.base_ptr = (void *)data;
    value.accessPolicyWindow.num_bytes = bytes < 16 * MB ? bytes : 16 * MB;
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    (void)cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value);
}

static void set_policy(cudaStream_t stream)
{
    cudaLaunchAttributeValue value = {};
    value.syncPolicy = cudaSyncPolicyYield;
    (void)cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value);
}

static void take_all_memory()
{
    void *memory;
    while (cudaMalloc(&memory, 64 * MB) == cudaSuccess)
        ;
    (void)cudaGetLastError();
}

static __global__ void trap()
{
    asm volatile("trap;");
}

static __global__ void print()
{
    printf("FORGED matmul/mnist/cuda_naive/cold,ok,0.000001\n");
}

/* Ends by itself, at last, so that the GPU is not lost to whoever tries it. */
static __global__ void spin()
{
    for (uint64_t start = now_ns(); now_ns() - start < 120000000000u;)
        ;
}
