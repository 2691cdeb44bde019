/* The threads of a block: who runs, who waits, and who waits in vain. */
#include "sim_fault.h"
#include "sim_fiber.h"
#include "sim_order.h"
#include "sim_thread.h"

#include <stdio.h>
#include <string.h>

struct uint3 threadIdx;
struct sim_block sim_block;

static struct sim_fibers *fibers;

void sim_leave(void)
{
    sim_fibers_yield(fibers);
}

void sim_wait(enum sim_state state, const char *operation, struct sim_place place)
{
    struct sim_thread *thread = sim_current();
    thread->state = state;
    thread->operation = operation;
    thread->place = place;
    sim_leave();
    thread->operation = NULL;
}

int sim_barrier(struct sim_place place, const char *operation, int predicate)
{
    sim_current()->value = predicate != 0;
    sim_wait(SIM_AT_BARRIER, operation, place);
    return sim_block.votes;
}

/* A fiber's life: one thread of each block. */
static void live(void)
{
    for (;;) {
        sim_block.launch->run(sim_block.launch->arguments);
        sim_copy_drop(&sim_current()->copies);
        sim_wait(SIM_ENDED, NULL, (struct sim_place){"", 0});
    }
}

static void blame_fault(void)
{
    const struct sim_thread *thread = sim_current();
    struct sim_place place = thread->operation ? thread->place : sim_fault_place();
    char what[192];
    if (sim_fibers_overflowed(fibers, sim_fault_address()))
        snprintf(what, sizeof what, "uses more stack than a simulated thread has");
    else
        sim_fault_describe(what, sizeof what);
    sim_blame(sim_block.current, place, "%s", what);
}

static void run_thread(unsigned index)
{
    const struct sim_thread *thread = &sim_block.threads[index];
    sim_block.current = index;
    threadIdx = thread->index;
    sim_fibers_resume(fibers, index);
    if (sim_fault_seen())
        blame_fault();
    else if (thread->state == SIM_IN_WARP || thread->state == SIM_ENDED)
        sim_warp_changed(index);
}

/* Until no thread can go on. When a warp's lanes have come together, they go on at once and as far as they can, for a
 * warp's wait holds nobody else back; or they wait for their next turn, as the order has it. */
static void run_ready(const unsigned *turns)
{
    unsigned turn = 0, passed_over = 0;
    while (passed_over < sim_block.count && !sim_error()) {
        const struct sim_thread *thread = &sim_block.threads[turns[turn]];
        bool goes = thread->state == SIM_READY;
        if (goes)
            run_thread(turns[turn]);
        passed_over = goes ? 0 : passed_over + 1;
        bool again = goes && thread->state == SIM_READY && sim_order_warp_goes_ahead();
        turn = again ? 0 : (turn + 1) % sim_block.count;
    }
}

/* The first thread in that state; SIM_THREADS_MAX: none. */
static unsigned first_in(enum sim_state state)
{
    for (unsigned i = 0; i < sim_block.count; i++)
        if (sim_block.threads[i].state == state)
            return i;
    return SIM_THREADS_MAX;
}

/* The first thread that is not at the barrier at which `waiting` is; SIM_THREADS_MAX: none. */
static unsigned missing_at_barrier(const struct sim_thread *waiting)
{
    for (unsigned i = 0; i < sim_block.count; i++) {
        const struct sim_thread *thread = &sim_block.threads[i];
        if (thread->state != SIM_AT_BARRIER || thread->place.line != waiting->place.line ||
            strcmp(thread->place.file, waiting->place.file) != 0)
            return i;
    }
    return SIM_THREADS_MAX;
}

static void blame_missing(unsigned missing, const struct sim_thread *waiting)
{
    const struct sim_thread *thread = &sim_block.threads[missing];
    const struct uint3 *index = &waiting->index;
    char instead[192];
    if (thread->state == SIM_ENDED)
        snprintf(instead, sizeof instead, "has ended");
    else
        snprintf(instead, sizeof instead, "waits in %s at %s:%d", thread->operation, sim_short_name(thread->place.file),
                 thread->place.line);
    sim_blame(missing, waiting->place, "%s, while thread (%u,%u,%u) waits here in %s", instead, index->x, index->y,
              index->z, waiting->operation);
}

/* Each thread has ended or waits: lets them pass a barrier if all are at it. False: the block is over, or stuck. */
static bool pass_barrier(void)
{
    unsigned in_warp = first_in(SIM_IN_WARP), at_barrier = first_in(SIM_AT_BARRIER);
    if (in_warp < SIM_THREADS_MAX) {
        blame_missing(sim_warp_missing(in_warp), &sim_block.threads[in_warp]);
        return false;
    }
    if (at_barrier == SIM_THREADS_MAX)
        return false;
    unsigned missing = missing_at_barrier(&sim_block.threads[at_barrier]);
    if (missing < SIM_THREADS_MAX) {
        blame_missing(missing, &sim_block.threads[at_barrier]);
        return false;
    }
    sim_block.votes = 0;
    for (unsigned i = 0; i < sim_block.count; i++) {
        sim_block.votes += (int)sim_block.threads[i].value;
        sim_block.threads[i].state = SIM_READY;
    }
    return true;
}

void sim_block_run(void)
{
    static unsigned turns[SIM_THREADS_MAX];
    sim_block.serial++;
    for (unsigned i = 0; i < sim_block.count; i++)
        sim_block.threads[i].state = SIM_READY;
    do {
        sim_order_threads(turns, sim_block.count);
        run_ready(turns);
    } while (!sim_error() && pass_barrier());
}

bool sim_block_open(const struct sim_launch *launch)
{
    const struct uint3 *block = &launch->block;
    if (!fibers)
        fibers = sim_fibers_make(SIM_THREADS_MAX, live);
    if (!fibers)
        return false;
    sim_forget_error();
    sim_block.launch = launch;
    sim_block.count = block->x * block->y * block->z;
    for (unsigned i = 0; i < sim_block.count; i++) {
        sim_block.threads[i].index = (struct uint3){i % block->x, i / block->x % block->y, i / block->x / block->y};
        sim_block.threads[i].operation = NULL; /* of a launch that ended in error */
    }
    return true;
}

/* After error, threads are left in the middle of what they did. */
void sim_block_close(void)
{
    sim_block.launch = NULL;
    if (!sim_error())
        return;
    sim_fibers_restart(fibers);
    for (unsigned i = 0; i < sim_block.count; i++)
        sim_copy_drop(&sim_block.threads[i].copies);
}
