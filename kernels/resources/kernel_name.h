/* A kernel's name as people write it. */
#ifndef RUNGBENCH_KERNEL_NAME_H
#define RUNGBENCH_KERNEL_NAME_H

/* Of _Z23grayscale_vector_kernelI5uint4EvllPKT_PS1_ it is grayscale_vector_kernel<uint4>: without parameters. A symbol
 * that is not mangled is its own name. To be freed; NULL if memory runs out. */
char *kernel_name(const char *symbol);

#endif
