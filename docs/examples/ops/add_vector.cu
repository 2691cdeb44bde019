// A thread for four elements: one instruction loads 16 bytes, and a quarter of the threads have to be started. That
// takes addresses that are multiples of 16, which not every array has; the others take the simple way, and so do the
// last elements where four do not divide n.
#include <cstdint>

__global__ void add_four(const float *a, const float *b, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, fours = n / 4;
    if (i < fours) {
        float4 p = reinterpret_cast<const float4 *>(a)[i], q = reinterpret_cast<const float4 *>(b)[i];
        reinterpret_cast<float4 *>(y)[i] = make_float4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w);
    }
    if (i < n % 4)
        y[4 * fours + i] = a[4 * fours + i] + b[4 * fours + i];
}

__global__ void add_one(const float *a, const float *b, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a[i] + b[i];
}

static bool is_aligned(const void *address)
{
    return reinterpret_cast<uintptr_t>(address) % 16 == 0;
}

extern "C" void solution(const float *a, const float *b, float *y, int n)
{
    if (is_aligned(a) && is_aligned(b) && is_aligned(y))
        add_four<<<n / 512 + 1, 128>>>(a, b, y, n);
    else
        add_one<<<(n + 255) / 256, 256>>>(a, b, y, n);
}
