// One thread goes from the first element to the last.
#include <cstdint>

__global__ void scan(const int32_t *x, int32_t *y, int n)
{
    int32_t sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        y[i] = sum;
    }
}

extern "C" void solution(const int32_t *x, int32_t *y, int n)
{
    scan<<<1, 1>>>(x, y, n);
}
