// Solution 10: computes every time. The cheat kept its last answer and gave it again wherever the first elements of A and
// B were the same: right for a benchmark that asks the same question a thousand times, wrong for another question that
// begins alike. So a benchmark has to ask new ones, also at the same addresses.
#define SIDE 16

__global__ void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y * SIDE + threadIdx.y, column = blockIdx.x * SIDE + threadIdx.x;
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
