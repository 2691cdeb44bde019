// Exercise 2: y[i] = the sum of row i of x, which is m x n. A block sums a row: each thread sums some elements, then the
// block adds the 256 sums up in shared memory, half as many in each step.
//
// The answer is right when threads happen to run in one order, and wrong when they run in another. Something that every
// step relies on is missing.
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
    for (int half = THREADS / 2; half > 0; half /= 2)
        if (t < half)
            sums[t] += sums[t + half];
    if (t == 0)
        y[row] = sums[0];
}

extern "C" void solution(const float *x, float *y, int m, int n)
{
    sum_rows<<<m, THREADS>>>(x, y, m, n);
}
