// Exercise 7: y[j,i] = x[i,j], where x is m x n.
//
// Every answer is right, and each load of a warp takes whole sectors. But what is a row of x is a column of y: each store
// of a warp touches a sector per element. Make both go along rows. Shared memory can be read in any direction, if you mind
// its banks (exercise 4).
#define TILE 32
#define ROWS 8 // threads of a block along y: each moves TILE / ROWS elements

__global__ void transpose(const float *x, float *y, int m, int n)
{
    int column = blockIdx.x * TILE + threadIdx.x;
    for (int i = threadIdx.y; i < TILE; i += ROWS) {
        int row = blockIdx.y * TILE + i;
        if (row < m && column < n)
            y[column * m + row] = x[row * n + column];
    }
}

extern "C" void solution(const float *x, float *y, int m, int n)
{
    dim3 block(TILE, ROWS), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    transpose<<<grid, block>>>(x, y, m, n);
}
