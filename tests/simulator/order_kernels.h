/* Rungs that answer rightly in one order, and otherwise in another. */
#pragma once

#include "c_linkage.h"
#include "bench/table/rung.h"

C_BEGIN

enum { TURN_BLOCK = 64 };

/* Turns each block of 64 of n numbers. */
struct turn_problem {
    int64_t n;
    const int *in;
    int *out;
};

#define UNWRITTEN "reads memory before it is written"
#define RACING "depends on the order in which threads run"
#define UNAWAITED "depends on when asynchronous copies arrive"

/* X(name, element, block, shows, order): turn_NAME lacks what the name says, turn_NAME_mended does not; `order` with a
 * star at its end is whichever of those that begin so. Element or block -1: nobody's. */
#define TURN_KERNELS(X)                                                     \
    X(unwritten, 64 + 58, 1, UNWRITTEN, "forward, other poison")            \
    X(unwritten_times_zero, 64 + 58, 1, UNWRITTEN, "forward, other poison") \
    X(kept_from_last_block, 64, 1, UNWRITTEN, "forward, other poison")      \
    X(no_barrier, 0, 0, UNWRITTEN, "forward, other poison")                 \
    X(no_barrier_on_written, 0, 0, RACING, "reverse")                       \
    X(no_barrier_in_loop, 0, 0, RACING, "reverse")                          \
    X(no_syncwarp, 0, 0, RACING, "reverse")                                 \
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

/* X(name, threads of a block, said of it): the same of what only Hopper has. */
#define HOPPER_KERNELS(X)                                                                                           \
    X(bulk_read_too_early, 64, UNAWAITED)                                                                           \
    X(bulk_not_waited_for, 64, "copies by cp.async.bulk to a block that ends before the copy arrives")              \
    X(bulk_overwrites, 64, UNAWAITED)                                                                               \
    X(bulk_without_fence, 64, "cp.async.bulk touches what thread (0,0,0) wrote, with no fence.proxy.async between") \
    X(bulk_beside_row, 64, "writes out of bounds, 0 bytes past the end of the shared array")                        \
    X(bulk_misaligned, 64, "copies 256 bytes by cp.async.bulk, from or to an address that is no multiple of 16")    \
    X(barrier_not_made_yet, 64, "calls mbarrier.try_wait on what is no barrier: nobody has made it yet")            \
    X(barrier_without_fence, 64, "cp.async.bulk touches what thread (0,0,0) wrote")                                 \
    X(barrier_of_too_many, 64, "waits for ever in mbarrier.try_wait")                                               \
    X(barrier_of_too_few, 64, RACING)                                                                               \
    X(cluster_not_waited_for, 64, UNWRITTEN)                                                                        \
    X(cluster_ends_too_early, 64, "writes shared memory of a block that has ended")                                 \
    X(cluster_not_arrived, 64, "waits in cluster_wait, and has not arrived there")                                  \
    X(cluster_of_fewer, 64, "asks for the shared memory of block 2 of 2")                                           \
    X(wgmma_of_unfenced_writes, 128, "wgmma touches what thread")                                                   \
    X(wgmma_without_fence, 128, "calls wgmma.mma_async before wgmma.fence")                                         \
    X(wgmma_not_committed, 128, "begins products by wgmma and ends before they are done")                           \
    X(wgmma_taken_too_early, 128, UNAWAITED)                                                                        \
    X(wgmma_factor_overwritten, 128, UNAWAITED)                                                                     \
    X(wgmma_sums_without_fence, 128,                                                                                \
      "calls wgmma.mma_async with sums that it has written to, with no wgmma.fence between")                        \
    X(wgmma_by_one_warp, 128, "has begun 0 products by wgmma, and another warp of its four 4")

/* X(name, said): the same of tensors. */
#define TENSOR_KERNELS(X)                                                                                           \
    X(tensor_of_too_few_bytes, "copies 128 bytes more than were announced to the barrier")                          \
    X(tensor_of_too_many_bytes, "waits for ever in mbarrier.test_wait")                                             \
    X(tensor_misaligned, "copies a box from or to an address that is no multiple of 128")                           \
    X(tensor_off_its_pieces, "copies a box that begins -1 elements of 4 bytes into a row, no multiple of 16 bytes") \
    X(tensor_without_map, "copies by what is no tensor map")                                                        \
    X(tensor_larger_than_buffer, "reads out of bounds, 0 bytes past the end of a buffer of 1024 bytes")             \
    X(tensor_of_fewer_dimensions, "copies a box of 1 dimensions of a tensor of 2")                                  \
    X(tensor_stored_without_fence, "cp.async.bulk touches what thread")                                             \
    X(tensor_put_before, "puts a box before the beginning of a tensor, at the coordinate -1")                       \
    X(tensor_source_overwritten, UNAWAITED)                                                                         \
    X(tensor_store_not_waited_for, "ends before its copies by cp.async.bulk are done")                              \
    X(tensor_interleaved, "copies by a tensor map of interleaved elements, which is not simulated")

/* X(name, said): the same of kernels with launches of their own. Empty: the simulator does not find what is wrong. */
#define OTHER_KERNELS(X)                                                                              \
    X(unwritten_workspace, UNWRITTEN)                                                                 \
    X(not_waited_for_last, "reads what the launch before it writes, whose end it has not waited for") \
    X(plain_count, "")                                                                                \
    X(no_threadfence, "")                                                                             \
    X(no_event, "")                                                                                   \
    X(reused_source, "")                                                                              \
    X(stale_load, "")                                                                                 \
    X(two_calls, "")                                                                                  \
    X(too_many_threads, "")

#define TURN_FUNCTIONS(name, ...) rung_function turn_##name, turn_##name##_mended;
TURN_KERNELS(TURN_FUNCTIONS)
HOPPER_KERNELS(TURN_FUNCTIONS)
TENSOR_KERNELS(TURN_FUNCTIONS)
OTHER_KERNELS(TURN_FUNCTIONS)
#undef TURN_FUNCTIONS

/* Matrix products, summed up by atomics. */
rung_function sums_atomically, sums_without_last, sums_zeroed_by_thread_0;

/* So many barriers, by one block of 1024 threads. */
const char *many_barriers(int count, int *out);

C_END

/* Both rungs of a kernel; the file of it has TURN_LAUNCH(name, mended, what else its line has). */
#define TURN_RUNG(name, suffix, mended, ...)                                    \
    const char *turn_##name##suffix(const void *problem, void *opaque)          \
    {                                                                           \
        const struct turn_problem *p = (const struct turn_problem *)problem;    \
        [[maybe_unused]] const unsigned blocks = (unsigned)(p->n / TURN_BLOCK); \
        const cudaStream_t stream = (cudaStream_t)opaque;                       \
        TURN_LAUNCH(name, mended, __VA_ARGS__);                                 \
        return launch_error("a rung");                                          \
    }
#define TURN_RUNGS(name, ...)             \
    TURN_RUNG(name, , false, __VA_ARGS__) \
    TURN_RUNG(name, _mended, true, __VA_ARGS__)
