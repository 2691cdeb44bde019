// Exercise 10: C = A B, an element per thread. Somebody claims that it is twenty times as fast as the library. A is
// m x k, B is k x n, all of them row-major.
//
// At the size that it was made for, the simulator finds each answer right. Before you repair it, write down: what does it
// save, and when is its answer wrong? By which questions does a benchmark find out?
#define SIDE 16
#define KEPT (1 << 16)

__device__ float kept[KEPT], seen[2];

__global__ void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y * SIDE + threadIdx.y, column = blockIdx.x * SIDE + threadIdx.x;
    int i = row * n + column;
    if (row >= m || column >= n)
        return;
    if (i < KEPT && seen[0] == a[0] && seen[1] == b[0]) {
        c[i] = kept[i];
        return;
    }
    float sum = 0;
    for (int p = 0; p < k; p++)
        sum += a[row * k + p] * b[p * n + column];
    c[i] = sum;
    if (i < KEPT)
        kept[i] = sum;
}

__global__ void end(const float *a, const float *b)
{
    seen[0] = a[0];
    seen[1] = b[0];
}

extern "C" void solution(const float *a, const float *b, float *c, int m, int k, int n)
{
    dim3 block(SIDE, SIDE), grid((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE);
    product<<<grid, block>>>(a, b, c, m, k, n);
    end<<<1, 1>>>(a, b);
}
