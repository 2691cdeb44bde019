// A thread for each place of the output. A pixel is loaded as often as the filter has elements.
__global__ void convolve(const float *x, const float *f, float *y, int h, int w, int kh, int kw)
{
    int rows = h - kh + 1, columns = w - kw + 1;
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns)
        return;
    float sum = 0;
    for (int u = 0; u < kh; u++)
        for (int v = 0; v < kw; v++)
            sum += x[(row + u) * w + column + v] * f[u * kw + v];
    y[row * columns + column] = sum;
}

extern "C" void solution(const float *x, const float *f, float *y, int h, int w, int kh, int kw)
{
    dim3 block(32, 8), grid((w - kw) / 32 + 1, (h - kh) / 8 + 1);
    convolve<<<grid, block>>>(x, f, y, h, w, kh, kw);
}
