/* Kernels that are each wrong in one way, for 100 numbers in and as many out. The simulator alone can run them. */
#ifndef RUNGBENCH_WRONG_KERNELS_H
#define RUNGBENCH_WRONG_KERNELS_H

#include <stddef.h>

enum { WRONG_NUMBERS = 100, WRONG_THREADS = 64 };

/* X(name, blocks, threads, bytes of dynamic shared memory) */
#define WRONG_KERNELS(X)                 \
    X(read_behind, 2, 64, 0)             \
    X(read_far_behind, 2, 64, 0)         \
    X(read_far_before, 2, 64, 0)         \
    X(write_behind, 2, 64, 0)            \
    X(write_null, 1, 64, 0)              \
    X(atomic_behind, 1, 64, 0)           \
    X(read_before, 2, 64, 0)             \
    X(write_before, 2, 64, 0)            \
    X(shared_outer, 1, 64, 0)            \
    X(shared_inner, 1, 64, 0)            \
    X(shared_negative, 1, 64, 0)         \
    X(shared_far, 1, 64, 0)              \
    X(dynamic_behind, 1, 64, 256)        \
    X(dynamic_slack, 1, 64, 260)         \
    X(dynamic_none, 1, 64, 0)            \
    X(local_index, 2, 64, 0)             \
    X(shift, 2, 64, 0)                   \
    X(barrier_in_branch, 1, 64, 0)       \
    X(return_before_barrier, 2, 64, 0)   \
    X(two_barriers, 1, 64, 0)            \
    X(two_kinds_of_barrier, 1, 64, 0)    \
    X(syncwarp_without_itself, 1, 64, 0) \
    X(shuffle_without_itself, 1, 64, 0)  \
    X(shuffle_width, 1, 64, 0)           \
    X(shuffle_never_reached, 1, 64, 0)   \
    X(shuffle_with_other_mask, 1, 64, 0) \
    X(shuffle_and_vote, 1, 64, 0)        \
    X(barrier_and_shuffle, 1, 64, 0)     \
    X(copy_from_misaligned, 1, 64, 0)    \
    X(copy_to_misaligned, 1, 64, 0)      \
    X(copy_from_behind, 1, 64, 0)        \
    X(copy_to_behind, 1, 64, 0)          \
    X(endless_recursion, 1, 64, 0)       \
    X(large_frame, 1, 64, 0)             \
    X(division_by_zero, 2, 64, 0)        \
    X(read_behind_barrier, 1, 64, 0)     \
    X(read_behind_shuffle, 1, 64, 0)     \
    X(shuffle_width_64, 1, 64, 0)        \
    X(shuffle_width_0, 1, 64, 0)         \
    X(copies_under_way, 1, 64, 256)      \
    X(read_misaligned, 1, 64, 0)         \
    X(shared_together, 1, 64, 27649)     \
    X(wait_for_too_many, 1, 64, 0)

/* Launches that no GPU does. Products of 2 and 2147483648 are 0 in 32 bits. */
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

/* At which lines the threads that do wrong were last; in memory that a child shares with its parent. */
extern int *wrong_lines;

/* As kernels/ do; what it returns begins with "a rung: launch failed: ". */
#define WRONG_KERNEL(name, blocks, threads, shared) const char *wrong_##name(const int *in, int *out, int n);
WRONG_KERNELS(WRONG_KERNEL)
IMPOSSIBLE_KERNELS(WRONG_KERNEL)
#undef WRONG_KERNEL

/* Threads wait at the same line of two files. */
const char *wrong_barriers_of_two_files(const int *in, int *out, int n);
/* Three launches: the second does wrong, the third would set all of the output to 3. */
const char *wrong_second_launch(const int *in, int *out, int n);
/* Launches what does wrong, and does not ask whether it went well. */
const char *wrong_unasked(const int *in, int *out, int n);
/* Right: turns each block of 64 of n numbers. */
const char *right_reverse(const int *in, int *out, int n);
/* How many threads run in such a launch; -1: it fails. */
int count_launched_threads(const unsigned grid[3], const unsigned block[3], size_t shared_bytes, int *out);

#ifdef __cplusplus
}
#endif

#endif
