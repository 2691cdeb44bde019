// Solution 9: 4 x 4 sums are 16 registers, and there is room for what else a thread needs; 8 x 8 fit, too. Each element
// that is loaded still serves 4 multiply-adds.
#define SIDE 4 // of a thread's tile
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
