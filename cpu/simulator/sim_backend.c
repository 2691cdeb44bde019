/* The simulator as a backend: CUDA rungs compiled for the host, on guarded memory. Its times say nothing about a GPU.
 */
#include "bench/table/backend.h"

#include "cpu/backend/cpu_parts.h"
#include "cpu/backend/guarded_memory.h"
#include "sim_arrays.h"
#include "sim_device.h"
#include "sim_edges.h"
#include "sim_order.h"
#include "sim_program.h"
#include "sim_race.h"
#include "sim_warps.h"

#include <math.h>
#include <string.h>

enum { LEAK_CALLS = 2 }; /* each takes long, and every byte is counted */

static bool all_orders; /* false: only the first */

static const char *open_sim(const struct backend_settings *settings)
{
#ifdef __x86_64__
    if (!__builtin_cpu_supports("fma"))
        return "simulated kernels are compiled for processors with FMA, which this one lacks";
#endif
    const struct sim_module *program = sim_module_of(&all_orders);
    if (!program || program->function_count == 0)
        return "simulated kernels need the program's table of symbols, which it lacks: strip -g keeps it";
    all_orders = settings->times_nothing;
    (void)sim_order_use(0);
    (void)sim_edges_use(0, 0);
    return NULL;
}

static void close_sim(void)
{
    sim_device_ignore();
}

static void describe(struct device_info *info)
{
    struct cpu_mask mask;
    memset(info, 0, sizeof *info);
    info->power_limit_w = info->sm_clock_set_mhz = NAN;
    info->threads = 1;
    info->tick_s = cpu_tick();
    cpu_mask_read(1, &mask);
    cpu_describe("", &mask, info);
    info->note_count = 0; /* the backend of the CPU has the same notes */
}

static const char *copy(void *to, const void *from, size_t bytes)
{
    sim_device_open();
    return cpu_copy(to, from, bytes);
}

static const char *fill(void *memory, size_t bytes, const struct made *made)
{
    sim_device_open();
    return cpu_fill(memory, bytes, made);
}

static void watch(const void *memory, size_t bytes)
{
    sim_device_open();
    sim_watch(memory, bytes);
}

/* All work is done, but there may be an error that nobody has asked for. What a rung touches next, it touches on the
 * host, unless it launches a grid. */
static const char *finish(void)
{
    sim_device_shut();
    sim_device_catch();
    const char *launch_error = sim_launch_error(), *host_error = sim_device_error("its launcher");
    return host_error ? host_error : launch_error;
}

static size_t order_count(void)
{
    return all_orders ? sim_order_count() : 1;
}

/* The handlers that are in place while a launcher runs are ours, not the rung's. */
static const char *changed(void)
{
    sim_device_ignore();
    return NULL;
}

/* Nor are they to be seen by the rung of another backend that comes next. */
static void release(void *memory)
{
    sim_device_ignore();
    guarded_memory_release(memory);
}

/* Kernels of the user's own in CUDA, compiled as the twins of the rungs are. */
static const char *const libraries[] = {"cblas_", NULL};
static const char *const suffixes[] = {".cu", ".cuh", NULL};
static const char *const compilers[] = {"c++", "g++", NULL};
static const char *const flags[] = {
#include "kernel_flags.def"
#ifdef __x86_64__
    "-mfma",
#endif
    "-fdiagnostics-color=never",
    "-I",
    TOOLCHAIN_HOME "cpu/simulator/cuda",
    "-include",
    "twins.h",
    NULL};

/* Of CUDA, as they stand in a compiler's messages: a header, or a name in quotes. */
static const char names[] =
    "^(?:cu|thrust/|cub/|cute/|cutlass|nv|npp|helper_|mma|crt/|texture_|surface_|channel_|device_)"
    "[^ ]*: No such file"
    "|'(?:const |struct |class |enum )*(?:::)?"
    "(?:__|cuda\\b|cuda[A-Z]|cu[A-Z]|CU[A-Z_]|cublas|CUBLAS|cu(?:rand|fft|sparse|solver|dnn)|tex[1-3C]|texture\\b"
    "|surf[1-3C]|surface\\b|thrust\\b|cub\\b|cooperative_groups|nv(?:cuda|rtc|tx|ml)|wmma|atomic[A-Z]|make_|half2?')";

static const struct toolchain toolchain = {
    .suffixes = suffixes,
    .libraries = libraries,
    .compilers = compilers,
    .flags = flags,
    .before_solution = "kernels/solution_begin.h",
    .after_solution = "kernels/solution_end.h",
    .names = names,
    .spells_launches = true,
    .adds_streams = true,
    .dynamic_bytes = SIM_SHARED_BYTES_MAX,
    .sign = "sim_launch_run",
};

static const struct simulator simulator = {
    .begin_program = sim_program_begin,
    .order_count = order_count,
    .use_order = sim_order_use,
    .edges = sim_edges_use,
    .watch = watch,
    .writer = sim_writer,
    .found = sim_race_found,
    .begin_count = sim_warps_begin,
    .end_count = sim_warps_end,
};

const struct backend sim_backend = {
    .toolchain = &toolchain,
    .open = open_sim,
    .close = close_sim,
    .describe = describe,
    .free_memory = cpu_free_memory,
    .held_memory = guarded_memory_held,
    .leak_calls = LEAK_CALLS,
    .allocate = sim_device_allocate,
    .release = release,
    .freeze = guarded_memory_freeze,
    .guard_page = guarded_memory_page,
    .stream = cpu_stream,
    .upload = copy,
    .download = copy,
    .fill = fill,
    .finish = finish,
    .changed = changed,
    .mark = cpu_mark,
    .elapsed = cpu_elapsed,
    .spin = cpu_spin,
    .simulator = &simulator,
};
