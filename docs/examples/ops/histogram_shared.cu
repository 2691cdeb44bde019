// Few bins: a block counts in shared memory, where atomic operations are fast, and adds its counts to those of all at
// the end. Many bins are seldom counted by two threads at once, and are counted where they are.
#include <cstdint>

#define THREADS 256
#define BINS 4096     // that a block counts
#define ELEMENTS 4096 // numbers that a block looks at

__global__ void clear(int32_t *count, int bins)
{
    int bin = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin < bins)
        count[bin] = 0;
}

__global__ void add_up_by_blocks(const int32_t *x, int32_t *count, int n, int bins)
{
    __shared__ int32_t here[BINS];
    for (int bin = threadIdx.x; bin < bins; bin += THREADS)
        here[bin] = 0;
    __syncthreads();
    long long first = (long long)blockIdx.x * ELEMENTS, last = min((long long)n, first + ELEMENTS);
    for (long long i = first + threadIdx.x; i < last; i += THREADS)
        atomicAdd(&here[x[i]], 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += THREADS)
        if (here[bin] > 0)
            atomicAdd(&count[bin], here[bin]);
}

__global__ void add_up(const int32_t *x, int32_t *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&count[x[i]], 1);
}

extern "C" void solution(const int32_t *x, int32_t *count, int n, int bins)
{
    clear<<<(bins + THREADS - 1) / THREADS, THREADS>>>(count, bins);
    if (bins <= BINS && n > bins)
        add_up_by_blocks<<<(n - 1) / ELEMENTS + 1, THREADS>>>(x, count, n, bins);
    else
        add_up<<<(n - 1) / THREADS + 1, THREADS>>>(x, count, n);
}
