#include "sim_grid.h"

#include "sim_blame.h"
#include "sim_block.h"
#include "sim_device.h"
#include "sim_edges.h"
#include "sim_order.h"
#include "sim_symbol.h"
#include "sim_thread.h"
#include "sim_race.h"
#include "sim_watch.h"

#include <stdint.h>
#include <stdio.h>

static void run_block(const struct sim_launch *launch, struct uint3 block)
{
    blockIdx = block;
    sim_race_begin(launch, block);
    sim_block_run();
    sim_race_end();
    sim_watch_block(launch, block);
}

static void run_all(const struct sim_launch *launch)
{
    const struct uint3 *grid = &launch->grid;
    uint64_t blocks = (uint64_t)grid->x * grid->y * grid->z;
    for (uint64_t turn = 0; turn < blocks && !sim_error(); turn++) {
        uint64_t block = sim_order_block(turn, blocks);
        run_block(launch, (struct uint3){(unsigned)(block % grid->x), (unsigned)(block / grid->x % grid->y),
                                         (unsigned)(block / grid->x / grid->y)});
    }
}

static void run_outermost(const struct sim_launch *launch)
{
    const struct uint3 *grid = &launch->grid;
    for (unsigned z = 0; z < sim_edges_count(grid->z); z++)
        for (unsigned y = 0; y < sim_edges_count(grid->y); y++)
            for (unsigned x = 0; x < sim_edges_count(grid->x) && !sim_error(); x++)
                run_block(launch, (struct uint3){sim_edges_block(x, grid->x), sim_edges_block(y, grid->y),
                                                 sim_edges_block(z, grid->z)});
}

static void run_grid(const struct sim_launch *launch)
{
    gridDim = launch->grid;
    blockDim = launch->block;
    sim_watch_launch();
    if (sim_edges_only())
        run_outermost(launch);
    else
        run_all(launch);
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

static const char *impossible(const struct sim_launch *launch)
{
    static char text[448];
    char kernel[128];
    sim_symbol_function(launch->function, launch->kernel, kernel, sizeof kernel);
    const struct uint3 *grid = &launch->grid, *block = &launch->block;
    snprintf(text, sizeof text,
             "kernel %s: no GPU can launch a grid of (%u,%u,%u) blocks of (%u,%u,%u) threads with %zu bytes of dynamic "
             "shared memory",
             kernel, grid->x, grid->y, grid->z, block->x, block->y, block->z, launch->dynamic_shared_bytes);
    return text;
}

static const char *not_allowed(const struct sim_launch *launch)
{
    static char text[448];
    char kernel[128];
    sim_symbol_function(launch->function, launch->kernel, kernel, sizeof kernel);
    snprintf(text, sizeof text,
             "kernel %s: %zu bytes of dynamic shared memory are more than %zu, which cudaFuncSetAttribute(kernel, "
             "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) has to allow",
             kernel, launch->dynamic_shared_bytes, launch->dynamic_shared_allowed);
    return text;
}

static const char *run_launch(const struct sim_launch *launch)
{
    if (!is_possible(launch))
        return impossible(launch);
    if (launch->dynamic_shared_bytes > launch->dynamic_shared_allowed)
        return not_allowed(launch);
    if (!sim_block_open(launch))
        return "no memory for the stacks of simulated threads";
    sim_order_begin();
    sim_complete_reports();
    sim_device_open();
    run_grid(launch);
    sim_device_shut();
    sim_block_close();
    return sim_error();
}

static const char *error;

void sim_launch_run(const struct sim_launch *launch)
{
    error = error ? error : run_launch(launch);
    if (error)
        sim_edges_fail();
}

const char *sim_launch_error(void)
{
    const char *taken = error;
    error = NULL;
    return taken;
}
