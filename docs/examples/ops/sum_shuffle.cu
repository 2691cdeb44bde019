// Many blocks add up a part each, and one block adds up the parts. There are no atomic operations on floats: their
// order would be another one in each call, and so would the rounding.
#define THREADS 128
#define BLOCKS 64 // no more than threads, so that the last block has them all

__device__ float parts[BLOCKS];

// The sum of x of all threads, in thread 0: first in each warp, by shuffles, then over the warps.
__device__ float sum_of_block(float x)
{
    __shared__ float of_warps[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_down_sync(0xFFFFFFFF, x, distance);
    if (lane == 0)
        of_warps[warp] = x;
    __syncthreads();
    x = threadIdx.x < THREADS / 32 ? of_warps[lane] : 0;
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_down_sync(0xFFFFFFFF, x, distance);
    return x;
}

__global__ void add_up_parts(const float *x, int n)
{
    float sum = 0;
    for (long long i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        sum += x[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = sum;
}

__global__ void add_up(float *sum, int blocks)
{
    float all = sum_of_block(threadIdx.x < blocks ? parts[threadIdx.x] : 0);
    if (threadIdx.x == 0)
        *sum = all;
}

extern "C" void solution(const float *x, float *sum, int n)
{
    int blocks = min(BLOCKS, (n - 1) / THREADS + 1);
    add_up_parts<<<blocks, THREADS>>>(x, n);
    add_up<<<1, THREADS>>>(sum, blocks);
}
