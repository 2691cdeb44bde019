// A block for each query, which goes over the keys once: as many at a time as it has threads. Each thread computes the
// score of one key; then each takes a column of y and adds the values of these keys to it. Where a larger score
// appears, all that was added before is multiplied by exp(old - new). The query and its row of y are in shared memory.
#include <cfloat>
#include <cmath>

#define THREADS 128

// The largest x of all threads, in each of them.
__device__ float largest_of_block(float x)
{
    __shared__ float of_warps[THREADS / 32];
    for (int distance = 16; distance > 0; distance /= 2)
        x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFF, x, distance));
    __syncthreads(); // of_warps may be written again
    if (threadIdx.x % 32 == 0)
        of_warps[threadIdx.x / 32] = x;
    __syncthreads();
    for (int i = 0; i < THREADS / 32; i++)
        x = fmaxf(x, of_warps[i]);
    return x;
}

__global__ void attend(const float *q, const float *k, const float *v, float *y, int n, int d)
{
    extern __shared__ float query[];
    __shared__ float weights[THREADS];
    float *weighted = query + d, largest = -FLT_MAX, sum = 0;
    int t = threadIdx.x;
    for (int c = t; c < d; c += THREADS) {
        query[c] = q[(long long)blockIdx.x * d + c];
        weighted[c] = 0;
    }
    __syncthreads();
    for (int first = 0; first < n; first += THREADS) {
        int keys = min(THREADS, n - first);
        float score = -FLT_MAX;
        if (t < keys) {
            score = 0;
            for (int p = 0; p < d; p++)
                score += query[p] * k[(long long)(first + t) * d + p];
            score /= sqrtf((float)d);
        }
        float larger = fmaxf(largest, largest_of_block(score)), before = expf(largest - larger);
        weights[t] = t < keys ? expf(score - larger) : 0;
        largest = larger;
        __syncthreads();
        sum *= before;
        for (int j = 0; j < keys; j++)
            sum += weights[j];
        for (int c = t; c < d; c += THREADS) {
            float added = 0;
            for (int j = 0; j < keys; j++)
                added += weights[j] * v[(long long)(first + j) * d + c];
            weighted[c] = weighted[c] * before + added;
        }
    }
    for (int c = t; c < d; c += THREADS)
        y[(long long)blockIdx.x * d + c] = weighted[c] / sum;
}

extern "C" void solution(const float *q, const float *k, const float *v, float *y, int m, int n, int d)
{
    // A block has 48 KiB of shared memory: enough up to d = 6000. The compiler reads up to 16 bytes at a time, and so
    // beyond the end where d is small.
    attend<<<m, THREADS, (2 * d + 4) * sizeof(float)>>>(q, k, v, y, n, d);
}
