// A thread for each pixel: three loads of a byte and a store of one.
#include <cstdint>

__global__ void grey_pixels(const uint8_t *rgb, uint8_t *grey, int pixels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        grey[i] = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) / 256;
}

extern "C" void solution(const uint8_t *rgb, uint8_t *grey, int h, int w)
{
    grey_pixels<<<(h * w + 255) / 256, 256>>>(rgb, grey, h * w);
}
