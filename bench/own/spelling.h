/* Launches in plain CUDA become launches in the words of kernels/device.h, which the GPU and the simulator spell
 * differently: kernel<<<grid, block>>>(a, b) becomes LAUNCH(kernel, grid, block, 0, STREAM, a, b). An asm of PTX
 * becomes a call for the simulator: SIMT_ASM("...", simt::out(x), simt::in(y)). All else stays, and every line where it
 * was. What cannot be read stays too, for the compiler to say. */
#pragma once

#include <stdbool.h>

/* `stream` is that of launches that name none. free() the result. */
char *spelling_change(const char *source, const char *stream, bool changes_asm);
