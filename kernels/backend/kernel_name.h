/* The name of a kernel as in its source. */
#pragma once

/* Without parameters: grayscale_vector_kernel<uint4> for _Z23grayscale_vector_kernelI5uint4EvllPKT_PS1_. A symbol that
 * is not mangled is its own name. The caller frees the name; NULL: no memory. */
char *kernel_name(const char *symbol);
