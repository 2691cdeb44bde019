/* Source in plain CUDA becomes source in the words of kernels/device.h, which the GPU and the simulator spell
 * differently:
 *
 *   kernel<<<grid, block>>>(a, b);           LAUNCH(kernel, grid, block, 0, STREAM, a, b);
 *   __shared__ float As[16][16], sum;        SHARED_ARRAY(float, As, 16, 16); ... sum as a reference
 *   extern __shared__ float tile[];          DYNAMIC_SHARED(float, tile);
 *
 * All else stays, and every line where it was. What cannot be read stays too, for the compiler to say. */
#pragma once

#include <stdbool.h>

/* `stream` is that of launches that name none; `shared`: shared memory too, not launches alone. free() the
 * result. */
char *spelling_change(const char *source, const char *stream, bool shared);
