#include "sim_async.h"

#include "bench/base/memory.h"
#include "sim_access.h"
#include "sim_copy.h"
#include "sim_order.h"
#include "sim_proxy.h"
#include "sim_shared.h"
#include "sim_thread.h"

#include <stdlib.h>
#include <string.h>

enum { BULK = 16, MAGIC = 0xB5, COUNT_MAX = (1 << 16) - 1, BYTES_MAX = (1 << 23) - 1 };

/* A barrier, as it lies in shared memory. */
union mbarrier {
    uint64_t word;
    struct {
        uint64_t magic : 8, phase : 1, arrivals : 16, missing : 16;
        uint64_t bytes : 23; /* that were announced and have not come, or have come and were not announced: modulo */
    } is;
};
_Static_assert(sizeof(union mbarrier) == sizeof(uint64_t), "as large as in CUDA");

static union mbarrier *barrier_at(struct sim_place place, const void *memory, const char *operation)
{
    union mbarrier *barrier = (union mbarrier *)(uintptr_t)memory;
    sim_atomic_begin(place, operation, barrier, sizeof *barrier);
    if (barrier->is.magic != MAGIC)
        sim_stop(place, "calls %s on what is no barrier: nobody has made it yet", operation);
    sim_atomic_end();
    return barrier;
}

/* Its phase may end, by what that thread did. */
static void count(union mbarrier *barrier, unsigned thread, struct sim_place place)
{
    sim_block.events++;
    if (barrier->is.missing > 0)
        return;
    if (barrier->is.bytes > BYTES_MAX / 2)
        sim_accuse(thread, place, "copies %llu bytes more than were announced to the barrier",
                   (unsigned long long)(BYTES_MAX + 1 - barrier->is.bytes));
    if (barrier->is.bytes != 0)
        return;
    barrier->is.phase = !barrier->is.phase;
    barrier->is.missing = barrier->is.arrivals;
    (void)sim_wake();
}

void sim_mbarrier_make(struct sim_place place, uint64_t *barrier, uint32_t arrivals)
{
    if (arrivals < 1 || arrivals > COUNT_MAX)
        sim_stop(place, "makes a barrier of %u arrivals, expected 1 to %d", arrivals, COUNT_MAX);
    sim_access_begin(place, "mbarrier.init", barrier, sizeof *barrier, true);
    ((union mbarrier *)barrier)->word = 0;
    ((union mbarrier *)barrier)->is.magic = MAGIC;
    ((union mbarrier *)barrier)->is.arrivals = ((union mbarrier *)barrier)->is.missing = arrivals & COUNT_MAX;
    sim_access_end();
    sim_proxy_note(barrier, sizeof *barrier);
}

uint32_t sim_mbarrier_arrive(struct sim_place place, uint64_t *memory, uint32_t arrivals, uint32_t bytes)
{
    union mbarrier *barrier = barrier_at(place, memory, "mbarrier.arrive");
    const uint32_t parity = barrier->is.phase;
    if (arrivals > barrier->is.missing)
        sim_stop(place, "arrives %u times at a barrier that %u arrivals are missing at", arrivals,
                 (unsigned)barrier->is.missing);
    barrier->is.bytes = (barrier->is.bytes + bytes) & BYTES_MAX;
    barrier->is.missing = (barrier->is.missing - arrivals) & COUNT_MAX;
    count(barrier, sim_block.current, place);
    return parity;
}

static bool has_ended(const void *barrier, uint64_t parity)
{
    return ((const union mbarrier *)barrier)->is.phase != parity;
}

void sim_mbarrier_wait(struct sim_place place, const uint64_t *memory, uint32_t parity)
{
    const union mbarrier *barrier = barrier_at(place, memory, "mbarrier.try_wait");
    (void)sim_wait_until(has_ended, barrier, parity & 1, "mbarrier.try_wait", place);
}

bool sim_mbarrier_test(struct sim_place place, const uint64_t *memory, uint32_t parity)
{
    enum { FAILURES_MAX = 64 };
    const union mbarrier *barrier = barrier_at(place, memory, "mbarrier.test_wait");
    struct sim_thread *thread = sim_current();
    thread->may_fail = thread->failures < FAILURES_MAX;
    const bool ended = sim_wait_until(has_ended, barrier, parity & 1, "mbarrier.test_wait", place);
    thread->may_fail = false;
    thread->failures = ended ? 0 : thread->failures + 1;
    return ended;
}

static void demand_fence(struct sim_place place, const char *operation, const void *memory, size_t bytes)
{
    const unsigned writer = sim_proxy_unfenced(memory, bytes);
    if (writer < SIM_THREADS_MAX) {
        const struct uint3 *thread = &sim_block.threads[writer].index;
        sim_stop(place, "%s touches what thread (%u,%u,%u) wrote, with no fence.proxy.async between", operation,
                 thread->x, thread->y, thread->z);
    }
}

void sim_proxy_begin(struct sim_place place, const char *operation, const void *memory, size_t bytes, bool writes)
{
    const bool traces = sim_proxy_traces;
    sim_proxy_traces = false; /* this is no store */
    sim_access_touch(place, operation, memory, bytes, writes);
    sim_proxy_traces = traces;
    demand_fence(place, operation, memory, bytes);
}

/* Copies to shared memory that have not arrived. */
static SIM_OWN struct load {
    uint64_t serial; /* of the block */
    void *to;
    const void *from; /* NULL: the box */
    struct sim_box box;
    size_t bytes;
    uint64_t *barrier;
    struct sim_place place;
    unsigned thread;
} * loads;
static SIM_OWN size_t load_count;

static void fill_box(const struct load *load)
{
    for (size_t i = 0; i < load->bytes / SIM_TENSOR_PIECE; i++) {
        const struct sim_piece piece = sim_box_piece(&load->box, load->to, i);
        memset(piece.shared, 0, SIM_TENSOR_PIECE);
        if (piece.bytes > 0)
            memcpy(piece.shared, piece.global, piece.bytes);
    }
}

static void arrive(const struct load *load)
{
    union mbarrier *barrier = (union mbarrier *)load->barrier;
    if (load->from)
        memcpy(load->to, load->from, load->bytes);
    else
        fill_box(load);
    barrier->is.bytes = (barrier->is.bytes - load->bytes) & BYTES_MAX;
    count(barrier, load->thread, load->place);
}

static void check_bulk(struct sim_place place, const void *to, const void *from, size_t bytes)
{
    if (bytes % BULK != 0 || (uintptr_t)to % BULK != 0 || (uintptr_t)from % BULK != 0)
        sim_stop(place,
                 "copies %zu bytes by cp.async.bulk, from or to an address that is no multiple of 16, or no such "
                 "number of bytes",
                 bytes);
}

static void touch(struct sim_place place, const void *memory, size_t bytes, bool writes)
{
    sim_proxy_begin(place, "cp.async.bulk", memory, bytes, writes);
}

/* By the thread that runs. Its source has been looked at. */
static void begin(struct sim_place place, struct load load)
{
    (void)barrier_at(place, load.barrier, "cp.async.bulk");
    demand_fence(place, "cp.async.bulk", load.barrier, sizeof *load.barrier);
    touch(place, load.to, load.bytes, true);
    load.place = place;
    load.serial = sim_block.serial;
    load.thread = sim_block.current;
    if (sim_order_copies_now()) {
        arrive(&load);
        return;
    }
    loads = memory_grow(loads, load_count, sizeof *loads);
    loads[load_count++] = load;
}

void sim_bulk_load(struct sim_place place, void *shared, const void *from, size_t bytes, uint64_t *barrier)
{
    check_bulk(place, shared, from, bytes);
    if (bytes == 0)
        return;
    touch(place, from, bytes, false);
    begin(place, (struct load){.to = shared, .from = from, .bytes = bytes, .barrier = barrier});
}

/* Where the box is in the tensor. An H100 writes whole pieces, also where the tensor ends within one. */
static void touch_box(struct sim_place place, const struct sim_box *box, char *shared, bool writes)
{
    if (sim_shared_address(shared) % SIM_TENSOR_ALIGNMENT != 0)
        sim_stop(place, "copies a box from or to an address that is no multiple of %d", SIM_TENSOR_ALIGNMENT);
    for (size_t i = 0; i < sim_box_bytes(box) / SIM_TENSOR_PIECE; i++) {
        const struct sim_piece piece = sim_box_piece(box, shared, i);
        if (piece.bytes > 0)
            touch(place, piece.global, writes ? SIM_TENSOR_PIECE : piece.bytes, writes);
    }
}

void sim_box_load(struct sim_place place, void *shared, const struct sim_box *box, uint64_t *barrier)
{
    touch_box(place, box, shared, false);
    begin(place, (struct load){.to = shared, .box = *box, .bytes = sim_box_bytes(box), .barrier = barrier});
}

/* Of the block that runs; those of others stay. */
static bool take_load(struct load *taken)
{
    for (size_t i = 0; i < load_count; i++)
        if (loads[i].serial == sim_block.serial) {
            *taken = loads[i];
            memmove(&loads[i], &loads[i + 1], (--load_count - i) * sizeof *loads);
            return true;
        }
    return false;
}

bool sim_async_arrive(void)
{
    struct load load;
    bool any = false;
    while (take_load(&load)) {
        arrive(&load);
        any = true;
    }
    return any;
}

void sim_async_end(void)
{
    struct load load;
    while (take_load(&load))
        if (!sim_error())
            sim_accuse(load.thread, load.place, "copies by cp.async.bulk to a block that ends before the copy arrives");
}

void sim_bulk_store(struct sim_place place, void *to, const void *shared, size_t bytes)
{
    check_bulk(place, to, shared, bytes);
    if (bytes == 0)
        return;
    touch(place, shared, bytes, false);
    touch(place, to, bytes, true);
    sim_copy_keep(SIM_BULK, to, shared, bytes);
}

void sim_box_store(struct sim_place place, const struct sim_box *box, void *shared)
{
    const size_t bytes = sim_box_bytes(box);
    for (unsigned i = 0; i < box->of.rank; i++)
        if (box->at[i] < 0) /* an H100 says "illegal instruction", and takes boxes from there */
            sim_stop(place, "puts a box before the beginning of a tensor, at the coordinate %d", box->at[i]);
    touch(place, shared, bytes, false);
    touch_box(place, box, shared, true);
    for (size_t i = 0; i < bytes / SIM_TENSOR_PIECE; i++) {
        const struct sim_piece piece = sim_box_piece(box, shared, i);
        if (piece.bytes > 0)
            sim_copy_keep(SIM_BULK, piece.global, piece.shared, SIM_TENSOR_PIECE);
    }
}

/* A warp counts as a whole: the lanes that it does not have, or that have ended, come with the first one. */
static unsigned absent_lanes(uint32_t *warps)
{
    const unsigned warp = sim_block.current / SIM_WARP;
    unsigned absent = 0;
    if ((*warps >> warp & 1) != 0)
        return 0;
    *warps |= UINT32_C(1) << warp;
    for (unsigned i = warp * SIM_WARP; i < (warp + 1) * SIM_WARP; i++)
        absent += i >= sim_block.count || sim_block.threads[i].state == SIM_ENDED;
    return absent;
}

void sim_named_barrier(struct sim_place place, unsigned number, unsigned threads, bool waits)
{
    struct sim_named_meeting *barrier = &sim_block.named[number % SIM_NAMED_BARRIERS];
    const char *operation = waits ? "bar.sync" : "bar.arrive";
    if (number >= SIM_NAMED_BARRIERS || threads == 0 || threads % SIM_WARP != 0 || threads > SIM_THREADS_MAX)
        sim_stop(place, "calls %s %u, %u, expected a barrier below %d and a multiple of 32 threads", operation, number,
                 threads, SIM_NAMED_BARRIERS);
    if (barrier->arrived > 0 && barrier->threads != threads)
        sim_stop(place, "calls %s %u, %u while %u threads are expected there", operation, number, threads,
                 barrier->threads);
    const unsigned phase = barrier->phase;
    barrier->threads = threads;
    sim_block.events++;
    barrier->arrived += 1 + absent_lanes(&barrier->warps);
    if (barrier->arrived >= threads) {
        barrier->warps = 0;
        barrier->arrived = 0;
        barrier->phase++;
        (void)sim_wake();
    }
    if (waits)
        (void)sim_wait_until(sim_has_reached, &barrier->phase, phase + 1, operation, place);
}
