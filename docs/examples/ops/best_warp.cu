// A warp for each row: neighbouring threads read neighbouring numbers, and then compare what they have found. Of equal
// numbers the first counts.
#include <cfloat>
#include <cstdint>

#define THREADS 128

__global__ void find(const float *x, float *value, int32_t *column, int m, int n)
{
    int i = (blockIdx.x * THREADS + threadIdx.x) / 32, lane = threadIdx.x % 32, best = 0;
    float largest = -FLT_MAX;
    if (i >= m)
        return;
    const float *row = x + (long long)i * n;
    for (int j = lane; j < n; j += 32)
        if (row[j] > largest) {
            largest = row[j];
            best = j;
        }
    for (int distance = 16; distance > 0; distance /= 2) {
        float other = __shfl_xor_sync(0xFFFFFFFF, largest, distance);
        int there = __shfl_xor_sync(0xFFFFFFFF, best, distance);
        if (other > largest || (other == largest && there < best)) {
            largest = other;
            best = there;
        }
    }
    if (lane == 0) {
        value[i] = largest;
        column[i] = best;
    }
}

extern "C" void solution(const float *x, float *value, int32_t *column, int m, int n)
{
    find<<<(m + THREADS / 32 - 1) / (THREADS / 32), THREADS>>>(x, value, column, m, n);
}
