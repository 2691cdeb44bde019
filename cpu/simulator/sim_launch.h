/* A simulated launch. CUDA leaves open in which order blocks and threads run; here they run
 * in one of several orders (sim_order.h). A barrier that a kernel lacks shows where two orders give different answers.
 * This is all that launchers need, in C and C++. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Around what C++ calls, too. */
#ifdef __cplusplus
#define SIM_C_BEGIN extern "C" {
#define SIM_C_END }
#else
#define SIM_C_BEGIN
#define SIM_C_END
#endif

SIM_C_BEGIN

/* Each thread of the host that runs blocks has one of its own: sim_crew.h. */
#define SIM_OWN __thread

enum {
    SIM_THREADS_MAX = 1024, /* per block */
    SIM_WARP = 32,
    /* Shared memory per block on the GPUs that have most. A kernel has to ask for more than the second number. */
    SIM_SHARED_BYTES_MAX = 227 << 10,
    SIM_DYNAMIC_SHARED_BYTES = 48 << 10,
};

struct uint3 { /* as in CUDA */
    unsigned x, y, z;
};

/* A line of a kernel's source. */
struct sim_place {
    const char *file;
    int line; /* 0: unknown */
};

struct sim_launch {
    const char *kernel; /* as the source has it: "kernel<ROWS, COLUMNS>" */
    bool is_runtime;    /* not a kernel: cudaMemsetAsync(), say */
    struct uint3 grid, block;
    struct uint3 cluster; /* blocks in each direction; 0: those that the kernel itself says, or one */
    bool is_cooperative;
    const void *stream;
    bool is_early; /* it may begin before the launch before it has ended */
    size_t dynamic_shared_bytes;
    void (*thread_body)(const void *arguments);
    const void *arguments;
};

/* Runs the launch to its end, or to the first error. After an error, later launches do nothing until somebody has asked
 * for it. */
void sim_launch_run(const struct sim_launch *launch);

/* A thread of the launch is about to call the kernel. */
extern SIM_OWN bool sim_entering;

/* The kernel that runs says how many blocks are a cluster: __cluster_dims__. */
void sim_declare_cluster(struct uint3 cluster);

/* cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes). */
void sim_allow(const void *kernel, size_t dynamic_shared_bytes);

/* The error since the last call, a sentence that is valid until the next launch; NULL: none. */
const char *sim_launch_error(void);

/* How many blocks a grid may have along y and z, what cudaDeviceGetAttribute says, and whether only the outermost
 * blocks of a grid run: sim_edges.h sets them. */
extern int64_t sim_grid_yz_max;
extern int sim_multiprocessors;
bool sim_edges_only(void);

/* Memory that a launcher allocates. It ends at a page that may not be touched. NULL, or an error message that is valid
 * until the next call. */
const char *sim_workspace_allocate(size_t bytes, void **memory);
/* The same, but the host may touch it at any time. */
const char *sim_managed_allocate(size_t bytes, void **memory);
void sim_workspace_release(void *memory); /* or NULL */

SIM_C_END
