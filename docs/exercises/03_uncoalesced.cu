// Exercise 3: C = A B, an element per thread. A is m x k, B is k x n, all of them row-major.
//
// Every answer is right. But neighbouring threads use elements that are a whole row apart: each load of a warp fetches
// many sectors of 32 bytes, and takes 4 bytes of each.
#define SIDE 16

__global__ void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.x * SIDE + threadIdx.x;
    int column = blockIdx.y * SIDE + threadIdx.y;
    if (row >= m || column >= n)
        return;
    float sum = 0;
    for (int p = 0; p < k; p++)
        sum += a[row * k + p] * b[p * n + column];
    c[row * n + column] = sum;
}

extern "C" void solution(const float *a, const float *b, float *c, int m, int k, int n)
{
    dim3 block(SIDE, SIDE), grid((m + SIDE - 1) / SIDE, (n + SIDE - 1) / SIDE);
    product<<<grid, block>>>(a, b, c, m, k, n);
}
