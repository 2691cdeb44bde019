// tiled.cu without its second barrier: fast threads overwrite a tile that slow threads still read. On a GPU the answer
// is often right all the same. On the simulator rungbench names the lines of both threads.
#define TILE 16

__global__ void missing_barrier(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int p = 0; p < k; p += TILE) {
        As[ty][tx] = row < m && p + tx < k ? a[row * k + p + tx] : 0;
        Bs[ty][tx] = p + ty < k && column < n ? b[(p + ty) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += As[ty][i] * Bs[i][tx];
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

extern "C" void solution(const float *a, const float *b, float *c, int m, int k, int n)
{
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    missing_barrier<<<grid, block>>>(a, b, c, m, k, n);
}
