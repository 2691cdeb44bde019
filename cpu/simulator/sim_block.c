#include "sim_block.h"

#include "sim_barrier.h"
#include "sim_blame.h"
#include "sim_copy.h"
#include "sim_edges.h"
#include "sim_fault.h"
#include "sim_fiber.h"
#include "sim_order.h"
#include "sim_thread.h"
#include "sim_warp.h"

#include <stdio.h>

/* The body of a fiber: one thread per block. */
static void live(void)
{
    for (;;) {
        sim_block.launch->thread_body(sim_block.launch->arguments);
        sim_copy_drop(sim_block.current);
        sim_wait(SIM_ENDED, NULL, (struct sim_place){"", 0});
    }
}

static void accuse_of_fault(void)
{
    const struct sim_thread *thread = sim_current();
    struct sim_place place = thread->operation ? thread->place : sim_fault_place();
    char what[192];
    if (sim_fibers_overflowed(sim_block.fibers, sim_fault_address()))
        snprintf(what, sizeof what, "uses more stack than a simulated thread has");
    else
        sim_fault_describe(what, sizeof what);
    sim_accuse(sim_block.current, place, "%s", what);
}

static void run_thread(unsigned index)
{
    const struct sim_thread *thread = &sim_block.threads[index];
    sim_block.current = index;
    threadIdx = thread->index;
    sim_fibers_resume(sim_block.fibers, index);
    if (sim_fault_seen())
        accuse_of_fault();
    else if (sim_edges_late())
        sim_accuse(index, (struct sim_place){"some line", 0}, "takes too long, even alone");
    else if (thread->state == SIM_IN_WARP || thread->state == SIM_ENDED)
        sim_warp_changed(index);
}

/* Until no thread can go on. When an exchange of a warp is complete, its lanes either go on at once, as far as they
 * can, or wait for their next turn: the order decides. */
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

void sim_block_run(void)
{
    static unsigned turns[SIM_THREADS_MAX];
    sim_block.serial++;
    for (unsigned i = 0; i < sim_block.count; i++)
        sim_block.threads[i].state = SIM_READY;
    do {
        sim_order_threads(turns, sim_block.count);
        run_ready(turns);
    } while (!sim_error() && sim_barrier_pass());
}

static bool is_on_thread(const void *stack)
{
    return sim_fibers_own(sim_block.fibers, stack);
}

bool sim_block_open(const struct sim_launch *launch)
{
    const struct uint3 *block = &launch->block;
    if (!sim_block.fibers)
        sim_block.fibers = sim_fibers_make(SIM_THREADS_MAX, live);
    if (!sim_block.fibers)
        return false;
    sim_forget_error();
    sim_block.launch = launch;
    sim_block.count = block->x * block->y * block->z;
    for (unsigned i = 0; i < sim_block.count; i++) {
        sim_block.threads[i].index = (struct uint3){i % block->x, i / block->x % block->y, i / block->x / block->y};
        sim_block.threads[i].operation = NULL; /* an error may have left one */
    }
    sim_fault_catch(sim_leave);
    sim_edges_begin(launch, is_on_thread, sim_leave);
    return true;
}

/* After an error, threads are left in the middle of what they did. */
void sim_block_close(void)
{
    sim_edges_end();
    sim_fault_ignore();
    sim_block.launch = NULL;
    if (!sim_error())
        return;
    sim_fibers_restart(sim_block.fibers);
    for (unsigned i = 0; i < sim_block.count; i++)
        sim_copy_drop(i);
}
