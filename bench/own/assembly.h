/* Assembly that a compiler has written, for a simulator that looks at each access (cpu/simulator/sim_arrays.h): between
 * any two variables stand bytes that belong to none, and thread-local arrays that no file defines, extern __shared__
 * ones, become one array, `dynamic_shared_memory`. In the words of GNU as, for ELF. */
#pragma once

#include <stdio.h>

/* `text` is changed while it is read. */
void assembly_pad(char *text, size_t dynamic_bytes, FILE *to);
