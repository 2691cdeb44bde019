#include "sim_launch.h"

#include "bench/base/memory.h"
#include "sim_access.h"
#include "sim_copy.h"
#include "sim_crew.h"
#include "sim_device.h"
#include "sim_early.h"
#include "sim_edges.h"
#include "sim_fault.h"
#include "sim_fiber.h"
#include "sim_group.h"
#include "sim_order.h"
#include "sim_program.h"
#include "sim_race.h"
#include "sim_symbol.h"
#include "sim_thread.h"
#include "sim_together.h"
#include "sim_wgmma.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *error;

static void drop(unsigned thread)
{
    sim_copy_drop(thread);
    sim_wgmma_drop(thread);
}

void sim_drop_threads(void)
{
    for (unsigned i = 0; i < sim_block.count; i++)
        drop(i);
}

/* The body of a fiber: one thread after another. */
static void live(void)
{
    for (;;) {
        sim_block.launch->thread_body(sim_block.launch->arguments);
        const struct sim_thread *thread = sim_current();
        if (thread->copies[SIM_ASYNC].items || thread->copies[SIM_BULK].items ||
            thread->products) { /* few have asked for such things */
            sim_wgmma_end();
            sim_bulk_end();
            drop(sim_block.current);
        }
        sim_group_leave(sim_block.current);
        sim_end();
    }
}

/* How many blocks run at the same time, in each direction. */
static struct uint3 group_size(const struct sim_launch *launch)
{
    return launch->is_cooperative ? launch->grid : launch->cluster.x > 0 ? launch->cluster : (struct uint3){1, 1, 1};
}

/* As the launch has it, until the kernel itself is known. */
static void name_kernel(const struct sim_launch *launch)
{
    const size_t bracket = launch->kernel[0] == '('; /* of LAUNCH((kernel<1, 2>), ...) */
    snprintf(sim_block.kernel, sizeof sim_block.kernel, "%.*s", (int)(strlen(launch->kernel) - 2 * bracket),
             launch->kernel + bracket);
}

/* Before the first block of this thread of the host. */
static bool open_blocks(const struct sim_launch *launch)
{
    const struct uint3 *block = &launch->block, size = group_size(launch);
    const uint64_t threads = (uint64_t)size.x * size.y * size.z * block->x * block->y * block->z;
    if (!sim_fibers_make(live, threads))
        return false;
    name_kernel(launch);
    sim_turns_begin((unsigned)threads);
    sim_fault_open();
    sim_access_open();
    sim_forget_error();
    sim_block.launch = launch;
    sim_block.count = block->x * block->y * block->z;
    for (unsigned i = 0; i < sim_block.count; i++)
        sim_block.threads[i].index = (struct uint3){i % block->x, i / block->x % block->y, i / block->x / block->y};
    gridDim = launch->grid;
    blockDim = launch->block;
    return true;
}

/* After an error, threads are left in the middle of what they did. */
static void close_blocks(void)
{
    sim_access_shut();
    sim_block.launch = NULL;
    if (!sim_error())
        return;
    sim_fibers_restart();
    sim_drop_threads();
}

/* A block, or those that run at the same time. */
static void run_group(const struct sim_launch *launch, uint64_t turn)
{
    const struct uint3 size = group_size(launch);
    const uint64_t x = launch->grid.x / size.x, y = launch->grid.y / size.y, group = sim_order_block(turn);
    sim_order_begin(turn);
    sim_group_run((struct uint3){(unsigned)(group % x) * size.x, (unsigned)(group / x % y) * size.y,
                                 (unsigned)(group / x / y) * size.z},
                  size);
}

static void take_turns(const struct sim_launch *launch)
{
    for (uint64_t turn; sim_crew_take(&turn);) {
        run_group(launch, turn);
        if (sim_error())
            sim_crew_fail(sim_error());
    }
}

static void join_crew(const void *launch)
{
    if (!open_blocks(launch))
        return; /* without this one */
    take_turns(launch);
    close_blocks();
}

/* Whether what is noted is noted of all blocks, one after the other. */
static bool is_for_one_thread(void)
{
    return sim_early_watches || sim_watches() || sim_notes != 0;
}

/* Small launches end before others are awake. The first block may show what is noted of those after it. */
static void run_all(const struct sim_launch *launch)
{
    enum { FEW_THREADS = 1 << 16 };
    const struct uint3 size = group_size(launch);
    const uint64_t groups = (uint64_t)(launch->grid.x / size.x) * (launch->grid.y / size.y) * (launch->grid.z / size.z);
    const uint64_t threads = groups * size.x * size.y * size.z * sim_block.count;
    const bool is_alone = threads <= FEW_THREADS || is_for_one_thread();
    sim_order_launch(groups);
    for (uint64_t turn = 0; turn < (is_alone ? groups : 1) && !sim_error(); turn++)
        run_group(launch, turn);
    if (is_alone || sim_error())
        return;
    sim_crew_begin(1, groups, join_crew, launch);
    take_turns(launch);
    sim_take_error(sim_crew_end());
}

static void run_outermost(const struct sim_launch *launch)
{
    const struct uint3 *grid = &launch->grid, size = group_size(launch);
    const unsigned x = grid->x / size.x, y = grid->y / size.y, z = grid->z / size.z;
    sim_order_begin(0);
    for (unsigned k = 0; k < sim_edges_count(z); k++)
        for (unsigned j = 0; j < sim_edges_count(y); j++)
            for (unsigned i = 0; i < sim_edges_count(x) && !sim_error(); i++)
                sim_group_run((struct uint3){sim_edges_block(i, x) * size.x, sim_edges_block(j, y) * size.y,
                                             sim_edges_block(k, z) * size.z},
                              size);
}

/* CUDA C++ Programming Guide, "Thread Block Clusters". */
static bool fits_clusters(const struct sim_launch *launch)
{
    enum { CLUSTER_MAX = 16 };
    const struct uint3 *grid = &launch->grid, *cluster = &launch->cluster;
    return cluster->x == 0 ||
           (!launch->is_cooperative && cluster->x * cluster->y * cluster->z <= CLUSTER_MAX && cluster->y > 0 &&
            cluster->z > 0 && grid->x % cluster->x == 0 && grid->y % cluster->y == 0 && grid->z % cluster->z == 0);
}

/* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
static bool is_possible(const struct sim_launch *launch)
{
    const struct uint3 *grid = &launch->grid, *block = &launch->block;
    return grid->x >= 1 && grid->y >= 1 && grid->z >= 1 && grid->x <= 2147483647 &&
           (sim_edges_only() || (grid->y <= 65535 && grid->z <= 65535)) && block->x >= 1 && block->y >= 1 &&
           block->z >= 1 && block->x <= 1024 && block->y <= 1024 && block->z <= 64 &&
           block->x * block->y * block->z <= SIM_THREADS_MAX && fits_clusters(launch) &&
           launch->dynamic_shared_bytes <= SIM_SHARED_BYTES_MAX;
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
             "shared memory%s",
             sim_block.kernel, grid->x, grid->y, grid->z, block->x, block->y, block->z, launch->dynamic_shared_bytes,
             fits_clusters(launch) ? "" : ", in these clusters");
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

/* What the kernel says, where the launch does not: it begins again. */
static struct uint3 declared;

void sim_declare_cluster(struct uint3 cluster)
{
    if (sim_block.launch->cluster.x > 0 || cluster.x * cluster.y * cluster.z == 1)
        return;
    declared = cluster;
    sim_refuse("is launched again, in clusters");
}

static const char *run(const struct sim_launch *launch)
{
    name_kernel(launch);
    const char *refusal = refuse(launch);
    if (refusal)
        return refusal;
    if (!open_blocks(launch))
        return "no memory for the stacks of simulated threads, or too many that run at the same time";
    sim_fault_catch();
    sim_edges_begin(launch);
    sim_device_open();
    sim_watch_launch();
    sim_early_begin(launch);
    if (sim_edges_only())
        run_outermost(launch);
    else
        run_all(launch);
    if (declared.x == 0) /* else it begins again */
        sim_early_end(launch);
    sim_device_shut();
    sim_edges_end();
    sim_fault_ignore();
    close_blocks();
    return sim_error();
}

static const char *run_again(const struct sim_launch *launch)
{
    struct sim_launch in_clusters = *launch;
    in_clusters.cluster = declared;
    declared = (struct uint3){0, 0, 0};
    return run(&in_clusters);
}

/* What was said may be of a thread of the host that ends. */
static void keep_error(const char *said)
{
    static char text[512];
    if (said && said != text)
        snprintf(text, sizeof text, "%s", said);
    error = said ? text : NULL;
}

/* Threads of the host come one after the other. */
static pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool runs_here;

void sim_launch_run(const struct sim_launch *launch)
{
    if (runs_here)
        sim_stop(sim_symbol_place((const char *)__builtin_return_address(0) - 1),
                 "launches a kernel from a kernel, which is not simulated");
    (void)pthread_mutex_lock(&one_by_one);
    runs_here = true;
    keep_error(error ? error : run(launch));
    keep_error(declared.x > 0 ? run_again(launch) : error);
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
