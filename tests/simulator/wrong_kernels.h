/* Kernels that are each wrong in one way, for 100 numbers in and as many out: in what they access, or in how they wait
 * for each other. The simulator alone can run them. */
#pragma once

enum { WRONG_NUMBERS = 100, WRONG_THREADS = 64 };

/* X(name, blocks, threads, bytes of dynamic shared memory) */
#define WRONG_ACCESSES(X)             \
    X(read_behind, 2, 64, 0)          \
    X(read_far_behind, 2, 64, 0)      \
    X(write_behind, 2, 64, 0)         \
    X(write_null, 1, 64, 0)           \
    X(atomic_behind, 1, 64, 0)        \
    X(read_before, 2, 64, 0)          \
    X(write_before, 2, 64, 0)         \
    X(shared_outer, 1, 64, 0)         \
    X(shared_inner, 1, 64, 0)         \
    X(shared_negative, 1, 64, 0)      \
    X(shared_far, 1, 64, 0)           \
    X(dynamic_behind, 1, 64, 256)     \
    X(dynamic_slack, 1, 64, 260)      \
    X(dynamic_none, 1, 64, 0)         \
    X(local_index, 2, 64, 0)          \
    X(shift, 2, 64, 0)                \
    X(copy_from_misaligned, 1, 64, 0) \
    X(copy_to_misaligned, 1, 64, 0)   \
    X(copy_from_behind, 1, 64, 0)     \
    X(copy_to_behind, 1, 64, 0)       \
    X(endless_recursion, 1, 64, 0)    \
    X(large_frame, 1, 64, 0)          \
    X(division_by_zero, 2, 64, 0)     \
    X(read_behind_barrier, 1, 64, 0)  \
    X(read_behind_shuffle, 1, 64, 0)  \
    X(copies_under_way, 1, 64, 256)   \
    X(read_misaligned, 1, 64, 0)      \
    X(shared_together, 1, 64, 27649)  \
    X(wait_for_too_many, 1, 64, 0)

#define WRONG_WAITS(X)                   \
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
    X(shuffle_width_64, 1, 64, 0)        \
    X(shuffle_width_0, 1, 64, 0)         \
    X(mma_without_ended_lane, 1, 64, 0)  \
    X(mma_in_branch, 1, 64, 0)

#define WRONG_KERNELS(X) \
    WRONG_ACCESSES(X)    \
    WRONG_WAITS(X)

#ifdef __cplusplus
extern "C" {
#endif

/* At which lines the threads that do wrong were last; in memory that a child shares with its parent. */
extern int *wrong_lines;

/* As kernels/ do; what it returns begins with "a rung: launch failed: ". */
#define WRONG_KERNEL(name, blocks, threads, shared) const char *wrong_##name(const int *in, int *out, int n);
WRONG_KERNELS(WRONG_KERNEL)
#undef WRONG_KERNEL

/* Threads wait at the same line of two files. */
const char *wrong_barriers_of_two_files(const int *in, int *out, int n);
/* Three launches: the second does wrong, the third would set all of the output to 3. */
const char *wrong_second_launch(const int *in, int *out, int n);
const char *wrong_workspace(const int *in, int *out, int n);
/* Launches what does wrong, and does not ask whether it went well. */
const char *wrong_unasked(const int *in, int *out, int n);
/* Its launcher does on the host, at the line wrong_lines[0], what a kernel should do. */
const char *wrong_reads_on_host(const int *in, int *out, int n);
const char *wrong_writes_on_host(const int *in, int *out, int n);
/* Right: turns each block of 64 of n numbers. */
const char *right_reverse(const int *in, int *out, int n);

#ifdef __cplusplus
}

/* A kernel is wrong at the line that starts with AT; where two places are at odds, the other starts with AND_AT. */
#define AT wrong_lines[0] = __LINE__
#define AND_AT wrong_lines[1] = __LINE__

#define KERNEL(name)                                                                                \
    static __global__ void name##_kernel([[maybe_unused]] const int *in, [[maybe_unused]] int *out, \
                                         [[maybe_unused]] int n)

/* Its launcher, as X of the lists above. */
#define LAUNCHER(name, blocks, threads, shared)                              \
    const char *wrong_##name(const int *in, int *out, int n)                 \
    {                                                                        \
        LAUNCH(name##_kernel, blocks, threads, shared, nullptr, in, out, n); \
        return launch_error("a rung");                                       \
    }

#endif
