// A thread for each element of C. Products and sums are of 32 bits.
#include <cstdint>

__global__ void multiply(const int8_t *a, const int8_t *b, int32_t *c, int m, int k, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n)
        return;
    int sum = 0;
    for (int p = 0; p < k; p++)
        sum += a[(long long)row * k + p] * b[(long long)p * n + column];
    c[(long long)row * n + column] = sum;
}

extern "C" void solution(const int8_t *a, const int8_t *b, int32_t *c, int m, int k, int n)
{
    dim3 block(32, 8), grid((n + 31) / 32, (m + 7) / 8);
    multiply<<<grid, block>>>(a, b, c, m, k, n);
}
