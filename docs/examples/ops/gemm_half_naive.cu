// A thread for each element of C. The sum is a float; only what is stored is rounded to half.
#include <cuda_fp16.h>

__global__ void multiply(const __half *a, const __half *b, __half *c, int m, int k, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n)
        return;
    float sum = 0;
    for (int p = 0; p < k; p++)
        sum += __half2float(a[(long long)row * k + p]) * __half2float(b[(long long)p * n + column]);
    c[(long long)row * n + column] = __float2half(sum);
}

extern "C" void solution(const __half *a, const __half *b, __half *c, int m, int k, int n)
{
    dim3 block(32, 8), grid((n + 31) / 32, (m + 7) / 8);
    multiply<<<grid, block>>>(a, b, c, m, k, n);
}
