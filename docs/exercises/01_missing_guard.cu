// Exercise 1: y[i] = relu(x[i]) for n elements, a thread each.
//
// Blocks have 256 threads, and n is 1,000: the last block has more threads than there are elements left. On a GPU this
// kernel often seems to work. The simulator stops it, and names the thread and the line.
#define THREADS 256

__global__ void relu(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = x[i];
    y[i] = value < 0 ? 0 : value;
}

extern "C" void solution(const float *x, float *y, int n)
{
    relu<<<(n + THREADS - 1) / THREADS, THREADS>>>(x, y, n);
}
