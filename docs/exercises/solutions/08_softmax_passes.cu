// Solution 8, "online softmax": each lane keeps the largest element so far, and the sum relative to it. When the largest
// grows, what was summed shrinks by exp(before - now). In the end the lanes' sums are put on a common base likewise.
// (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018)
#define WARP 32

__device__ float warp_max(float value)
{
    for (int step = WARP / 2; step > 0; step /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, step));
    return value;
}

__device__ float warp_sum(float value)
{
    for (int step = WARP / 2; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffff, value, step);
    return value;
}

__global__ void softmax(const float *x, float *y, int m, int n)
{
    int row = blockIdx.x, lane = threadIdx.x;
    float largest = -INFINITY, sum = 0;
    for (int j = lane; j < n; j += WARP) {
        float value = x[row * n + j], before = largest;
        largest = fmaxf(largest, value);
        sum = sum * expf(before - largest) + expf(value - largest);
    }
    float own = largest;
    largest = warp_max(own);
    sum = warp_sum(sum > 0 ? sum * expf(own - largest) : 0); // a lane without elements has none
    for (int j = lane; j < n; j += WARP)
        y[row * n + j] = expf(x[row * n + j] - largest) / sum;
}

extern "C" void solution(const float *x, float *y, int m, int n)
{
    softmax<<<m, WARP>>>(x, y, m, n);
}
