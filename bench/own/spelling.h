/* Launches in plain CUDA become launches in the words of kernels/device.h, which the GPU and the simulator spell
 * differently: kernel<<<grid, block>>>(a, b) becomes LAUNCH(kernel, grid, block, 0, STREAM, a, b). All else stays, and
 * every line where it was. What cannot be read stays too, for the compiler to say. */
#pragma once

/* `stream` is that of launches that name none. free() the result. */
char *spelling_change(const char *source, const char *stream);
