/* What symbols of C++ are called in the source. The caller frees the names. */
#pragma once

/* A symbol that is not mangled is its own name. */
char *symbol_name(const char *symbol);

/* Of a function, without its result and parameters: grayscale_vector_kernel<uint4> for
 * _Z23grayscale_vector_kernelI5uint4EvllPKT_PS1_. */
char *symbol_function(const char *symbol);
