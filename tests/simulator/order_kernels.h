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

#define UNWRITTEN "reads shared memory before it is written"
#define RACING "depends on the order in which threads run"
#define UNAWAITED "depends on when asynchronous copies arrive"

/* X(name, element, block, shows, order): turn_NAME lacks what the name says, turn_NAME_mended does not; `order` with a
 * star at its end is whichever of those that begin so. Element or block -1: nobody's. */
#define TURN_KERNELS(X)                                                     \
    X(unwritten, 64 + 58, 1, UNWRITTEN, "forward, other poison")            \
    X(unwritten_times_zero, 64 + 58, 1, UNWRITTEN, "forward, other poison") \
    X(dynamic_unwritten, 64 + 58, 1, UNWRITTEN, "forward, other poison")    \
    X(kept_from_last_block, 64, 1, UNWRITTEN, "forward, other poison")      \
    X(no_barrier, 0, 0, UNWRITTEN, "forward, other poison")                 \
    X(no_barrier_on_written, 0, 0, RACING, "reverse")                       \
    X(no_barrier_in_loop, 0, 0, RACING, "reverse")                          \
    X(no_syncwarp, 0, 0, RACING, "reverse")                                 \
    X(no_wait, 0, 0, UNAWAITED, "forward, early copies")                    \
    X(no_commit, 0, 0, UNAWAITED, "forward, early copies")                  \
    X(group_too_many, 0, 0, UNAWAITED, "forward, early copies")             \
    X(copy_too_early, 64 + 32, 1, UNAWAITED, "forward, early copies")       \
    X(last_block_wins, 4 * TURN_BLOCK - 2, 0, RACING, "reverse")            \
    X(middle_block, 64, 1, RACING, "shuffled, seed *")                      \
    X(middle_thread, -1, -1, RACING, "shuffled, seed *")                    \
    X(never_written, 7, -1, RACING, "reverse")                              \
    X(syncwarp_for_barrier, 0, 0, UNWRITTEN, "forward, other poison")       \
    X(warps_side_by_side, -1, -1, RACING, "shuffled, seed *")               \
    X(first_comes_first_again, -1, -1, RACING, "shuffled, seed *")          \
    X(absent_lane, 0, 0, UNWRITTEN, "forward, other poison")                \
    X(no_wait_before_end, 0, 0, UNAWAITED, "forward, early copies")

#define TURN_RUNGS(name, ...) rung_function turn_##name, turn_##name##_mended;
TURN_KERNELS(TURN_RUNGS)
#undef TURN_RUNGS

/* Matrix products, summed up by atomics. */
rung_function sums_atomically, sums_without_last, sums_zeroed_by_thread_0, sums_without_atomics;

/* So many barriers, by one block of 1024 threads. */
const char *many_barriers(int count, int *out);

#ifdef __cplusplus
}
#endif
