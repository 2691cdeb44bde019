#define _GNU_SOURCE /* sched_getaffinity */
#include "cpu_mask.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

/* Where OpenMP binds threads (OMP_PROC_BIND), it has bound this one before main(). The mask of the process is then that
 * of all places. */
static void read_places(struct cpu_mask *mask)
{
    for (int place = 0; place < omp_get_num_places(); place++) {
        int cpus[CPU_MASK_MAX], count = omp_get_place_num_procs(place);
        if (count > CPU_MASK_MAX)
            continue;
        omp_get_place_proc_ids(place, cpus);
        for (int i = 0; i < count; i++)
            if (cpus[i] >= 0 && cpus[i] < CPU_MASK_MAX)
                mask->has[cpus[i]] = true;
    }
}

static void read_affinity(struct cpu_mask *mask)
{
    cpu_set_t sets[CPU_MASK_MAX / CPU_SETSIZE];
    memset(sets, 0, sizeof sets);
    if (sched_getaffinity(0, sizeof sets, sets) != 0)
        return;
    for (size_t cpu = 0; cpu < CPU_MASK_MAX; cpu++)
        mask->has[cpu] = CPU_ISSET_S(cpu, sizeof sets, sets);
}

void cpu_mask_read(struct cpu_mask *mask)
{
    memset(mask, 0, sizeof *mask);
    (omp_get_num_places() > 0 ? read_places : read_affinity)(mask);
    for (int cpu = 0; cpu < CPU_MASK_MAX; cpu++)
        mask->count += mask->has[cpu];
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
