// A thread for each row. Neighbouring threads read n elements apart, so each load of a warp takes 32 lines of memory.
__global__ void gemv(const float *a, const float *x, float *y, int m, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m)
        return;
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += a[(long long)row * n + j] * x[j];
    y[row] = sum;
}

extern "C" void solution(const float *a, const float *x, float *y, int m, int n)
{
    gemv<<<(m + 127) / 128, 128>>>(a, x, y, m, n);
}
