/* The CPU as a backend: host memory, CLOCK_MONOTONIC, and the calling thread, which does all work at once. So there is
 * nothing to hold back. */
#include "bench/table/backend.h"

#include "cpu_blas.h"
#include "cpu_ceilings.h"
#include "cpu_describe.h"
#include "cpu_energy.h"
#include "cpu_evict.h"
#include "cpu_host.h"
#include "cpu_limits.h"
#include "cpu_mask.h"
#include "cpu_notes.h"
#include "cpu_process.h"
#include "cpu_restart.h"
#include "cpu_state.h"
#include "cpu_toolchain.h"
#include "guarded_memory.h"

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char root[] = ""; /* of /proc and /sys */

static int wanted; /* threads; a team of `mask` has those that there are */
static struct cpu_mask mask;
static struct cpu_energy energy;

/* More than these are of no use, and may be more than the system starts. */
enum { THREADS_MAX = 4096 };

/* Without --threads it is OMP_NUM_THREADS; without that, as many as there are CPUs to run on. */
static int choose_threads(int asked_for)
{
    static int usual; /* before anybody chose */
    const double quota = ceil(cpu_limits_find(root).processors);
    const char *named = getenv("OMP_NUM_THREADS");
    bool is_named = named && strtol(named, NULL, 10) > 0;
    if (usual == 0)
        usual = omp_get_max_threads() < THREADS_MAX ? omp_get_max_threads() : THREADS_MAX;
    if (asked_for > 0)
        return asked_for;
    return quota < usual && !is_named ? (int)quota : usual;
}

static const char *open_cpu(const struct backend_settings *settings)
{
    wanted = choose_threads(settings->threads);
    omp_set_dynamic(0);
    cpu_mask_read(wanted, &mask);
    omp_set_num_threads(mask.threads);
    cpu_blas_set_threads(mask.threads); /* which may run wherever this thread may, before it is bound */
    cpu_mask_bind();
    cpu_mask_read(mask.threads, &mask);
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
    cpu_notes_threads(wanted, &mask, info);
    cpu_describe(root, &mask, info);
    cpu_blas_describe(cpu_restart_chose_core(), info);
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

/* `by_writing` makes no difference: flushed lines leave nothing to be written back later. */
static const char *evict(const struct span *spans, size_t count, bool by_writing)
{
    (void)by_writing;
    return cpu_evict(spans, count);
}

static void read_state(struct device_state *state, bool brief)
{
    (void)brief; /* it is at once */
    cpu_state_read(root, &mask, &energy, state);
}

const struct backend cpu_backend = {
    .toolchain = &cpu_toolchain,
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
    .evict = evict,
    .mark = cpu_mark,
    .elapsed = cpu_elapsed,
    .read_state = read_state,
    .spin = cpu_spin,
    .ceiling_variants = cpu_ceiling_variants,
    .ceiling = cpu_ceiling,
};
