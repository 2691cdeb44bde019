/* Turns the player's clock back: finds in its data when the call began, and makes it now. */
#define _GNU_SOURCE
#include "tests/cheats/cheat.h"

#include <link.h>
#include <time.h>

enum { FOUND_MAX = 64 };
static double *found[FOUND_MAX];
static int found_count;

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What may be a time not long ago. The program is the first object. */
static int look_for_times(struct dl_phdr_info *object, size_t size, void *now)
{
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        const uintptr_t start = object->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        for (double *at = (double *)((start + 7) / 8 * 8); (uintptr_t)(at + 1) <= end; at++)
            if (*at <= *(double *)now && *at > *(double *)now - 1 && found_count < FOUND_MAX)
                found[found_count++] = at;
    }
    return 1;
}

static inline void turn_back(void)
{
    double now = now_s();
    if (found_count == 0)
        (void)dl_iterate_phdr(look_for_times, &now);
    for (int i = 0; i < found_count; i++)
        if (now - *found[i] < 1)
            *found[i] = now_s();
}
