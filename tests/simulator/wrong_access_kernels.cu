/* Memory out of bounds, misaligned or more than there is; undefined arithmetic. */
#include "wrong_kernels.h"

int wrong_lines[2];

KERNEL(read_behind)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i <= n)
        AT, out[i % n] = in[i];
}

KERNEL(write_behind)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i <= n)
        AT, out[i] = in[i % n];
}

/* Near null, wherever that is from the stacks: each time another of the parts that these have. */
KERNEL(write_null)
{
    static uintptr_t times;
    int *nowhere = n > 0 ? (int *)(times % 5 << 16) : out;
    asm("" : "+r"(nowhere)); /* or the compiler sees it coming */
    if (threadIdx.x == 1)
        AT, times++, __stcs(nowhere, in[0]);
}

KERNEL(atomic_behind)
{
    if (threadIdx.x == 2)
        AT, out[0] = atomicAdd(&out[n], in[0]);
}

KERNEL(read_before)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        AT, out[i] = in[i - 1];
}

KERNEL(shared_outer)
{
    __shared__ int tile[4][8];
    int t = (int)threadIdx.x;
    AT, tile[t / 8][t % 8] = in[t];
    out[t] = tile[0][t % 8];
}

KERNEL(shared_far)
{
    __shared__ int row[64];
    long long far = (long long)threadIdx.x - 4294967296; /* 0 and more, if it were cut to 32 bits */
    AT, row[far] = in[0];
    out[0] = row[0];
}

KERNEL(dynamic_behind)
{
    DYNAMIC_SHARED(int, words);
    int t = (int)threadIdx.x;
    AT, words[t + 1] = in[t];
}

KERNEL(dynamic_none)
{
    DYNAMIC_SHARED(int, words);
    AT, words[threadIdx.x] = in[0];
}

KERNEL(read_misaligned)
{
    if (threadIdx.x == 13)
        AT, out[0] = ((const int2 *)(in + 1))->x;
}

KERNEL(shared_together)
{
    __shared__ int large[12 << 10];
    __shared__ int small;
    large[n] = in[0];
    AT, small = large[n];
    __syncthreads();
    out[0] = small + large[n];
}

KERNEL(wait_for_too_many)
{
    copy_async_wait(8);
    AT, copy_async_wait(9);
}

KERNEL(copy_from_misaligned)
{
    __shared__ uint2 pairs[32];
    int t = (int)threadIdx.x;
    if (t < 32)
        AT, copy_async(&pairs[t], (const uint2 *)&in[2 * t + t / 20]);
}

KERNEL(copy_to_misaligned)
{
    __shared__ int row[64];
    int t = (int)threadIdx.x;
    if (t == 20)
        AT, copy_async((uint4 *)&row[2], (const uint4 *)&in[0]);
}

KERNEL(copy_from_behind)
{
    __shared__ int row[64];
    int t = (int)threadIdx.x;
    AT, copy_async(&row[t], &in[n - 30 + t]);
    copy_async_commit();
    copy_async_wait(0);
    out[t] = row[t];
}

/* All threads have copies under way when thread 60 does wrong; right_reverse() has the same shared memory. */
KERNEL(copies_under_way)
{
    DYNAMIC_SHARED(int, words);
    __shared__ int row[60];
    int t = (int)threadIdx.x;
    copy_async(&words[t], &in[n - 1 - t]);
    if (t == 60)
        AT, row[t] = in[t];
    __syncthreads();
    out[t] = row[t % 60];
}

KERNEL(copy_to_behind)
{
    DYNAMIC_SHARED(int, row);
    int t = (int)threadIdx.x;
    AT, copy_async(row + 2 * t, &in[t]);
}

static __attribute__((noinline)) int deeper(int n)
{
    volatile int room[64] = {n};
    return n < 0 ? 0 : deeper(n + room[0] % 2) + room[n % 2];
}

KERNEL(endless_recursion)
{
    if (threadIdx.x == 50)
        out[0] = deeper(n);
}

KERNEL(large_frame)
{
    volatile int room[100000];
    if (threadIdx.x == 51)
        AT, room[n] = in[0], out[0] = room[n];
}

KERNEL(frame_that_fits)
{
    volatile int room[60 << 10];
    room[0] = room[(60 << 10) - 1] = in[0];
    out[threadIdx.x] = room[0];
}

KERNEL(division_by_zero)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    __syncthreads(); /* where it no longer waits */
    if (i < n)
        AT, out[i] = in[i] / (i - 70);
}

WRONG_ACCESSES(LAUNCHER)
LAUNCHER(read_before, 2, 0, )
WRONG_TRAPS(LAUNCHER)
WRONG_STACKS(LAUNCHER)
LAUNCHER(frame_that_fits, 1, 0, )

KERNEL(set_to_3)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = 3;
}

/* It has no copies to wait for; what another launch left under way would arrive then. */
KERNEL(reverse)
{
    DYNAMIC_SHARED(int, row);
    int t = (int)threadIdx.x, first = (int)blockIdx.x * 64, count = min(n - first, 64);
    if (t < count)
        row[t] = in[first + t];
    copy_async_commit();
    copy_async_wait(0);
    __syncthreads();
    int turned = t < count ? row[count - 1 - t] : 0;
    __syncwarp();
    if (t < count)
        out[first + t] = turned;
}

const char *right_reverse(const int *in, int *out, int n)
{
    LAUNCH(reverse_kernel, (unsigned)ceil_div(n, 64), 64, 64 * sizeof *in, nullptr, in, out, n);
    return launch_error("a rung");
}

const char *wrong_second_launch(const int *in, int *out, int n)
{
    LAUNCH(reverse_kernel, 2, 64, 64 * sizeof *in, nullptr, in, out, n);
    LAUNCH(read_behind_kernel, 2, 64, 0, nullptr, in, out, n);
    LAUNCH(set_to_3_kernel, 2, 64, 0, nullptr, in, out, n);
    return launch_error("a rung");
}

const char *wrong_workspace(const int *in, int *out, int n)
{
    void *memory;
    if (cudaMalloc(&memory, (size_t)(n - 1) * sizeof *out))
        return launch_error("a rung");
    LAUNCH(reverse_kernel, 2, 64, 64 * sizeof *in, nullptr, in, (int *)memory, n);
    LAUNCH(reverse_kernel, 2, 64, 64 * sizeof *in, nullptr, (const int *)memory, out, n);
    const char *error = launch_error("a rung");
    return cudaFree(memory) ? "cudaFree failed" : error;
}

const char *wrong_reads_on_host(const int *in, int *out, int n)
{
    AT, n += in[3] - 7;
    return right_reverse(in, out, n);
}

const char *wrong_writes_on_host(const int *in, int *out, int n)
{
    const char *error = right_reverse(in, out, n);
    AT, out[4] = 5;
    return error;
}
