// Solution 7: a tile goes through shared memory, so that loads and stores both go along rows. Its rows have 33 words: the
// 32 words of a column then lie in 32 different banks.
#define TILE 32
#define ROWS 8 // threads of a block along y: each moves TILE / ROWS elements

__global__ void transpose(const float *x, float *y, int m, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int column = blockIdx.x * TILE + threadIdx.x;
    for (int i = threadIdx.y; i < TILE; i += ROWS) {
        int row = blockIdx.y * TILE + i;
        if (row < m && column < n)
            tile[i][threadIdx.x] = x[row * n + column];
    }
    __syncthreads();
    int row = blockIdx.y * TILE + threadIdx.x; // a column of y
    for (int i = threadIdx.y; i < TILE; i += ROWS) {
        column = blockIdx.x * TILE + i;
        if (row < m && column < n)
            y[column * m + row] = tile[threadIdx.x][i];
    }
}

extern "C" void solution(const float *x, float *y, int m, int n)
{
    dim3 block(TILE, ROWS), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    transpose<<<grid, block>>>(x, y, m, n);
}
