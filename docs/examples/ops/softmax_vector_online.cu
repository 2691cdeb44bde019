// Many blocks, and the largest element and the sum in one pass: where a larger element appears, the sum so far is
// multiplied by exp(old - new). Two parts become one in the same way.
#include <cfloat>
#include <cmath>

#define THREADS 128
#define BLOCKS 64 // no more than threads, so that each has a part at most

__device__ float largest_of[BLOCKS], sum_of[BLOCKS];

__device__ void join(float &largest, float &sum, float other_largest, float other_sum)
{
    float larger = fmaxf(largest, other_largest);
    sum = sum * expf(largest - larger) + other_sum * expf(other_largest - larger);
    largest = larger;
}

// All threads' parts become one, in each of them: by a tree in shared memory.
__device__ void join_all(float &largest, float &sum)
{
    __shared__ float most[THREADS], all[THREADS];
    int t = threadIdx.x;
    most[t] = largest;
    all[t] = sum;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            join(largest, sum, most[t + half], all[t + half]);
            most[t] = largest;
            all[t] = sum;
        }
    }
    __syncthreads();
    largest = most[0];
    sum = all[0];
}

__global__ void find_parts(const float *x, int n)
{
    float largest = -FLT_MAX, sum = 0;
    for (long long i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        join(largest, sum, x[i], 1);
    join_all(largest, sum);
    if (threadIdx.x == 0) {
        largest_of[blockIdx.x] = largest;
        sum_of[blockIdx.x] = sum;
    }
}

__global__ void divide(const float *x, float *y, int n)
{
    bool is_part = threadIdx.x < gridDim.x;
    float largest = is_part ? largest_of[threadIdx.x] : -FLT_MAX, sum = is_part ? sum_of[threadIdx.x] : 0;
    join_all(largest, sum);
    for (long long i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        y[i] = expf(x[i] - largest) / sum;
}

extern "C" void solution(const float *x, float *y, int n)
{
    int blocks = min(BLOCKS, (n - 1) / THREADS + 1);
    find_parts<<<blocks, THREADS>>>(x, n);
    divide<<<blocks, THREADS>>>(x, y, n);
}
