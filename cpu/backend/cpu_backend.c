/* The CPU as a backend: host memory, CLOCK_MONOTONIC, and the calling thread, which does all work at once. So there is
 * nothing to hold back. */
#include "bench/table/toolchain.h"

#include "cpu_parts.h"
#include "guarded_memory.h"

#include <math.h>
#include <string.h>

static const char root[] = ""; /* of /proc and /sys */

static int wanted; /* threads; a team of `mask` has those that there are */
static struct cpu_mask mask;
static struct cpu_energy energy;

static const char *open_cpu(const struct backend_settings *settings)
{
    wanted = cpu_threads_open(settings->threads, cpu_limits_find(root).processors, &mask);
    energy = (struct cpu_energy){0};
    cpu_process_remember();
    return NULL;
}

static void close_cpu(void)
{
}

static void describe(struct device_info *info)
{
    memset(info, 0, sizeof *info);
    info->power_limit_w = info->sm_clock_set_mhz = NAN;
    info->threads = mask.threads;
    info->tick_s = cpu_tick();
    for (int by_writing = 0; by_writing < 2; by_writing++)
        snprintf(info->eviction[by_writing], sizeof info->eviction[by_writing], "%s", cpu_evict_method);
    cpu_threads_note(wanted, &mask, info);
    cpu_describe(root, &mask, info);
    cpu_blas_describe(info);
}

static const char *allocate(size_t bytes, enum edge edge, void **memory)
{
    return guarded_memory_allocate(&cpu_backend, bytes, edge, 1, memory);
}

static volatile bool is_closed;

static void protect(void *memory, bool accessible)
{
    is_closed = !accessible;
    guarded_memory_protect(memory, accessible);
}

/* Memory is closed after a rung's return. */
static bool describe_address(const void *address, char *text, size_t size)
{
    if (!guarded_memory_describe(address, text, size))
        return false;
    size_t length = strlen(text);
    if (is_closed)
        snprintf(text + length, size - length, ", after the return");
    return true;
}

static void read_state(struct device_state *state, bool brief)
{
    (void)brief; /* it is at once */
    cpu_state_read(root, &mask, &energy, state);
}

/* Kernels of the user's own in C are compiled as the rungs of the CPU are (CMakeLists.txt). */
static const char *const compilers[] = {"cc", "gcc", "clang", NULL};
static const char *const flags[] = {"-std=c17",
                                    "-D_XOPEN_SOURCE=700",
                                    "-O3",
                                    "-ffp-contract=fast",
                                    "-fopenmp",
                                    "-falign-functions=64",
                                    "-falign-loops=64",
                                    "-fPIC",
                                    "-shared",
                                    "-Wl,-Bsymbolic",
                                    "-fdiagnostics-color=never",
                                    NULL};

static const struct toolchain toolchain = {
    .suffix = ".c",
    .compilers = compilers,
    .flags = flags,
    .after_solution = "cpu/solution.h",
};

const struct backend cpu_backend = {
    .toolchain = &toolchain,
    .before_start = cpu_restart,
    .open = open_cpu,
    .close = close_cpu,
    .describe = describe,
    .free_memory = cpu_free_memory,
    .held_memory = cpu_held_memory,
    .leak_calls = CPU_LEAK_CALLS,
    .allocate = allocate,
    .release = guarded_memory_release,
    .freeze = guarded_memory_freeze,
    .describe_address = describe_address,
    .protect = protect,
    .guard_page = guarded_memory_page,
    .stream = cpu_stream,
    .upload = cpu_copy,
    .download = cpu_copy,
    .fill = cpu_fill,
    .finish = cpu_finish,
    .changed = cpu_process_changed,
    .evict = cpu_evict,
    .mark = cpu_mark,
    .elapsed = cpu_elapsed,
    .read_state = read_state,
    .spin = cpu_spin,
    .ceiling_variants = cpu_ceiling_variants,
    .ceiling = cpu_ceiling,
};
