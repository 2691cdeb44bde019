// Tiles of A and B in shared memory, as floats: each element is loaded and converted once for the 32 elements of C that
// need it.
#include <cuda_fp16.h>

#define TILE 32

__global__ void multiply(const __half *a, const __half *b, __half *c, int m, int k, int n)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int p = 0; p < k; p += TILE) {
        As[ty][tx] = row < m && p + tx < k ? __half2float(a[(long long)row * k + p + tx]) : 0;
        Bs[ty][tx] = p + ty < k && column < n ? __half2float(b[(long long)(p + ty) * n + column]) : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += As[ty][i] * Bs[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[(long long)row * n + column] = __float2half(sum);
}

extern "C" void solution(const __half *a, const __half *b, __half *c, int m, int k, int n)
{
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    multiply<<<grid, block>>>(a, b, c, m, k, n);
}
