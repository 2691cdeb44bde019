// A thread for each row. Rows are of different lengths: a warp is busy until its longest one is done, and its threads
// read far apart.
#include <cstdint>

__global__ void multiply(const int32_t *row, const int32_t *column, const float *value, const float *x, float *y, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    float sum = 0;
    for (int e = row[i]; e < row[i + 1]; e++)
        sum += value[e] * x[column[e]];
    y[i] = sum;
}

extern "C" void solution(const int32_t *row, const int32_t *column, const float *value, const float *x, float *y, int m,
                         int n, int nonzero)
{
    multiply<<<(m + 127) / 128, 128>>>(row, column, value, x, y, m);
}
