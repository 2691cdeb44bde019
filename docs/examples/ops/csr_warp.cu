// A warp for each row: neighbouring lanes read neighbouring elements of it, and add up their sums by shuffles.
#include <cstdint>

#define WARPS 4

__global__ void multiply(const int32_t *row, const int32_t *column, const float *value, const float *x, float *y, int m)
{
    int lane = threadIdx.x % 32, i = blockIdx.x * WARPS + threadIdx.x / 32;
    if (i >= m)
        return; // with all of its warp
    float sum = 0;
    for (int e = row[i] + lane; e < row[i + 1]; e += 32)
        sum += value[e] * x[column[e]];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
    if (lane == 0)
        y[i] = sum;
}

extern "C" void solution(const int32_t *row, const int32_t *column, const float *value, const float *x, float *y, int m,
                         int n, int nonzero)
{
    multiply<<<(m + WARPS - 1) / WARPS, 32 * WARPS>>>(row, column, value, x, y, m);
}
