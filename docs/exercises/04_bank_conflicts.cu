// Exercise 4: y[i] = the sum of row i of x, which is m x n, as in exercise 2, with all its barriers. Here neighbours are
// added first: 0 and 1, 2 and 3; then 0 and 2, 4 and 6; and so on.
//
// Every answer is right. But shared memory has 32 banks, word i is in bank i % 32, and in one turn a bank serves one
// word. In each step the threads of a warp ask a few of the banks for many words.
#define THREADS 256

__global__ void sum_rows(const float *x, float *y, int m, int n)
{
    __shared__ float sums[THREADS];
    int row = blockIdx.x, t = threadIdx.x;
    float sum = 0;
    for (int j = t; j < n; j += THREADS)
        sum += x[row * n + j];
    sums[t] = sum;
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        int i = 2 * step * t;
        if (i < THREADS)
            sums[i] += sums[i + step];
        __syncthreads();
    }
    if (t == 0)
        y[row] = sums[0];
}

extern "C" void solution(const float *x, float *y, int m, int n)
{
    sum_rows<<<m, THREADS>>>(x, y, m, n);
}
