// A thread for four places of the output, one below the other. Going down the filter, three of the four pixels that it
// needs next are in registers already: one is loaded for four products. Neighbouring threads take neighbouring columns.
#define WIDTH 32
#define HEIGHT 4
#define PLACES 4 // of a thread

__global__ void convolve(const float *x, const float *f, float *y, int h, int w, int kh, int kw)
{
    int rows = h - kh + 1, columns = w - kw + 1;
    int column = blockIdx.x * WIDTH + threadIdx.x, row = (blockIdx.y * HEIGHT + threadIdx.y) * PLACES;
    float sum[PLACES] = {0}, pixel[PLACES];
    if (row >= rows || column >= columns)
        return;
    for (int v = 0; v < kw; v++) {
        for (int i = 0; i < PLACES - 1; i++)
            pixel[i] = x[min(row + i, h - 1) * w + column + v];
        for (int u = 0; u < kh; u++) {
            float factor = f[u * kw + v];
            pixel[PLACES - 1] = x[min(row + u + PLACES - 1, h - 1) * w + column + v];
            for (int i = 0; i < PLACES; i++)
                sum[i] += pixel[i] * factor;
            for (int i = 0; i < PLACES - 1; i++)
                pixel[i] = pixel[i + 1];
        }
    }
    for (int i = 0; i < PLACES && row + i < rows; i++)
        y[(row + i) * columns + column] = sum[i];
}

extern "C" void solution(const float *x, const float *f, float *y, int h, int w, int kh, int kw)
{
    dim3 block(WIDTH, HEIGHT), grid((w - kw) / WIDTH + 1, (h - kh) / (HEIGHT * PLACES) + 1);
    convolve<<<grid, block>>>(x, f, y, h, w, kh, kw);
}
