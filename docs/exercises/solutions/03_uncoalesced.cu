// Solution 3: threadIdx.x, in which neighbours differ, counts columns: they load neighbouring elements of B, store
// neighbouring elements of C, and share one element of A.
#define SIDE 16

__global__ void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y * SIDE + threadIdx.y;
    int column = blockIdx.x * SIDE + threadIdx.x;
    if (row >= m || column >= n)
        return;
    float sum = 0;
    for (int p = 0; p < k; p++)
        sum += a[row * k + p] * b[p * n + column];
    c[row * n + column] = sum;
}

extern "C" void solution(const float *a, const float *b, float *c, int m, int k, int n)
{
    dim3 block(SIDE, SIDE), grid((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE);
    product<<<grid, block>>>(a, b, c, m, k, n);
}
