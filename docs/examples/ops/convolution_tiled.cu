// A block loads what its outputs need of the picture into shared memory, once: a tile with a border of kh - 1 rows and
// kw - 1 columns, and the filter behind it. Where that does not fit, a thread takes its pixels from memory.
#define WIDTH 32
#define HEIGHT 8
#define SHARED_BYTES (48 * 1024)

__global__ void convolve_tile(const float *x, const float *f, float *y, int h, int w, int kh, int kw)
{
    extern __shared__ float tile[];
    int tile_w = WIDTH + kw - 1, tile_h = HEIGHT + kh - 1;
    int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * WIDTH, top = blockIdx.y * HEIGHT;
    float *filter = tile + tile_h * tile_w, sum = 0;
    for (int i = ty; i < tile_h; i += HEIGHT)
        for (int j = tx; j < tile_w; j += WIDTH)
            tile[i * tile_w + j] = top + i < h && left + j < w ? x[(top + i) * w + left + j] : 0;
    for (int i = ty * WIDTH + tx; i < kh * kw; i += WIDTH * HEIGHT)
        filter[i] = f[i];
    __syncthreads();
    if (top + ty > h - kh || left + tx > w - kw)
        return;
    for (int u = 0; u < kh; u++)
        for (int v = 0; v < kw; v++)
            sum += tile[(ty + u) * tile_w + tx + v] * filter[u * kw + v];
    y[(top + ty) * (w - kw + 1) + left + tx] = sum;
}

__global__ void convolve(const float *x, const float *f, float *y, int h, int w, int kh, int kw)
{
    int column = blockIdx.x * WIDTH + threadIdx.x, row = blockIdx.y * HEIGHT + threadIdx.y;
    float sum = 0;
    if (row > h - kh || column > w - kw)
        return;
    for (int u = 0; u < kh; u++)
        for (int v = 0; v < kw; v++)
            sum += x[(row + u) * w + column + v] * f[u * kw + v];
    y[row * (w - kw + 1) + column] = sum;
}

extern "C" void solution(const float *x, const float *f, float *y, int h, int w, int kh, int kw)
{
    dim3 block(WIDTH, HEIGHT), grid((w - kw) / WIDTH + 1, (h - kh) / HEIGHT + 1);
    size_t bytes = ((WIDTH + kw - 1ULL) * (HEIGHT + kh - 1ULL) + 1ULL * kh * kw) * sizeof(float);
    if (bytes <= SHARED_BYTES)
        convolve_tile<<<grid, block, bytes>>>(x, f, y, h, w, kh, kw);
    else
        convolve<<<grid, block>>>(x, f, y, h, w, kh, kw);
}
