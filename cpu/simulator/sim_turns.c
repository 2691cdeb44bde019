#include "sim_thread.h"

#include "bench/base/memory.h"
#include "sim_edges.h"
#include "sim_fault.h"
#include "sim_fiber.h"
#include "sim_order.h"
#include "sim_together.h"

#include <string.h>

enum { WORDS = SIM_TURN_WORDS };

void sim_ready(unsigned thread)
{
    const unsigned turn = sim_block.turns.turn_of[thread];
    sim_block.threads[thread].state = SIM_READY;
    sim_block.turns.ready[turn / 64] |= UINT64_C(1) << turn % 64;
}

/* The stack of the one that comes after this one, of a word of ready turns. */
static inline void fetch_soon(uint64_t ready, unsigned word)
{
    if (ready != 0)
        sim_fiber_fetch(sim_block.threads[sim_block.turns.thread[word * 64 + (unsigned)__builtin_ctzll(ready)]].fiber);
}

/* Takes the first ready one from that turn on, and then from the beginning; SIM_THREADS_MAX: there is none. */
static unsigned take_from(unsigned turn)
{
    for (unsigned i = 0; i <= WORDS; i++) {
        const unsigned word = (turn / 64 + i) % WORDS;
        const uint64_t ready = sim_block.turns.ready[word] & (i == 0 ? UINT64_MAX << turn % 64 : UINT64_MAX);
        if (ready != 0) {
            sim_block.turns.now = word * 64 + (unsigned)__builtin_ctzll(ready);
            sim_block.turns.ready[word] &= ~(ready & -ready);
            const unsigned thread = sim_block.turns.thread[sim_block.turns.now];
            fetch_soon(ready & (ready - 1), word);
            sim_block.current = thread;
            threadIdx = sim_block.threads[thread].index;
            return thread;
        }
    }
    return SIM_THREADS_MAX;
}

/* Fibers that no thread runs on, the last one on top: its stack is in the caches. */
static SIM_OWN int *spare;
static SIM_OWN unsigned spare_count;

static int fiber_of(unsigned thread)
{
    int *fiber = &sim_block.threads[thread].fiber;
    *fiber = *fiber < 0 ? spare[--spare_count] : *fiber;
    return *fiber;
}

/* Where an exchange of a warp is complete, its lanes go on at once, as far as they can, or wait for their next turn:
 * the order decides. A thread that has not begun may go on with the fiber of one that has ended. */
static void hand_over(bool is_complete)
{
    const int own = sim_current()->fiber;
    const unsigned next =
        take_from(is_complete && sim_order_warp_goes_ahead() ? 0 : (sim_block.turns.now + 1) % SIM_THREADS_MAX);
    if (next == SIM_THREADS_MAX)
        sim_fibers_yield();
    else if (fiber_of(next) != own)
        sim_fibers_switch((size_t)sim_block.threads[next].fiber);
}

void sim_wait(enum sim_state state, const char *operation, struct sim_place place)
{
    struct sim_thread *thread = sim_current();
    thread->state = state;
    thread->operation = operation;
    thread->place = place;
    if (state == SIM_AT_BARRIER)
        sim_block.turns.at_barrier[sim_block.turns.now / 64] |= UINT64_C(1) << sim_block.turns.now % 64;
    hand_over(state == SIM_IN_WARP && sim_warp_changed(sim_block.current));
    thread->operation = NULL;
    thread->state = SIM_READY;
}

bool sim_has_reached(const void *count, uint64_t least)
{
    return *(const unsigned *)count >= least;
}

bool sim_wait_until(sim_condition *is_met, const void *memory, uint64_t value, const char *operation,
                    struct sim_place place)
{
    struct sim_thread *thread = sim_current();
    thread->is_met = is_met;
    thread->memory = memory;
    thread->value = value;
    thread->failed = false;
    while (!thread->failed && !is_met(memory, value)) {
        sim_block.until++;
        sim_wait(SIM_UNTIL, operation, place);
    }
    if (!thread->failed)
        thread->heard = sim_block.events;
    return !thread->failed;
}

/* All whose condition is met, or the first that may fail. Whether there is one. */
static bool wake(bool fails)
{
    bool any = false;
    for (unsigned i = 0; i < sim_block.count && sim_block.until > 0 && !(fails && any); i++) {
        struct sim_thread *thread = &sim_block.threads[i];
        if (thread->state != SIM_UNTIL || !(fails ? thread->may_fail : thread->is_met(thread->memory, thread->value)))
            continue;
        thread->failed = fails;
        sim_block.until--;
        sim_ready(i);
        any = true;
    }
    return any;
}

bool sim_wake(void)
{
    return wake(false);
}

bool sim_let_fail(void)
{
    return wake(true);
}

void sim_end(void)
{
    sim_current()->state = SIM_ENDED;
    sim_block.ended++;
    (void)sim_warp_changed(sim_block.current);
    spare[spare_count++] = sim_current()->fiber;
    hand_over(false);
}

void sim_pause(void)
{
    sim_ready(sim_block.current);
    hand_over(false);
}

/* Other turns for the same threads. */
static void shuffle(void)
{
    uint64_t ready[SIM_THREADS_MAX / 64] = {0}; /* by thread */
    for (unsigned turn = 0; turn < sim_block.count; turn++)
        if ((sim_block.turns.ready[turn / 64] >> turn % 64 & 1) != 0)
            ready[sim_block.turns.thread[turn] / 64] |= UINT64_C(1) << sim_block.turns.thread[turn] % 64;
    sim_order_threads(sim_block.turns.thread, sim_block.count);
    memset(sim_block.turns.ready, 0, sizeof sim_block.turns.ready);
    for (unsigned turn = 0; turn < sim_block.count; turn++) {
        const unsigned thread = sim_block.turns.thread[turn];
        sim_block.turns.turn_of[thread] = turn;
        sim_block.turns.ready[turn / 64] |= (ready[thread / 64] >> thread % 64 & 1) << turn % 64;
    }
}

void sim_ready_at_barrier(void)
{
    memcpy(sim_block.turns.ready, sim_block.turns.at_barrier, sizeof sim_block.turns.ready);
    memset(sim_block.turns.at_barrier, 0, sizeof sim_block.turns.at_barrier);
    if (sim_order.sequence == SIM_SHUFFLED)
        shuffle();
}

void sim_turns_shuffle(void)
{
    memset(sim_block.turns.ready, 0, sizeof sim_block.turns.ready);
    memset(sim_block.turns.at_barrier, 0, sizeof sim_block.turns.at_barrier);
    for (unsigned turn = 0; turn < sim_block.count; turn++) {
        sim_block.turns.thread[turn] = turn;
        sim_block.turns.ready[turn / 64] |= UINT64_C(1) << turn % 64;
    }
    shuffle();
}

void sim_turns_begin(unsigned threads)
{
    spare = spare ? spare : memory_get(SIM_FIBERS_MAX, sizeof *spare);
    for (spare_count = 0; spare_count < threads; spare_count++)
        spare[spare_count] = (int)(threads - 1 - spare_count);
}

/* A thread comes back where none is ready, and where it is stopped. */
void sim_turns_run(void)
{
    const unsigned first = take_from(0);
    if (first == SIM_THREADS_MAX)
        return;
    sim_fibers_resume((size_t)fiber_of(first));
    if (!sim_fault_accuse() && sim_edges_late())
        sim_accuse(sim_block.current, (struct sim_place){"some line", 0}, "takes too long, even alone");
}
