/* Launches at the limits of what a GPU can do, and beyond each of them. */
#pragma once

#include <stddef.h>

/* X(name, grid, block, bytes of dynamic shared memory). Products of 2 and 2147483648 are 0 in 32 bits. */
#define IMPOSSIBLE_KERNELS(X)                        \
    X(no_blocks, 0, 64, 0)                           \
    X(no_blocks_y, dim3(1, 0), 64, 0)                \
    X(no_blocks_z, dim3(1, 1, 0), 64, 0)             \
    X(no_threads, 1, 0, 0)                           \
    X(no_threads_y, 1, dim3(64, 0), 0)               \
    X(no_threads_z, 1, dim3(64, 1, 0), 0)            \
    X(too_many_blocks, 2147483648, 64, 0)            \
    X(too_many_blocks_y, dim3(1, 65536), 64, 0)      \
    X(too_many_blocks_z, dim3(1, 1, 65536), 64, 0)   \
    X(too_many_threads, 1, 1025, 0)                  \
    X(too_many_threads_x, 1, dim3(2147483648, 2), 0) \
    X(too_many_threads_y, 1, dim3(2, 2147483648), 0) \
    X(too_many_threads_z, 1, dim3(1, 1, 65), 0)      \
    X(too_many_threads_together, 1, dim3(64, 32), 0) \
    X(too_much_shared, 1, 64, 232449)                \
    X(shared_not_asked_for, 1, 64, 49153)

#ifdef __cplusplus
extern "C" {
#endif

/* What it returns begins with "a rung: launch failed: ". */
#define IMPOSSIBLE_KERNEL(name, grid, block, shared) const char *impossible_##name(const int *in, int *out, int n);
IMPOSSIBLE_KERNELS(IMPOSSIBLE_KERNEL)
#undef IMPOSSIBLE_KERNEL

/* How many threads run in a launch of that size; -1: it fails. */
int count_launched_threads(const unsigned grid[3], const unsigned block[3], size_t shared_bytes, int *out);

/* Copies three numbers to a symbol where two are left. A GPU writes to what lies behind it. */
const char *copy_beyond_a_symbol(const int *in);

#ifdef __cplusplus
}
#endif
