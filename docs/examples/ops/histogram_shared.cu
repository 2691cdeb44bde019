// A block counts in shared memory, where atomic operations are fast, and adds its counts to those of all at the end. If
// there are more bins than shared memory holds, it counts a range of them, and other blocks the other ranges.
#include <cstdint>

#define THREADS 256
#define RANGE 4096    // bins that a block counts
#define ELEMENTS 8192 // numbers that a block looks at

__global__ void clear(int32_t *count, int bins)
{
    int bin = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin < bins)
        count[bin] = 0;
}

__global__ void add_up(const int32_t *x, int32_t *count, int n, int bins, int ranges)
{
    __shared__ int32_t here[RANGE];
    int low = blockIdx.x % ranges * RANGE, range = min(RANGE, bins - low);
    long long first = (long long)(blockIdx.x / ranges) * ELEMENTS, last = min((long long)n, first + ELEMENTS);
    for (int bin = threadIdx.x; bin < range; bin += THREADS)
        here[bin] = 0;
    __syncthreads();
    for (long long i = first + threadIdx.x; i < last; i += THREADS) {
        int bin = x[i] - low;
        if (bin >= 0 && bin < range)
            atomicAdd(&here[bin], 1);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < range; bin += THREADS)
        if (here[bin] > 0)
            atomicAdd(&count[low + bin], here[bin]);
}

extern "C" void solution(const int32_t *x, int32_t *count, int n, int bins)
{
    int ranges = (bins - 1) / RANGE + 1, parts = (n - 1) / ELEMENTS + 1;
    clear<<<(bins + 255) / 256, 256>>>(count, bins);
    add_up<<<ranges * parts, THREADS>>>(x, count, n, bins, ranges);
}
