#include "sim_launch.h"

#include "bench/base/memory.h"
#include "sim_access.h"
#include "sim_copy.h"
#include "sim_device.h"
#include "sim_edges.h"
#include "sim_fault.h"
#include "sim_fiber.h"
#include "sim_order.h"
#include "sim_program.h"
#include "sim_race.h"
#include "sim_thread.h"
#include "sim_together.h"
#include "sim_turns.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *error;

/* The body of a fiber: one thread after another. */
static void live(void)
{
    for (;;) {
        sim_block.launch->thread_body(sim_block.launch->arguments);
        sim_copy_drop(sim_block.current);
        sim_end();
    }
}

/* Until all threads have ended, or there is an error. */
static void run_block(unsigned x, unsigned y, unsigned z)
{
    blockIdx = (struct uint3){x, y, z};
    sim_race_begin();
    sim_together_begin();
    sim_block.serial++;
    for (unsigned i = 0; i < sim_block.count; i++) {
        sim_block.threads[i].state = SIM_READY;
        sim_block.threads[i].exchanges = 0;
        sim_block.threads[i].fiber = -1;
    }
    sim_turns_shuffle();
    do
        sim_turns_run();
    while (!sim_error() && sim_barrier_pass());
    sim_race_end();
    sim_program_look_at_block();
}

static void run_all(const struct uint3 *grid)
{
    uint64_t blocks = (uint64_t)grid->x * grid->y * grid->z;
    for (uint64_t turn = 0; turn < blocks && !sim_error(); turn++) {
        uint64_t block = sim_order_block(turn, blocks);
        run_block((unsigned)(block % grid->x), (unsigned)(block / grid->x % grid->y),
                  (unsigned)(block / grid->x / grid->y));
    }
}

static void run_outermost(const struct uint3 *grid)
{
    for (unsigned z = 0; z < sim_edges_count(grid->z); z++)
        for (unsigned y = 0; y < sim_edges_count(grid->y); y++)
            for (unsigned x = 0; x < sim_edges_count(grid->x) && !sim_error(); x++)
                run_block(sim_edges_block(x, grid->x), sim_edges_block(y, grid->y), sim_edges_block(z, grid->z));
}

static void open_block(const struct sim_launch *launch)
{
    const struct uint3 *block = &launch->block;
    sim_forget_error();
    sim_block.launch = launch;
    sim_block.count = block->x * block->y * block->z;
    for (unsigned i = 0; i < sim_block.count; i++) {
        sim_block.threads[i].index = (struct uint3){i % block->x, i / block->x % block->y, i / block->x / block->y};
        sim_block.threads[i].operation = NULL; /* an error may have left one */
    }
    gridDim = launch->grid;
    blockDim = launch->block;
}

/* After an error, threads are left in the middle of what they did. */
static void close_block(void)
{
    sim_block.launch = NULL;
    if (!sim_error())
        return;
    sim_fibers_restart();
    for (unsigned i = 0; i < sim_block.count; i++)
        sim_copy_drop(i);
}

/* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
static bool is_possible(const struct sim_launch *launch)
{
    const struct uint3 *grid = &launch->grid, *block = &launch->block;
    return grid->x >= 1 && grid->y >= 1 && grid->z >= 1 && grid->x <= 2147483647 &&
           (sim_edges_only() || (grid->y <= 65535 && grid->z <= 65535)) && block->x >= 1 && block->y >= 1 &&
           block->z >= 1 && block->x <= 1024 && block->y <= 1024 && block->z <= 64 &&
           block->x * block->y * block->z <= SIM_THREADS_MAX && launch->dynamic_shared_bytes <= SIM_SHARED_BYTES_MAX;
}

/* As the launch has it, until the kernel itself is known. */
static void name_kernel(const struct sim_launch *launch)
{
    const size_t bracket = launch->kernel[0] == '('; /* of LAUNCH((kernel<1, 2>), ...) */
    snprintf(sim_block.kernel, sizeof sim_block.kernel, "%.*s", (int)(strlen(launch->kernel) - 2 * bracket),
             launch->kernel + bracket);
}

/* NULL: it can be launched. */
static const char *refuse(const struct sim_launch *launch)
{
    static char text[448];
    const struct uint3 *grid = &launch->grid, *block = &launch->block;
    if (is_possible(launch))
        return NULL;
    snprintf(text, sizeof text,
             "kernel %s: no GPU can launch a grid of (%u,%u,%u) blocks of (%u,%u,%u) threads with %zu bytes of dynamic "
             "shared memory",
             sim_block.kernel, grid->x, grid->y, grid->z, block->x, block->y, block->z, launch->dynamic_shared_bytes);
    return text;
}

/* Dynamic shared memory that kernels asked for with cudaFuncSetAttribute(). */
static struct allowance {
    const void *kernel;
    size_t bytes;
} * allowances;
static size_t allowance_count;

void sim_allow(const void *kernel, size_t dynamic_shared_bytes)
{
    size_t i = 0;
    while (i < allowance_count && allowances[i].kernel != kernel)
        i++;
    if (i == allowance_count)
        allowances = memory_grow(allowances, allowance_count++, sizeof *allowances);
    allowances[i] = (struct allowance){kernel, dynamic_shared_bytes};
}

void sim_kernel_entered(const void *kernel)
{
    size_t allowed = SIM_DYNAMIC_SHARED_BYTES;
    for (size_t i = 0; i < allowance_count; i++)
        if (allowances[i].kernel == kernel)
            allowed = allowances[i].bytes;
    if (sim_block.launch->dynamic_shared_bytes <= allowed)
        return;
    sim_refuse("kernel %s: %zu bytes of dynamic shared memory are more than %zu, which cudaFuncSetAttribute(kernel, "
               "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) has to allow",
               sim_block.kernel, sim_block.launch->dynamic_shared_bytes, allowed);
}

static const char *run(const struct sim_launch *launch)
{
    name_kernel(launch);
    const char *refusal = refuse(launch);
    if (refusal)
        return refusal;
    if (!sim_fibers_make(live))
        return "no memory for the stacks of simulated threads";
    open_block(launch);
    sim_fault_catch();
    sim_edges_begin(launch);
    sim_order_begin();
    sim_turns_begin();
    sim_access_open();
    sim_device_open();
    sim_watch_launch();
    if (sim_edges_only())
        run_outermost(&launch->grid);
    else
        run_all(&launch->grid);
    sim_device_shut();
    sim_edges_end();
    sim_fault_ignore();
    sim_access_shut();
    close_block();
    return sim_error();
}

/* Threads of the host come one after the other. */
static pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool runs_here;

void sim_launch_run(const struct sim_launch *launch)
{
    if (runs_here)
        sim_stop((struct sim_place){"", 0}, "launches a kernel from a kernel, which is not simulated");
    (void)pthread_mutex_lock(&one_by_one);
    runs_here = true;
    error = error ? error : run(launch);
    if (error && sim_program_runs())
        sim_program_say(error);
    if (error)
        sim_edges_fail();
    runs_here = false;
    (void)pthread_mutex_unlock(&one_by_one);
}

const char *sim_launch_error(void)
{
    const char *taken = error;
    error = NULL;
    return taken;
}
