// Blocks take a part each. First they add it up; then each adds up the sums of the parts before its own, and goes
// through its part tile by tile, with what came before in `before`. Within a warp, prefix sums are made by shuffles.
#include <cstdint>

#define THREADS 128
#define BLOCKS 64 // no more than threads

__device__ int32_t sum_of[BLOCKS];

// The sum of x over this thread and those before it; `all` is that of the whole block.
__device__ int32_t scan_block(int32_t x, int32_t &all)
{
    __shared__ int32_t of_warps[THREADS / 32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        int32_t other = __shfl_up_sync(0xFFFFFFFF, x, distance);
        x += lane >= distance ? other : 0;
    }
    if (lane == 31)
        of_warps[warp] = x;
    __syncthreads();
    all = 0;
    for (int i = 0; i < THREADS / 32; i++) {
        x += i < warp ? of_warps[i] : 0;
        all += of_warps[i];
    }
    __syncthreads(); // of_warps may be written again
    return x;
}

// Elements of a part.
__device__ int part_of(int n)
{
    return (n - 1) / (int)gridDim.x + 1;
}

__global__ void add_up_parts(const int32_t *x, int n)
{
    int part = part_of(n), first = blockIdx.x * part, last = min(n, first + part);
    int32_t sum = 0, all;
    for (int i = first + threadIdx.x; i < last; i += THREADS)
        sum += x[i];
    scan_block(sum, all);
    if (threadIdx.x == 0)
        sum_of[blockIdx.x] = all;
}

__global__ void scan_parts(const int32_t *x, int32_t *y, int n)
{
    int part = part_of(n), first = blockIdx.x * part, last = min(n, first + part);
    int32_t before, all;
    scan_block(threadIdx.x < blockIdx.x ? sum_of[threadIdx.x] : 0, before);
    for (int tile = first; tile < last; tile += THREADS) {
        int i = tile + threadIdx.x;
        int32_t sum = scan_block(i < last ? x[i] : 0, all);
        if (i < last)
            y[i] = before + sum;
        before += all;
    }
}

extern "C" void solution(const int32_t *x, int32_t *y, int n)
{
    int blocks = min(BLOCKS, (n - 1) / THREADS + 1);
    add_up_parts<<<blocks, THREADS>>>(x, n);
    scan_parts<<<blocks, THREADS>>>(x, y, n);
}
