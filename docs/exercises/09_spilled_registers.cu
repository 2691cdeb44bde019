// Exercise 9: C = A B, where each thread computes a tile of SIDE x SIDE elements in registers: what it loads serves SIDE
// multiply-adds. A is m x k, B is k x n, all of them row-major.
//
// Every answer is right. But more reuse is not always faster: a thread has 255 registers of 4 bytes at most. What they do
// not hold, the compiler keeps in local memory, which lies in DRAM.
#define SIDE 20 // of a thread's tile
#define X 32 // threads of a block, along a row and along a column
#define Y 4

__global__ void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    int first_row = (blockIdx.y * Y + threadIdx.y) * SIDE;
    int first_column = blockIdx.x * X * SIDE + threadIdx.x; // and each X-th after it
    float sum[SIDE][SIDE] = {};
    for (int p = 0; p < k; p++)
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) {
                int row = first_row + i, column = first_column + j * X;
                if (row < m && column < n)
                    sum[i][j] += a[row * k + p] * b[p * n + column];
            }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int row = first_row + i, column = first_column + j * X;
            if (row < m && column < n)
                c[row * n + column] = sum[i][j];
        }
}

extern "C" void solution(const float *a, const float *b, float *c, int m, int k, int n)
{
    dim3 block(X, Y), grid((n + X * SIDE - 1) / (X * SIDE), (m + Y * SIDE - 1) / (Y * SIDE));
    product<<<grid, block>>>(a, b, c, m, k, n);
}
