/* Kernels that are each wrong in one way, for 100 numbers in and as many out: in what they access, or in how they wait
 * for each other. The simulator alone can run them. */
#pragma once

#include "c_linkage.h"

#include <stdbool.h>
#include <stddef.h>

enum { WRONG_NUMBERS = 100 };

/* X(name, blocks, bytes of dynamic shared memory, the block and the thread that do wrong, what is said behind their
 * place; %s stands for the other place) */
#define WRONG_ACCESSES(X)                                                                                          \
    X(read_behind, 2, 0, 1, 36, "reads out of bounds, 0 bytes past the end of a buffer of 400 bytes")              \
    X(write_behind, 2, 0, 1, 36, "writes out of bounds, 0 bytes past the end of a buffer of 400 bytes")            \
    X(atomic_behind, 1, 0, 0, 2, "writes out of bounds, 0 bytes past the end of a buffer of 400 bytes")            \
    X(shared_outer, 1, 0, 0, 32, "index 4 is out of bounds of 'int [4][8]'")                                       \
    X(shared_far, 1, 0, 0, 0, "index -4294967296 is out of bounds of 'int [64]'")                                  \
    X(dynamic_behind, 1, 256, 0, 63,                                                                               \
      "writes out of bounds, 0 bytes past the end of dynamic shared memory, of 256 bytes")                         \
    X(dynamic_none, 1, 0, 0, 0, "writes out of bounds, 0 bytes past the end of dynamic shared memory, of 0 bytes") \
    X(copy_from_misaligned, 1, 0, 0, 20, "copies 8 bytes from or to an address that is no multiple of 8")          \
    X(copy_to_misaligned, 1, 0, 0, 20, "copies 16 bytes from or to an address that is no multiple of 16")          \
    X(copy_from_behind, 1, 0, 0, 30, "reads out of bounds, 0 bytes past the end of a buffer of 400 bytes")         \
    X(copy_to_behind, 1, 256, 0, 32,                                                                               \
      "writes out of bounds, 0 bytes past the end of dynamic shared memory, of 256 bytes")                         \
    X(copies_under_way, 1, 256, 0, 60, "index 60 is out of bounds of 'int [60]'")                                  \
    X(shared_together, 1, 0, 0, 0,                                                                                 \
      "the block uses 49156 bytes of shared memory that is no extern array, expected at most 49152")               \
    X(wait_for_too_many, 1, 0, 0, 0, "waits for all but 9 groups of copies, expected 0 to 8")

#define WRONG_WAITS(X)                                                                                                \
    X(two_barriers, 1, 0, 0, 1, "waits in __syncthreads at %s, while thread (0,0,0) waits here in __syncthreads")     \
    X(two_kinds_of_barrier, 1, 0, 0, 40,                                                                              \
      "waits in __syncthreads_or at %s, while thread (0,0,0) waits here in __syncthreads_count")                      \
    X(shuffle_without_itself, 1, 0, 0, 15,                                                                            \
      "calls __shfl_xor_sync with the mask 00007fff, in which its own lane, 15, is missing")                          \
    X(shuffle_width, 1, 0, 0, 0, "calls __shfl_down_sync with the width 10, expected 1, 2, 4, 8, 16 or 32")           \
    X(shuffle_never_reached, 1, 0, 0, 37,                                                                             \
      "waits in __syncthreads at %s, while thread (32,0,0) waits here in __shfl_up_sync")                             \
    X(shuffle_with_other_mask, 1, 0, 0, 3,                                                                            \
      "waits in __shfl_sync at %s, while thread (0,0,0) waits here in __shfl_sync")                                   \
    X(shuffle_and_vote, 1, 0, 0, 4, "waits in __any_sync at %s, while thread (0,0,0) waits here in __shfl_sync")      \
    X(mma_without_ended_lane, 1, 0, 0, 32, "calls mma_tf32 without lane 3 of its warp, which has ended or never was") \
    X(grid_of_two_blocks, 2, 0, 0, 0,                                                                                 \
      "waits for the whole grid, which was not launched by cudaLaunchCooperativeKernel()")                            \
    X(fragment_without_ended_lane, 1, 0, 0, 0,                                                                        \
      "calls load_matrix_sync without lane 3 of its warp, which has ended or never was")                              \
    X(fragment_misaligned, 1, 0, 0, 0, "calls store_matrix_sync with an address that is no multiple of 32")

/* Of what the processor finds, x86-64 alone says how memory was touched. */
#ifdef __x86_64__
#define FOUND(verb) verb
#else
#define FOUND(verb) "touches"
#endif

/* What the processor finds: on x86-64 all of them. */
#define WRONG_TRAPS(X)                                                                                \
    X(write_null, 1, 0, 0, 1, "writes out of bounds, in no buffer")                                   \
    X(division_by_zero, 2, 0, 1, 6, "divides integers by zero, or gets a quotient that does not fit") \
    X(read_misaligned, 1, 0, 0, 13, "uses an address that is no multiple of its type's alignment")

/* Where and how they are found depends on the compiler. */
#define WRONG_STACKS(X)                                                              \
    X(endless_recursion, 1, 0, 0, 50, "uses more stack than a simulated thread has") \
    X(large_frame, 1, 0, 0, 51, "uses more stack than a simulated thread has")

#define WRONG_PTX(X)                                                                                            \
    X(ptx_matrix_behind, 1, 0, 0, 31,                                                                           \
      "reads out of bounds, 0 bytes past the end of the shared array tile, of 500 bytes")                       \
    X(ptx_load_behind, 1, 0, 0, 33, "reads out of bounds, 0 bytes past the end of a buffer of 400 bytes")       \
    X(ptx_shared_beyond, 1, 0, 0, 0,                                                                            \
      FOUND("reads") " out of bounds, in no buffer, or at an address that is no multiple of the access's size") \
    X(ptx_store_misaligned, 1, 0, 0, 1, "executes st.global.v2.b32 at an address that is no multiple of 8")     \
    X(ptx_output_behind, 1, 0, 0, 60, "writes out of bounds, 0 bytes past the end of a buffer of 400 bytes")    \
    X(ptx_unknown, 1, 0, 0, 0, "executes tcgen05.wait::ld.sync.aligned, which is not simulated")                \
    X(ptx_unknown_word, 1, 0, 0, 0,                                                                             \
      "executes mma.sync.aligned.m16n8k32.row.col.f32.e3m2.e3m2.f32, which is not simulated")                   \
    X(ptx_without_word, 1, 0, 0, 0, "executes add..u32, which is not simulated")                                \
    X(ptx_unreadable, 1, 0, 0, 0, "executes +, which is not simulated")

C_BEGIN

/* At which lines the threads that do wrong were last. */
extern int wrong_lines[2];

/* As kernels/ do; what it returns begins with "a rung: launch failed: ". */
#define WRONG_KERNEL(name, ...) const char *wrong_##name(const int *in, int *out, int n);
WRONG_ACCESSES(WRONG_KERNEL)
WRONG_WAITS(WRONG_KERNEL)
WRONG_TRAPS(WRONG_KERNEL)
WRONG_STACKS(WRONG_KERNEL)
WRONG_PTX(WRONG_KERNEL)
#undef WRONG_KERNEL

/* Where a buffer starts with a page. */
const char *wrong_read_before(const int *in, int *out, int n);
/* Threads wait at the same line of two files. */
const char *wrong_barriers_of_two_files(const int *in, int *out, int n);
/* Three launches: the second does wrong, the third would set all of the output to 3. */
const char *wrong_second_launch(const int *in, int *out, int n);
const char *wrong_workspace(const int *in, int *out, int n);
/* Right: a simulated thread's stack has room for its arrays. */
const char *wrong_frame_that_fits(const int *in, int *out, int n);
/* Launches what does wrong, and does not ask whether it went well. */
const char *wrong_unasked(const int *in, int *out, int n);
/* Its launcher does on the host, at the line wrong_lines[0], what a kernel should do. */
const char *wrong_reads_on_host(const int *in, int *out, int n);
const char *wrong_writes_on_host(const int *in, int *out, int n);
/* Right: turns each block of 64 of n numbers. */
const char *right_reverse(const int *in, int *out, int n);

/* Counts the threads of a launch of that size in *out, on a single number in memory of the host; with `allowed` all its
 * shared memory is asked for before. Returns NULL, or what launch_error("a rung") says. */
const char *count_launched_threads(const unsigned grid[3], const unsigned block[3], size_t shared_bytes, bool allowed,
                                   int *out);
/* Copies three numbers to a symbol where two are left. A GPU writes to what lies behind it. */
const char *copy_beyond_a_symbol(const int *in);

C_END

#ifdef __cplusplus
#include "kernels/launch.h" /* before KERNEL() has a meaning of its own */

/* A kernel is wrong at the line that starts with AT; where two places are at odds, the other starts with AND_AT. */
#define AT wrong_lines[0] = __LINE__
#define AND_AT wrong_lines[1] = __LINE__

#define KERNEL(name)                                                                                \
    static __global__ void name##_kernel([[maybe_unused]] const int *in, [[maybe_unused]] int *out, \
                                         [[maybe_unused]] int n)

/* Its launcher, as X of the lists above. */
#define LAUNCHER(name, blocks, shared, ...)                             \
    const char *wrong_##name(const int *in, int *out, int n)            \
    {                                                                   \
        LAUNCH(name##_kernel, blocks, 64, shared, nullptr, in, out, n); \
        return launch_error("a rung");                                  \
    }

#endif
