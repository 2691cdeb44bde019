// A warp for each row: neighbouring lanes read neighbouring elements, and add up their sums by shuffles.
#define WARPS 4

__global__ void gemv(const float *a, const float *x, float *y, int m, int n)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= m)
        return; // with all of its warp
    float sum = 0;
    for (int j = lane; j < n; j += 32)
        sum += a[(long long)row * n + j] * x[j];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
    if (lane == 0)
        y[row] = sum;
}

extern "C" void solution(const float *a, const float *x, float *y, int m, int n)
{
    gemv<<<(m + WARPS - 1) / WARPS, 32 * WARPS>>>(a, x, y, m, n);
}
