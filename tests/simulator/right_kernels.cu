/* What the threads of a block do together: indices, shared memory, barriers, warps. right_memory_kernels.cu has the
 * rest. */
#include "right_kernels.h"

#include "kernels/launch.h"
#include "kernels/mma.h"

static __device__ unsigned thread_in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

static __global__ void indices(const uint32_t *in, uint32_t *out)
{
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    unsigned at = block * threads + thread_in_block();
    out[at] = in[at] ^ (blockIdx.x | blockIdx.y << 4 | blockIdx.z << 8 | threadIdx.x << 12 | threadIdx.y << 16 |
                        threadIdx.z << 20);
}
RIGHT(indices, dim3(3, 2, 4), dim3(5, 3, 2), 0)

/* Turns a row of 64, a tile of 8 x 8 and a cube of 4 x 4 x 4; two blocks, so that the arrays are used anew. */
static __global__ void shared_arrays(const uint32_t *in, uint32_t *out)
{
    __shared__ uint32_t row[64];
    __shared__ uint32_t tile[8][9];
    __shared__ uint16_t cube[4][5][4];
    unsigned t = threadIdx.x;
    const uint32_t *mine = in + blockIdx.x * 64;
    row[t] = mine[t];
    tile[t / 8][t % 8] = mine[t];
    cube[t / 16][t / 4 % 4][t % 4] = (uint16_t)mine[t];
    __syncthreads();
    uint32_t *to = out + blockIdx.x * 192;
    to[t] = row[63 - t];
    to[64 + t] = tile[t % 8][t / 8];
    to[128 + t] = cube[t % 4][t / 16][t / 4 % 4];
}
RIGHT(shared_arrays, 3, 64, 0)

/* A barrier waits for the threads that have not ended. */
static __global__ void ended_before_barrier(const uint32_t *in, uint32_t *out)
{
    __shared__ uint32_t row[40];
    if (threadIdx.x >= 40)
        return;
    row[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = row[39 - threadIdx.x];
}
RIGHT(ended_before_barrier, 1, 64, 0)

static __global__ void dynamic_shared(const uint32_t *in, uint32_t *out)
{
    DYNAMIC_SHARED(uint32_t, words);
    words[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}

const char *right_dynamic_shared(const uint32_t *in, uint32_t *out, void *stream)
{
    LAUNCH(dynamic_shared, 1, 40, 40 * sizeof *in, (cudaStream_t)stream, in, out);
    LAUNCH(dynamic_shared, 1, 200, 200 * sizeof *in, (cudaStream_t)stream, in + 40, out + 40);
    return launch_error(__func__);
}

/* Adds up blocks of N, halving what is left; both instances have an array of their own. */
template <int N>
static __global__ void templates(const uint32_t *in, uint32_t *out)
{
    __shared__ uint32_t sums[N];
    int t = (int)threadIdx.x;
    sums[t] = in[(int)blockIdx.x * N + t];
    for (int left = N; left > 1; left = (left + 1) / 2) {
        __syncthreads();
        if (t < left / 2)
            sums[t] += sums[left - 1 - t];
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}

const char *right_templates(const uint32_t *in, uint32_t *out, void *stream)
{
    LAUNCH(templates<77>, 7, 77, 0, (cudaStream_t)stream, in, out);
    LAUNCH(templates<128>, 3, 128, 0, (cudaStream_t)stream, in, out + 7);
    return launch_error(__func__);
}

/* Predicates are true with any value but 0. Round 0: none, 1: all, 2 and 3: some; 100 threads are no whole warps. */
static __global__ void barriers(const uint32_t *in, uint32_t *out)
{
    int t = (int)threadIdx.x;
    for (int round = 0; round < 4; round++) {
        int predicate = round == 0 ? 0 : round == 1 ? 256 : (int)(in[round * 100 + t] & 4);
        int count = __syncthreads_count(predicate);
        int all = __syncthreads_and(predicate), any = __syncthreads_or(predicate);
        out[round * 100 + t] = (uint32_t)(count | (all != 0) << 16 | (any != 0) << 17);
    }
}
RIGHT(barriers, 1, 100, 0)

/* The halves of a warp go different ways, and wait for each other as often as they like. */
static __global__ void half_warps(const uint32_t *in, uint32_t *out)
{
    __shared__ uint32_t words[64];
    unsigned t = threadIdx.x, half = t / 16 * 16;
    uint32_t mine = in[t];
    if (t % 32 < 16) {
        for (unsigned turn = 0; turn < 3; turn++) {
            words[t] = mine;
            __syncwarp(0x0000FFFF);
            mine += words[half + (t + 1) % 16];
            __syncwarp(0x0000FFFF);
        }
    } else {
        for (unsigned turn = 0; turn < 5; turn++) {
            words[t] = mine;
            __syncwarp(0xFFFF0000);
            mine ^= words[half + (t + 3) % 16];
            __syncwarp(0xFFFF0000);
        }
    }
    __syncwarp();
    words[t] = mine;
    __syncwarp();
    out[t] = words[t ^ 31];
}
RIGHT(half_warps, 1, 64, 0)

static __global__ void votes(const uint32_t *in, uint32_t *out)
{
    unsigned t = threadIdx.x, warp = t / 32;
    int some = (int)(in[t] & 2), all = 512, none = 0;
    out[t] = __ballot_sync(0xFFFFFFFF, some);
    if (t % 2 == 0)
        out[64 + t] = __ballot_sync(0x55555555, some);
    else
        out[64 + t] = __ballot_sync(0xAAAAAAAA, all);
    int three = (__any_sync(0xFFFFFFFF, some) != 0) | (__any_sync(0xFFFFFFFF, none) != 0) << 1 |
                (__any_sync(0xFFFFFFFF, warp == 0 && t == 9) != 0) << 2;
    out[128 + t] = (uint32_t)three;
    three = (__all_sync(0xFFFFFFFF, some) != 0) | (__all_sync(0xFFFFFFFF, all) != 0) << 1 |
            (__all_sync(0xFFFFFFFF, warp == 1 || t != 9) != 0) << 2;
    out[192 + t] = (uint32_t)three;
    out[256 + t] = __ballot_sync(0xFFFFFFFF, t % 32 > 20 && warp == 1);
}
RIGHT(votes, 1, 64, 0)

/* Threads without work are gone when the others exchange values; masks may still name them. */
static __global__ void early_exit(const uint32_t *in, uint32_t *out)
{
    unsigned t = threadIdx.x, lane = t % 32, here = 41;
    if (t >= here)
        return;
    uint32_t sum = in[t];
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        uint32_t other = __shfl_down_sync(0xFFFFFFFF, sum, delta);
        if (lane + delta < 32 && t + delta < here)
            sum += other;
    }
    out[t] = __shfl_sync(0xFFFFFFFF, sum, 0);
    out[here + t] = __ballot_sync(0xFFFFFFFF, 1);
    out[2 * here + t] = (uint32_t)__all_sync(0xFFFFFFFF, 1) + (uint32_t)__any_sync(0xFFFFFFFF, 0);
}
RIGHT(early_exit, 1, 48, 0)

/* Lanes are numbered through x, then y, then z: a warp has 8 x 2 x 2 threads, or 8 x 2 x 1 at the end. */
static __global__ void lanes_in_space(const uint32_t *in, uint32_t *out)
{
    unsigned t = thread_in_block(), whole = t < 64 ? 0xFFFFFFFF : 0x0000FFFF;
    uint32_t mine = in[t];
    out[t] = __shfl_up_sync(whole, mine, 5);
    out[80 + t] = __shfl_down_sync(whole, mine, 3, 16);
    out[160 + t] = __shfl_xor_sync(whole, mine, 9);
    out[240 + t] = __shfl_sync(whole, mine, (int)threadIdx.x + 1, 8);
    out[320 + t] = __ballot_sync(whole, (int)(mine & 4));
}
RIGHT(lanes_in_space, 1, dim3(8, 2, 5), 0)

/* All four shuffles, over whole warps and over parts of 8. */
template <typename T>
static __global__ void shuffles(const T *in, T *out)
{
    int t = (int)threadIdx.x;
    T mine = in[t];
    out[t] = __shfl_sync(0xFFFFFFFF, mine, t * 7 + 3);
    out[64 + t] = __shfl_up_sync(0xFFFFFFFF, mine, 3);
    out[128 + t] = __shfl_down_sync(0xFFFFFFFF, mine, 5);
    out[192 + t] = __shfl_xor_sync(0xFFFFFFFF, mine, 22);
    out[256 + t] = __shfl_sync(0xFFFFFFFF, mine, t + 11, 8);
    out[320 + t] = __shfl_up_sync(0xFFFFFFFF, mine, 3, 8);
    out[384 + t] = __shfl_down_sync(0xFFFFFFFF, mine, 5, 8);
    out[448 + t] = __shfl_xor_sync(0xFFFFFFFF, mine, 6, 8);
    out[512 + t] = __shfl_xor_sync(0xFFFFFFFF, mine, 12, 8); /* parts before the own one can be read, others cannot */
    if (t % 32 < 8)
        out[576 + t] = __shfl_xor_sync(0x000000FF, mine, 1);
    else
        out[576 + t] = __shfl_down_sync(0xFFFFFF00, mine, 1, 4);
    out[640 + t] = __shfl_sync(0xFFFFFFFF, mine, t - 45);
    out[704 + t] = __shfl_sync(0xFFFFFFFF, mine, 5 - t, 16);
}

#define RIGHT_SHUFFLES(name, T)                                                                                      \
    const char *right_##name(const uint32_t *in, uint32_t *out, void *stream)                                        \
    {                                                                                                                \
        LAUNCH(shuffles<T>, 1, 64, 0, (cudaStream_t)stream, (const T *)(const void *)(in + 1024), (T *)(void *)out); \
        return launch_error(__func__);                                                                               \
    }
RIGHT_SHUFFLES(shuffles_float, float)
RIGHT_SHUFFLES(shuffles_double, double)

/* Small whole numbers, whose products and sums no format rounds. */
static __device__ float small(uint32_t word)
{
    return (float)(word % 33) - 16;
}

static __device__ uint32_t small_tf32(uint32_t word)
{
    return __float_as_uint(small(word));
}

/* Two warps, 1024 words each: d += a b of both formats, row by row. d is whole, a and b lie behind it. */
static __global__ void tensor_cores(const uint32_t *in, uint32_t *out)
{
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, r = lane / 4, c = lane % 4;
    in += 1024 * warp;
    out += 320 * warp;
    const uint32_t *d = in, *a = in + 128, *b = in + 256, *wide_a = in + 320, *wide_b = in + 576;
    float sums[4], wide_sums[4];
    for (int i = 0; i < 4; i++)
        sums[i] = wide_sums[i] = small(d[8 * (r + i / 2 * 8) + 2 * c + i % 2]);
    uint32_t left[4] = {small_tf32(a[8 * r + c]), small_tf32(a[8 * (r + 8) + c]), small_tf32(a[8 * r + c + 4]),
                        small_tf32(a[8 * (r + 8) + c + 4])};
    mma_tf32(sums, left, small_tf32(b[8 * c + r]), small_tf32(b[8 * (c + 4) + r]));
    for (int i = 0; i < 4; i++) {
        const uint32_t *two = wide_a + 16 * (r + i % 2 * 8) + 2 * c + i / 2 * 8;
        left[i] = fp16_pair(small(two[0]), small(two[1]));
    }
    uint32_t right[2];
    for (int i = 0; i < 2; i++) {
        const uint32_t *two = wide_b + 8 * (2 * c + 8 * i) + r;
        right[i] = fp16_pair(small(two[0]), small(two[8]));
    }
    mma_fp16(wide_sums, left, right[0], right[1]);
    for (int i = 0; i < 4; i++) {
        int at = 8 * (r + i / 2 * 8) + 2 * c + i % 2;
        out[at] = __float_as_uint(sums[i]);
        out[128 + at] = __float_as_uint(wide_sums[i]);
    }
    out[256 + lane] = warp_max(in[lane]);
    out[288 + lane] = warp_min(in[lane]);
}
RIGHT(tensor_cores, 1, 64, 0)
