/* Rungs that answer rightly in one order, and otherwise in another. */
#pragma once

#include "bench/table/rung.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TURN_BLOCK = 64 };

/* Turns each block of 64 of n numbers. */
struct turn_problem {
    int64_t n;
    const int *in;
    int *out;
};

/* X(name): turn_NAME lacks what the name says, turn_NAME_mended does not. */
#define TURN_KERNELS(X)        \
    X(unwritten)               \
    X(unwritten_times_zero)    \
    X(dynamic_unwritten)       \
    X(kept_from_last_block)    \
    X(no_barrier)              \
    X(no_barrier_on_written)   \
    X(no_barrier_in_loop)      \
    X(no_syncwarp)             \
    X(no_wait)                 \
    X(no_commit)               \
    X(group_too_many)          \
    X(copy_too_early)          \
    X(last_block_wins)         \
    X(middle_block)            \
    X(middle_thread)           \
    X(never_written)           \
    X(syncwarp_for_barrier)    \
    X(warps_side_by_side)      \
    X(first_comes_first_again) \
    X(absent_lane)             \
    X(no_wait_before_end)

#define TURN_RUNGS(name) rung_function turn_##name, turn_##name##_mended;
TURN_KERNELS(TURN_RUNGS)
#undef TURN_RUNGS

/* Matrix products, summed up by atomics. */
rung_function sums_atomically, sums_without_last, sums_zeroed_by_thread_0, sums_without_atomics;

/* So many barriers, by one block of 1024 threads. */
const char *many_barriers(int count, int *out);

#ifdef __cplusplus
}
#endif
