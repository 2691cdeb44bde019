// One thread per element of C.
__global__ void multiply(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n)
        return;
    float sum = 0;
    for (int p = 0; p < k; p++)
        sum += a[(long long)row * k + p] * b[(long long)p * n + column];
    float *element = &c[(long long)row * n + column];
    *element = 1.5f * sum - 0.75f * *element;
}

extern "C" void solution(const float *a, const float *b, float *c, int m, int k, int n)
{
    dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
    multiply<<<grid, block>>>(a, b, c, m, k, n);
}
