#define _GNU_SOURCE /* sched_getaffinity */
#include "cpu_mask.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { SETS = CPU_MASK_MAX / CPU_SETSIZE };

static void add_cpu(int cpu, struct cpu_mask *mask)
{
    if (cpu < 0 || cpu >= CPU_MASK_MAX || mask->has[cpu])
        return;
    mask->has[cpu] = true;
    mask->count++;
}

/* Of OpenMP's places, where it binds threads. */
static void add_place(int place, struct cpu_mask *mask)
{
    int cpus[CPU_MASK_MAX], count = omp_get_place_num_procs(place);
    if (count > CPU_MASK_MAX)
        return;
    omp_get_place_proc_ids(place, cpus);
    for (int i = 0; i < count; i++)
        add_cpu(cpus[i], mask);
}

/* Of the calling thread. */
static void add_affinity(struct cpu_mask *mask)
{
    cpu_set_t sets[SETS];
    memset(sets, 0, sizeof sets);
    if (sched_getaffinity(0, sizeof sets, sets) != 0)
        return;
    for (int cpu = 0; cpu < CPU_MASK_MAX; cpu++)
        if (CPU_ISSET_S((size_t)cpu, sizeof sets, sets))
            add_cpu(cpu, mask);
}

static void apply(const struct cpu_mask *mask)
{
    cpu_set_t sets[SETS];
    memset(sets, 0, sizeof sets);
    for (size_t cpu = 0; cpu < CPU_MASK_MAX; cpu++)
        if (mask->has[cpu])
            CPU_SET_S(cpu, sizeof sets, sets);
    if (mask->count > 0)
        (void)sched_setaffinity(0, sizeof sets, sets);
}

/* OpenMP binds the main thread to its first place before main(). All that this program starts would be bound there,
 * too, the program itself, started anew or as a worker, among them. */
__attribute__((constructor)) static void unbind(void)
{
    struct cpu_mask all = {.count = 0};
    for (int place = 0; place < omp_get_num_places(); place++)
        add_place(place, &all);
    apply(&all);
}

void cpu_mask_bind(void)
{
    struct cpu_mask own = {.count = 0};
    if (omp_get_num_places() > 0)
        add_place(omp_get_place_num(), &own);
    apply(&own);
}

void cpu_mask_read(int threads, struct cpu_mask *mask)
{
    memset(mask, 0, sizeof *mask);
#pragma omp parallel num_threads(threads)
#pragma omp critical
    {
        add_affinity(mask);
        mask->threads++;
    }
}

void cpu_mask_text(const struct cpu_mask *mask, char *text, size_t size)
{
    char rest[32], range[32];
    size_t length = 0, room = size - (size_t)snprintf(rest, sizeof rest, ",... (%d)", mask->count);
    text[0] = '\0';
    for (int first = 0, last; first < CPU_MASK_MAX; first = last + 1) {
        last = first;
        if (!mask->has[first])
            continue;
        while (last + 1 < CPU_MASK_MAX && mask->has[last + 1])
            last++;
        int added = first == last ? snprintf(range, sizeof range, "%s%d", length == 0 ? "" : ",", first)
                                  : snprintf(range, sizeof range, "%s%d-%d", length == 0 ? "" : ",", first, last);
        if (length + (size_t)added >= room) {
            memcpy(text + length, rest, strlen(rest) + 1);
            return;
        }
        memcpy(text + length, range, (size_t)added + 1);
        length += (size_t)added;
    }
}
